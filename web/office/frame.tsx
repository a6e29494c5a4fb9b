import { useQuery } from '@tanstack/preact-query';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Route, Switch, useLocation, useSearch } from 'wouter-preact';
import { useMay, useMe } from './access';
import { AREAS } from './areas';
import { keptSignIn, store } from './office';
import { Announcements } from './parts/announce';
import { keepFocus } from '../shared/keep-focus';
import { setMoneyForm } from '../shared/money';
import { Loaded, NotFound } from './parts/loaded';
import { keepTitle } from './parts/page-title';
import { configQuery } from './queries';
import { ROOMS } from './rooms';

/** The office around its pages: navigation of what one may do, search, and the page. */
export function Frame() {
  const me = useMe();
  const { data: config, isPending } = useQuery(configQuery);
  if (config !== undefined) setMoneyForm(config.money);
  const [path] = useLocation();
  const may = useMay();
  const query = useSearch();
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), []);
  useEffect(() => (main.current === null ? undefined : keepTitle(main.current)), []);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // A link of the navigation stays and would keep it: screen readers would not say that the page is another one.
    if (main.current?.contains(document.activeElement) === false) main.current.focus({ preventScroll: true });
  }, [path]);
  useEffect(() => {
    // On narrow screens navigation and tabs are wider than the screen.
    for (const current of document.querySelectorAll('nav [aria-current]'))
      current.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path, query, me.data]);
  const signOut = (): void => {
    // Without a reply this browser signs out all the same.
    void store
      .DELETE('/api/v1/sessions')
      .catch(() => undefined)
      .finally(() => keptSignIn.set(null));
  };
  const link = (href: string, name: string) => (
    <Link
      key={href}
      href={href}
      {...((path === href || path.startsWith(`${href}/`)) && { 'aria-current': 'page' })}
    >
      {name}
    </Link>
  );
  return (
    <div class="office">
      <a class="skip" href="#main">
        To the page
      </a>
      <header class="bar">
        <nav aria-label="Areas">
          {link('/', 'Dashboard')}
          {AREAS.filter(({ scopes }) => scopes.some(may)).map(({ path: href, name }) => link(href, name))}
          <a href="/">Shop</a>
        </nav>
        <p class="who">
          <Link href="/account">{me.data?.email ?? 'Account'}</Link>{' '}
          <button type="button" class="link" onClick={signOut}>
            Sign out
          </button>
        </p>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Announcements />
        <Loaded query={me}>
          {() =>
            !isPending && (
              <>
                {(may('orders:read') || may('catalog:read') || may('customers:read')) && <SearchBox />}
                <Switch>
                  {ROOMS.map(({ path: pattern, scope, page }) => (
                    <Route key={pattern} path={pattern}>
                      {({ 0: of = '' }) => (
                        // Another record is another page, with forms of its own.
                        <Fragment key={of}>
                          {isSection(pattern) && (
                            <p class="crumb">
                              <Link href="/settings">Settings</Link>
                            </p>
                          )}
                          {scope === null || may(scope) ? page(of) : <Forbidden />}
                        </Fragment>
                      )}
                    </Route>
                  ))}
                  <Route>
                    <NotFound />
                  </Route>
                </Switch>
              </>
            )
          }
        </Loaded>
      </main>
    </div>
  );
}

/** Whether a page is a section of the settings. Pages below one lead back to it themselves. */
const isSection = (pattern: string): boolean => /^\/settings\/[^/]+$/.test(pattern);

const Forbidden = () => (
  <>
    <h1>No permission</h1>
    <p class="notice">Your roles do not include this page. Ask an administrator for it.</p>
  </>
);

const SEARCHED = [
  { scope: 'orders:read', name: 'orders' },
  { scope: 'customers:read', name: 'customers' },
  { scope: 'catalog:read', name: 'products' },
] as const;

/** Searches orders, customers and products. */
function SearchBox() {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const may = useMay();
  const found = SEARCHED.filter(({ scope }) => may(scope)).map(({ name }) => name);
  if (found.length === 0) return null;
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') go(`/search?search=${encodeURIComponent(text.trim())}`);
      }}
    >
      <input
        type="search"
        aria-label="Search"
        placeholder={`Find ${found.join(', ')}`}
        maxLength={200}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
