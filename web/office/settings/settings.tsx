import { Link } from 'wouter-preact';
import { useMay, type Scope } from '../access';

interface Section {
  path: string;
  name: string;
  about: string;
  scope: Scope | '*';
}

const SECTIONS: readonly Section[] = [
  {
    path: 'store',
    name: 'Store and documents',
    about: 'Name, formats, issuer, numbers',
    scope: 'settings:read',
  },
  { path: 'stores', name: 'Stores', about: 'Other stores, and the default', scope: 'settings:read' },
  { path: 'option-types', name: 'Option types', about: 'Sizes, colors and such', scope: 'catalog:read' },
  { path: 'zones', name: 'Zones', about: 'Where you sell', scope: 'settings:read' },
  { path: 'tax-rates', name: 'Tax rates', about: 'By zone and category', scope: 'settings:read' },
  {
    path: 'tax-categories',
    name: 'Tax categories',
    about: 'Products that are taxed alike',
    scope: 'catalog:read',
  },
  {
    path: 'shipping-methods',
    name: 'Shipping methods',
    about: 'Freight and carriers',
    scope: 'settings:read',
  },
  {
    path: 'shipping-categories',
    name: 'Shipping categories',
    about: 'Products that are shipped alike',
    scope: 'catalog:read',
  },
  {
    path: 'payment-methods',
    name: 'Payment methods',
    about: 'Providers and credentials',
    scope: 'settings:read',
  },
  { path: 'locations', name: 'Stock locations', about: 'Where stock is stored', scope: 'stock:read' },
  { path: 'return-reasons', name: 'Return reasons', about: 'Why items come back', scope: 'settings:read' },
  { path: 'mails', name: 'Mails', about: 'Templates with preview', scope: 'settings:read' },
  { path: 'webhooks', name: 'Webhooks', about: 'Events to other programs', scope: 'events:read' },
  { path: 'roles', name: 'Roles', about: 'What the staff may do', scope: '*' },
];

/** The sections of the settings. */
export function Settings() {
  const may = useMay();
  return (
    <>
      <h1>Settings</h1>
      <ul class="sections">
        {SECTIONS.filter(({ scope }) => may(scope)).map(({ path, name, about }) => (
          <li key={path}>
            <Link href={`/settings/${path}`}>
              <strong>{name}</strong>
              <span class="quiet">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
