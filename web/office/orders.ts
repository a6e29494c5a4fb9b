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

/** Reads a page of complete orders, the latest first; `list` and `user` of the address choose which. */
export async function listOrders({
  search,
  page,
  perPage,
  filter,
  signal,
}: ListRequest): Promise<Page<OrderSummary>> {
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
  return { rows: orders, ...counts };
}

/** The first orders of a list, and how many it has. */
export const firstOrdersQuery = (list: ListName, perPage: number) =>
  queryOptions({
    queryKey: ['/orders', 'first', list, perPage],
    queryFn: ({ signal }) =>
      listOrders({ search: '', page: 1, perPage, filter: (name) => (name === 'list' ? list : null), signal }),
  });
