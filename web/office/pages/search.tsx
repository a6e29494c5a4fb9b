import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { unwrap } from 'store-api-client';
import { Link, useSearch } from 'wouter-preact';
import { useMay } from '../access';
import { store } from '../office';
import { listOrders } from '../orders';
import { Loaded } from '../parts/loaded';
import { dateOf, inWords } from '../words';

const COUNT = 8;

/** What a search finds among orders, customers and products. */
export function Search() {
  const search = new URLSearchParams(useSearch()).get('search') ?? '';
  const may = useMay();
  return (
    <>
      <h1>“{search}”</h1>
      <div class="found">
        {may('orders:read') && <Orders search={search} />}
        {may('customers:read') && <Customers search={search} />}
        {may('catalog:read') && <Products search={search} />}
      </div>
    </>
  );
}

function Orders({ search }: { search: string }) {
  const query = useQuery({
    queryKey: ['/orders', 'search', search],
    queryFn: ({ signal }) => listOrders({ search, page: 1, perPage: COUNT, filter: () => null, signal }),
  });
  return (
    <Loaded query={query}>
      {({ rows, total_count }) => (
        <Found name="Orders" all={`/orders?search=${encodeURIComponent(search)}`} count={total_count}>
          {rows.map((order) => (
            <li key={order.number}>
              <Link href={`/orders/${order.number}`}>{order.number}</Link>
              <span class="quiet">
                {order.email}, {dateOf(order.completed_at)}, {order.display_total}, {inWords(order.state)}
              </span>
            </li>
          ))}
        </Found>
      )}
    </Loaded>
  );
}

function Customers({ search }: { search: string }) {
  const query = useQuery({
    queryKey: ['/customers', 'search', search],
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/users', {
          params: { query: { q: { email_cont: search }, per_page: COUNT } },
          signal,
        }),
      ),
  });
  return (
    <Loaded query={query}>
      {({ users, total_count }) => (
        <Found name="Customers" all={`/customers?search=${encodeURIComponent(search)}`} count={total_count}>
          {users.map(({ id, email, created_at }) => (
            <li key={id}>
              <Link href={`/customers/${id}`}>{email}</Link>
              <span class="quiet">since {dateOf(created_at)}</span>
            </li>
          ))}
        </Found>
      )}
    </Loaded>
  );
}

function Products({ search }: { search: string }) {
  const query = useQuery({
    queryKey: ['/products', 'search', search],
    queryFn: ({ signal }) =>
      unwrap(
        store.GET('/api/v1/products', {
          params: { query: { search, per_page: COUNT, fields: 'id,name,slug,price_range' } },
          signal,
        }),
      ),
  });
  return (
    <Loaded query={query}>
      {({ products, total_count }) => (
        <Found name="Products" all={`/products?search=${encodeURIComponent(search)}`} count={total_count}>
          {products.map(({ id, name, slug, price_range }) => (
            <li key={id}>
              <Link href={`/products/${slug}`}>{name}</Link>
              <span class="quiet">{price_range.display_min}</span>
            </li>
          ))}
        </Found>
      )}
    </Loaded>
  );
}

interface FoundProps {
  name: string;
  /** The list with all of them. */
  all: string;
  count: number;
  children: ComponentChildren;
}

const Found = ({ name, all, count, children }: FoundProps) => (
  <section class="box">
    <h2>
      {name} ({count})
    </h2>
    {count === 0 ? <p class="quiet">None</p> : <ul class="found-list">{children}</ul>}
    {count > COUNT && <Link href={all}>All {count}</Link>}
  </section>
);
