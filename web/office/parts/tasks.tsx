import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { firstOrdersQuery, LISTS, type ListName } from '../orders';
import { locationsQuery, undeliveredMailsQuery } from '../queries';
import { useLowStock } from '../stock';

interface TaskProps {
  href: string;
  name: string;
  count: number | undefined;
  isError: boolean;
}

/** How much there is of something to do, as a link to it. */
const Task = ({ href, name, count, isError }: TaskProps) => (
  <li>
    <Link href={href}>
      <strong>{isError ? '–' : (count ?? '…')}</strong>
      {name}
    </Link>
  </li>
);

/** A trouble to look after: a task that is shown only if there is one. */
const Trouble = (props: TaskProps) => (props.count === 0 ? null : <Task {...props} />);

export function OrderTask({ list }: { list: ListName }) {
  const { data, isError } = useQuery(firstOrdersQuery(list, 1));
  return (
    <Task href={`/orders?list=${list}`} name={LISTS[list].name} count={data?.total_count} isError={isError} />
  );
}

export function RequestedReturns() {
  const { data, isError } = useQuery({
    queryKey: ['requested-returns'],
    queryFn: () =>
      unwrap(
        store.GET('/api/v1/return_authorizations', {
          params: { query: { q: { state_eq: 'requested' }, per_page: 1 } },
        }),
      ),
  });
  return (
    <Task
      href="/returns?state=requested"
      name="Return requests"
      count={data?.total_count}
      isError={isError}
    />
  );
}

/** The stock items below the threshold of the store, by active location that has some. */
export function LowStock() {
  const { data: locations = [] } = useQuery(locationsQuery);
  const active = locations.filter((location) => location.active);
  return (
    <>
      {active.map(({ id, name }) => (
        <LowStockAt key={id} location={id} name={active.length === 1 ? 'Low stock' : `Low stock: ${name}`} />
      ))}
    </>
  );
}

function LowStockAt({ location, name }: { location: number; name: string }) {
  const readThreshold = useLowStock();
  const { data, isError } = useQuery({
    queryKey: ['/stock', 'low', location],
    queryFn: async () =>
      unwrap(
        store.GET('/api/v1/stock_locations/{stock_location_id}/stock_items', {
          params: {
            path: { stock_location_id: location },
            query: {
              q: { count_on_hand_lt: await readThreshold(), variant_offered_true: true },
              per_page: 1,
            },
          },
        }),
      ),
  });
  return (
    <Trouble
      href={`/stock?location=${location}&low=1`}
      name={name}
      count={data?.total_count}
      isError={isError}
    />
  );
}

/** The webhooks that the store has paused, and those that it is trying again. */
export function FailingWebhooks() {
  const { data, isError } = useQuery({ queryKey: ['failing-webhooks'], queryFn: countFailingWebhooks });
  return <Trouble href="/settings/webhooks" name="Failing webhooks" count={data} isError={isError} />;
}

async function countFailingWebhooks(): Promise<number> {
  const { webhooks } = await unwrap(store.GET('/api/v1/webhooks', { params: { query: { per_page: 100 } } }));
  const failing = await Promise.all(
    webhooks.map(async ({ id, active, paused_reason }) => {
      if (!active) return paused_reason !== null;
      const { total_count } = await unwrap(
        store.GET('/api/v1/webhooks/{id}/deliveries', {
          params: {
            path: { id },
            // One attempt may still be under way.
            query: { q: { status_eq: 'pending', attempts_gteq: 2 }, per_page: 1 },
          },
        }),
      );
      return total_count > 0;
    }),
  );
  return failing.filter(Boolean).length;
}

export function UndeliveredMails() {
  const { data, isError } = useQuery(undeliveredMailsQuery);
  return (
    <Trouble href="/settings/mails" name="Undelivered mails" count={data?.total_count} isError={isError} />
  );
}
