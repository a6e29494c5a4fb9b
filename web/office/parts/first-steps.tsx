import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { firstOrdersQuery } from '../orders';

interface Step {
  href: string;
  name: string;
  about: string;
  /** Returns how many there are. */
  count: () => Promise<number | undefined>;
}

const ONE = { params: { query: { per_page: 1 } } } as const;

/** What a shop needs before its first sale, in an order that works. */
const STEPS: readonly Step[] = [
  {
    href: '/settings/store',
    name: 'Store',
    about: 'Its name, address and currency',
    count: async () => (await unwrap(store.GET('/api/v1/stores'))).stores.length,
  },
  {
    href: '/settings/zones',
    name: 'Zones',
    about: 'The countries and states that you sell to',
    count: async () => (await unwrap(store.GET('/api/v1/zones', ONE))).total_count,
  },
  {
    href: '/settings/tax-rates',
    name: 'Tax rates',
    about: 'Unless you sell without tax',
    count: async () => (await unwrap(store.GET('/api/v1/tax_rates', ONE))).total_count,
  },
  {
    href: '/settings/shipping-categories',
    name: 'Shipping categories',
    about: 'Each product has one',
    count: async () => (await unwrap(store.GET('/api/v1/shipping_categories', ONE))).total_count,
  },
  {
    href: '/settings/shipping-methods',
    name: 'Shipping methods',
    about: 'How parcels get to a zone, and the freight',
    count: async () => (await unwrap(store.GET('/api/v1/shipping_methods', ONE))).total_count,
  },
  {
    href: '/settings/payment-methods',
    name: 'Payment methods',
    about: 'A provider for cards, or checks and transfers',
    count: async () => (await unwrap(store.GET('/api/v1/payment_methods', ONE))).total_count,
  },
  {
    href: '/settings/locations',
    name: 'Stock locations',
    about: 'Where parcels leave',
    count: async () => (await unwrap(store.GET('/api/v1/stock_locations', ONE))).total_count,
  },
  {
    href: '/products',
    name: 'Products',
    about: 'With pictures, categories and stock; then put them on sale',
    count: async () => (await unwrap(store.GET('/api/v1/products', ONE))).total_count,
  },
];

/** What to prepare in a shop that has sold nothing yet; nothing in another one. */
export function FirstSteps() {
  const { data } = useQuery(firstOrdersQuery('all', 1));
  if (data?.total_count !== 0) return null;
  return (
    <section class="box">
      <h2>Before the first sale</h2>
      <ol class="steps">
        {STEPS.map((step) => (
          <FirstStep key={step.href} step={step} />
        ))}
      </ol>
    </section>
  );
}

function FirstStep({ step: { href, name, about, count } }: { step: Step }) {
  const { data } = useQuery({ queryKey: [href, 'first-step'], queryFn: async () => (await count()) ?? 0 });
  return (
    <li>
      <Link href={href}>{name}</Link> <span class="quiet">{about}</span>{' '}
      {data !== undefined && (
        <span class={data === 0 ? 'mark mark-bad' : 'mark'}>{data === 0 ? 'None yet' : data}</span>
      )}
    </li>
  );
}
