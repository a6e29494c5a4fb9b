import { queryOptions } from '@tanstack/preact-query';
import { unwrap, type OrderSummary } from 'store-api-client';
import { store } from './office';
import type { ListRequest, Page } from './parts/list';

/** The lists of orders that the day consists of. */
export const LISTS = {
  all: { name: 'All', q: {} },
  ship: { name: 'To ship', q: { state_not_in: ['canceled'], shipments_state_in: ['ready'] } },
  pay: {
    name: 'To capture',
    q: {
      state_not_in: ['canceled'],
      payment_state_eq: 'balance_due',
      payments_state_in: ['pending', 'checkout'],
    },
  },
  wait: { name: 'Backorders', q: { shipment_state_eq: 'backorder' } },
  due: { name: 'Balance due', q: { state_not_in: ['canceled'], payment_state_eq: 'balance_due' } },
  owe: { name: 'To refund', q: { payment_state_eq: 'credit_owed' } },
  back: { name: 'Returns expected', q: { state_eq: 'awaiting_return' } },
  canceled: { name: 'Canceled', q: { state_eq: 'canceled' } },
} as const;

export type ListName = keyof typeof LISTS;

export const toListName = (text: string | null): ListName =>
  text !== null && Object.hasOwn(LISTS, text) ? (text as ListName) : 'all';

const FIELDS =
  'number,completed_at,email,display_total,total_quantity,state,payment_state,shipment_state,considered_risky';

/** An order, and whether its balance is due because its authorized payment is not captured yet. */
export type ListedOrder = OrderSummary & { isAuthorized: boolean };

/** Reads a page of complete orders, the latest first; `list` and `user` of the address choose which. */
export async function listOrders({
  search,
  page,
  perPage,
  filter,
  signal,
}: ListRequest): Promise<Page<ListedOrder>> {
  const user = filter('user');
  const { orders, ...counts } = await unwrap(
    store.GET('/api/v1/orders', {
      params: {
        query: {
          q: {
            completed_at_not_null: true,
            ...LISTS[toListName(filter('list'))].q,
            ...(user !== null && { user_id_eq: Number(user) }),
            s: 'completed_at desc',
          },
          ...(search !== '' && { search }),
          fields: FIELDS,
          page,
          per_page: perPage,
        },
      },
      signal,
    }),
  );
  const authorized = await findAuthorized(orders, signal);
  const rows = orders.map((order) => ({ ...order, isAuthorized: authorized.has(order.number) }));
  return { rows, ...counts };
}

/** Returns the numbers of the orders with a balance due whose payment is authorized. */
async function findAuthorized(
  orders: readonly OrderSummary[],
  signal: ListRequest['signal'],
): Promise<Set<string>> {
  const due = orders.filter(({ payment_state }) => payment_state === 'balance_due');
  if (due.length === 0) return new Set();
  const q = { number_in: due.map(({ number }) => number), payments_state_in: ['pending'] };
  const found = await unwrap(
    store.GET('/api/v1/orders', {
      params: { query: { q, fields: 'number', per_page: due.length } },
      signal,
    }),
  );
  return new Set(found.orders.map(({ number }) => number));
}

/** The first orders of a list, and how many it has. */
export const firstOrdersQuery = (list: ListName, perPage: number) =>
  queryOptions({
    queryKey: ['/orders', 'first', list, perPage],
    queryFn: ({ signal }) =>
      listOrders({ search: '', page: 1, perPage, filter: (name) => (name === 'list' ? list : null), signal }),
  });
