import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { settingsQuery, taxonomiesQuery } from '../queries';
import { useShop } from '../shop';

export function Footer() {
  const shop = useShop();
  const { data: settings } = useQuery(settingsQuery(shop));
  const { data: taxonomies = [] } = useQuery(taxonomiesQuery(shop));
  return (
    <footer class="footer">
      <div class="footer-inside">
        {taxonomies.map(({ id, name, taxons }) => (
          <nav key={id} aria-label={`${name}, all`}>
            <h2>{name}</h2>
            <ul>
              {taxons.slice(0, 8).map((taxon) => (
                <li key={taxon.id}>
                  <Link href={`/c/${taxon.permalink}`}>{taxon.name}</Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label="Help">
          <h2>Your orders</h2>
          <ul>
            <li>
              <Link href="/orders/find">Find an order</Link>
            </li>
            <li>
              <Link href="/account">Account</Link>
            </li>
            <li>
              <Link href="/cart">Cart</Link>
            </li>
          </ul>
        </nav>
        <p class="footer-name">{settings?.name}</p>
      </div>
    </footer>
  );
}
