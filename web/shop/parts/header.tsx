import { useQuery } from '@tanstack/preact-query';
import { Link, useLocation } from 'wouter-preact';
import { cartQuery, settingsQuery, taxonomiesQuery } from '../queries';
import { keptCart, keptSignIn, useShop } from '../shop';
import { SearchBox } from './search-box';

/** A longer number would push the header apart. */
const MOST_SHOWN = 99;

export function Header() {
  const shop = useShop();
  const [path] = useLocation();
  const { data: settings } = useQuery(settingsQuery(shop));
  const { data: taxonomies = [] } = useQuery(taxonomiesQuery(shop));
  const cartKey = keptCart.use();
  const signIn = keptSignIn.use();
  const { data: cart } = useQuery({ ...cartQuery(shop, cartKey), enabled: cartKey !== null });
  const count = cartKey === null ? 0 : (cart?.total_quantity ?? 0);
  const categories = taxonomies[0]?.taxons ?? [];
  return (
    <header class="header">
      <div class="header-inside">
        <Link href="/" class="name">
          {settings?.name ?? 'Shop'}
        </Link>
        <SearchBox />
        <nav class="header-own" aria-label="Yours">
          <Link href={signIn === null ? '/sign-in' : '/account'}>
            {signIn === null ? 'Sign in' : 'Account'}
          </Link>
          <Link href="/cart" class="cart-link">
            Cart
            {count > 0 && (
              <span class="count" aria-label={`${count} items`}>
                {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
              </span>
            )}
          </Link>
        </nav>
      </div>
      <nav class="categories" aria-label="Categories">
        <ul>
          {categories.map(({ id, name, permalink }) => (
            <li key={id}>
              <Link
                href={`/c/${permalink}`}
                {...(`${path}/`.startsWith(`/c/${permalink}/`) && { 'aria-current': 'page' })}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
