import { useInfiniteQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useShop } from '../shop';
import { Failure, Loading } from './loading';

const PER_PAGE = 20;

/** The completed orders of a customer, newest first. */
export function OwnOrders() {
  const { store } = useShop();
  const orders = useInfiniteQuery({
    queryKey: ['own orders'],
    queryFn: ({ pageParam }) =>
      unwrap(
        store.GET('/api/v1/orders/mine', {
          params: {
            query: {
              per_page: PER_PAGE,
              page: pageParam,
              q: { completed_at_not_null: true, s: 'completed_at desc' },
            },
          },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current_page, pages }) => (current_page < pages ? current_page + 1 : undefined),
  });
  if (orders.isError) return <Failure retry={orders.refetch} />;
  if (orders.data === undefined) return <Loading />;
  const bought = orders.data.pages.flatMap((page) => page.orders);
  if (bought.length === 0) return <p>There are no orders yet.</p>;
  return (
    <>
      <ul class="orders">
        {bought.map(({ number, completed_at, display_total, total_quantity, shipment_state, state }) => (
          <li key={number}>
            <Link href={`/orders/${number}`}>{number}</Link>
            <span>{new Date(completed_at ?? '').toLocaleDateString()}</span>
            <span>
              {total_quantity} {total_quantity === 1 ? 'item' : 'items'}
            </span>
            <span>{describeProgress(state, shipment_state)}</span>
            <span class="line-amount">{display_total}</span>
          </li>
        ))}
      </ul>
      {orders.hasNextPage && (
        <button
          type="button"
          class="button-quiet more"
          disabled={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >
          {orders.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </button>
      )}
    </>
  );
}

const PROGRESS: Readonly<Record<string, string>> = {
  canceled: 'Canceled',
  awaiting_return: 'Return expected',
  returned: 'Returned',
  shipped: 'Shipped',
  partial: 'Partly shipped',
};

const describeProgress = (state: string, shipmentState: string | null): string =>
  PROGRESS[state] ?? PROGRESS[shipmentState ?? ''] ?? 'In progress';
