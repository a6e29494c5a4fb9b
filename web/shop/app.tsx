import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/preact-query';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { keepFocus } from '../shared/keep-focus';
import { setMoneyForm } from '../shared/money';
import { Footer } from './parts/footer';
import { Header } from './parts/header';
import { Loading } from './parts/loading';
import { Category } from './pages/category';
import { Home } from './pages/home';
import { NotFound } from './pages/not-found';
import { ProductPage } from './pages/product';
import { Search } from './pages/search';
import { settingsQuery } from './queries';
import { ShopContext, useShop, type Shop } from './shop';
import { useScrollPosition } from './scroll';

// Pages that few visits begin at, and that need more code.
const Cart = lazy(() => import('./pages/cart').then((page) => ({ default: page.Cart })));
const Checkout = lazy(() => import('./pages/checkout').then((page) => ({ default: page.Checkout })));
const OrderPage = lazy(() => import('./pages/order').then((page) => ({ default: page.OrderPage })));
const FindOrder = lazy(() => import('./pages/find-order').then((page) => ({ default: page.FindOrder })));
const SignIn = lazy(() => import('./pages/sign-in').then((page) => ({ default: page.SignIn })));
const ResetPassword = lazy(() =>
  import('./pages/reset-password').then((page) => ({ default: page.ResetPassword })),
);
const Account = lazy(() => import('./pages/account').then((page) => ({ default: page.Account })));

/** Creates the memory of replies of the API. Requests are repeated by the client where that is safe. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    // Without a network requests fail at once, and the page says so, instead of waiting without a word.
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });

/** The whole page. */
export function App({ shop, client, path }: { shop: Shop; client: QueryClient; path?: string }) {
  const [ssrPath, ssrSearch = ''] = path?.split('?') ?? [];
  return (
    <ShopContext.Provider value={shop}>
      <QueryClientProvider client={client}>
        <Router {...(ssrPath !== undefined && { ssrPath, ssrSearch })}>
          <Page />
        </Router>
      </QueryClientProvider>
    </ShopContext.Provider>
  );
}

function Page() {
  useScrollPosition();
  const { data: settings } = useQuery(settingsQuery(useShop()));
  if (settings !== undefined) setMoneyForm(settings.money);
  // The first rendering equals that of the server, whose HTML a page that is loaded later would not replace.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), []);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header />
      <main id="content" tabIndex={-1} ref={main}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/c/*">{(params) => <Category permalink={params['*'] ?? ''} />}</Route>
            <Route path="/products/:slug">{({ slug }) => <ProductPage key={slug} slug={slug} />}</Route>
            <Route path="/search" component={Search} />
            <Route component={isMounted ? OwnPages : Loading} />
          </Switch>
        </Suspense>
      </main>
      <Footer />
    </>
  );
}

/** Pages of one visitor, which only the browser can show. */
function OwnPages() {
  return (
    <Switch>
      <Route path="/cart" component={Cart} />
      <Route path="/checkout" component={Checkout} />
      <Route path="/orders/find" component={FindOrder} />
      <Route path="/orders/:number">{({ number }) => <OrderPage number={number} />}</Route>
      <Route path="/sign-in" component={SignIn} />
      <Route path="/password" component={ResetPassword} />
      <Route path="/account" component={Account} />
      <Route component={NotFound} />
    </Switch>
  );
}
