import { unwrap, type ReturnAuthorization } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { Email } from '../parts/email';
import { ListPage, type ListRequest } from '../parts/list';
import type { Column } from '../parts/table';
import { dateOf, inWords, moneyOf } from '../words';

const STATES = ['requested', 'authorized', 'received', 'declined', 'canceled'] as const;

interface Row extends ReturnAuthorization {
  order: { number: string; email: string | null; currency: string } | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Return',
    cell: ({ number, order }) =>
      order === undefined ? number : <Link href={`/orders/${order.number}`}>{number}</Link>,
  },
  { name: 'Created', isShort: true, cell: ({ created_at }) => dateOf(created_at) },
  { name: 'Order', isShort: true, cell: ({ order }) => order?.number },
  { name: 'Customer', cell: ({ order }) => <Email email={order?.email} /> },
  { name: 'State', isShort: true, cell: ({ state }) => inWords(state) },
  { name: 'Note', cell: ({ memo, customer_memo }) => <span class="clip">{customer_memo ?? memo}</span> },
  {
    name: 'Credit',
    isNumber: true,
    cell: ({ state, amount, order }) =>
      state === 'received' && order !== undefined ? moneyOf(amount, order.currency) : '',
  },
];

/** Reads a page of returns, and the orders they are of: two requests. */
async function listReturns({ search, page, perPage, filter, signal }: ListRequest) {
  const state = filter('state');
  const { return_authorizations, ...counts } = await unwrap(
    store.GET('/api/v1/return_authorizations', {
      params: {
        query: {
          q: {
            ...(state !== null && { state_eq: state }),
            ...(search !== '' && { number_or_order_number_cont: search }),
            s: 'id desc',
          },
          page,
          per_page: perPage,
        },
      },
      signal,
    }),
  );
  const ids = [...new Set(return_authorizations.map(({ order_id }) => order_id))];
  const { orders } =
    ids.length === 0
      ? { orders: [] }
      : await unwrap(
          store.GET('/api/v1/orders', {
            params: { query: { q: { id_in: ids }, fields: 'id,number,email,currency', per_page: perPage } },
            signal,
          }),
        );
  const byId = new Map(orders.map((order) => [order.id, order]));
  return { rows: return_authorizations.map((one) => ({ ...one, order: byId.get(one.order_id) })), ...counts };
}

/** The returns of all orders; they are handled on the page of their order. */
export const Returns = () => (
  <ListPage
    title="Returns"
    path="/returns"
    columns={COLUMNS}
    keyOf={({ id }) => id}
    read={listReturns}
    search={{ name: 'Find returns', placeholder: 'Number of a return or an order' }}
    tools={({ filter }) => (
      <nav class="tabs" aria-label="States">
        {[null, ...STATES].map((state) => (
          <Link
            key={state}
            href={state === null ? '/returns' : `/returns?state=${state}`}
            {...(filter('state') === state && { 'aria-current': 'page' })}
          >
            {state === null ? 'All' : inWords(state)}
          </Link>
        ))}
      </nav>
    )}
  />
);
