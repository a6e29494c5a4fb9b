import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link, Route, Router, Switch, useLocation } from 'wouter-preact';
import { keptSignIn, store } from './office';
import { Dashboard } from './pages/dashboard';
import { OrderPage } from './pages/order';
import { Orders } from './pages/orders';
import { Products } from './pages/products';
import { ProductPage } from './pages/product';
import { SignIn } from './pages/sign-in';
import { Stock } from './pages/stock';
import './styles.css';

const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 } } });

const AREAS = [
  ['/', 'Dashboard'],
  ['/orders', 'Orders'],
  ['/products', 'Products'],
  ['/stock', 'Stock'],
] as const;

function Office() {
  const signIn = keptSignIn.use();
  const [path] = useLocation();
  useEffect(() => {
    // Also when another tab signed out, or the session has ended.
    if (signIn === null) client.clear();
  }, [signIn]);
  if (signIn === null) return <SignIn />;
  const signOut = (): void => {
    // Without a reply this browser signs out all the same.
    void store
      .DELETE('/api/v1/sessions')
      .catch(() => undefined)
      .finally(() => keptSignIn.set(null));
  };
  return (
    <div class="office">
      <header class="bar">
        <nav aria-label="Areas">
          {AREAS.map(([href, name]) => (
            <Link
              key={href}
              href={href}
              {...((href === '/' ? path === '/' : path.startsWith(href)) && { 'aria-current': 'page' })}
            >
              {name}
            </Link>
          ))}
          <a href="/">Shop</a>
        </nav>
        <p class="who">
          {signIn.email}{' '}
          <button type="button" class="link" onClick={signOut}>
            Sign out
          </button>
        </p>
      </header>
      <main>
        <Switch>
          <Route path="/" component={Dashboard} />
          <Route path="/orders" component={Orders} />
          <Route path="/orders/:number">{({ number }) => <OrderPage key={number} number={number} />}</Route>
          <Route path="/products" component={Products} />
          <Route path="/products/:id">{({ id }) => <ProductPage key={id} id={id} />}</Route>
          <Route path="/stock" component={Stock} />
          <Route>
            <h1>This page does not exist</h1>
          </Route>
        </Switch>
      </main>
    </div>
  );
}

render(
  <QueryClientProvider client={client}>
    <Router base="/admin">
      <Office />
    </Router>
  </QueryClientProvider>,
  document.getElementById('office')!, // It stands in index.html.
);
