import { useInfiniteQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useShop } from '../shop';
import { dayOf, describeProgress } from '../words';
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
        {bought.map((order) => (
          <li key={order.number}>
            <Link href={`/orders/${order.number}`}>{order.number}</Link>
            <span>{dayOf(order.completed_at ?? '')}</span>
            <span>
              {order.total_quantity} {order.total_quantity === 1 ? 'item' : 'items'}
            </span>
            <span>{describeProgress(order)}</span>
            <span class="line-amount">{order.display_total}</span>
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
