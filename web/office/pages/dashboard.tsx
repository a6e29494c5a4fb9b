import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useMay } from '../access';
import { store } from '../office';
import { firstOrdersQuery, LISTS, type ListName } from '../orders';
import { Bars } from '../parts/bars';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';
import { moneyOf } from '../words';
import { ORDER_COLUMNS } from './orders';

const DAYS = 30;
const DAY_MS = 86_400_000;
const TASKS: readonly ListName[] = ['ship', 'pay', 'wait', 'owe', 'back'];
const LATEST = ['Order', 'Bought', 'Customer', 'Delivery', 'Total'];

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** What is to be done today, and how the last month went. */
export function Dashboard() {
  const may = useMay();
  return (
    <>
      <h1>Dashboard</h1>
      <ul class="tasks">
        {may('orders:read') && TASKS.map((list) => <OrderTask key={list} list={list} />)}
        {may('orders:read') && <RequestedReturns />}
        {may('events:read') && <FailedWebhooks />}
      </ul>
      {may('reports:read') && <Sales />}
      {may('orders:read') && <LatestOrders />}
      {!may('orders:read') && !may('reports:read') && (
        <p class="notice">Choose an area of your work in the navigation.</p>
      )}
    </>
  );
}

function LatestOrders() {
  const latest = useQuery(firstOrdersQuery('all', 8));
  return (
    <section class="box">
      <h2>Latest orders</h2>
      <Loaded query={latest}>
        {({ rows }) => (
          <Table
            name="Latest orders"
            columns={ORDER_COLUMNS.filter(({ name }) => LATEST.includes(name))}
            rows={rows}
            keyOf={({ number }) => number}
          />
        )}
      </Loaded>
    </section>
  );
}

function OrderTask({ list }: { list: ListName }) {
  const { data, isError } = useQuery(firstOrdersQuery(list, 1));
  return (
    <Task href={`/orders?list=${list}`} name={LISTS[list].name} count={data?.total_count} isError={isError} />
  );
}

function RequestedReturns() {
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

/** The webhooks that the store has paused, because their receivers failed for days. */
function FailedWebhooks() {
  const { data, isError } = useQuery({
    queryKey: ['paused-webhooks'],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/webhooks', { params: { query: { per_page: 100 } } }))).webhooks.filter(
        ({ paused_reason }) => paused_reason !== null,
      ).length,
  });
  if (data === 0) return null;
  return <Task href="/settings/webhooks" name="Paused webhooks" count={data} isError={isError} />;
}

interface TaskProps {
  href: string;
  name: string;
  count: number | undefined;
  isError: boolean;
}

const Task = ({ href, name, count, isError }: TaskProps) => (
  <li>
    <Link href={href}>
      <strong>{isError ? '–' : (count ?? '…')}</strong>
      {name}
    </Link>
  </li>
);

interface Day {
  group: string;
  orders: number;
  units: number;
  total: string;
}

const salesColumns = (currency: string): Column<Day>[] => [
  { name: 'Day', cell: ({ group }) => group },
  { name: 'Orders', isNumber: true, cell: ({ orders }) => orders },
  { name: 'Units', isNumber: true, cell: ({ units }) => units },
  { name: 'Total', isNumber: true, cell: ({ total }) => moneyOf(total, currency) },
];

/** The sales of the last days as bars, and as a table. */
function Sales() {
  const from = dayOf(Date.now() - (DAYS - 1) * DAY_MS);
  const query = useQuery({
    queryKey: ['sales', from],
    queryFn: () =>
      unwrap(store.GET('/api/v1/reports/sales', { params: { query: { from, group_by: 'day' } } })),
  });
  const days = Array.from({ length: DAYS }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
  return (
    <section class="box">
      <h2>Sales of {DAYS} days</h2>
      <Loaded query={query}>
        {({ rows, totals, currency }) => {
          const byDay = new Map(rows.map((row) => [row.group, row]));
          return (
            <>
              <p class="quiet">
                {totals.orders} orders, {moneyOf(totals.total, currency)}
              </p>
              <Bars
                values={days.map((day) => ({ name: day, amount: byDay.get(day)?.total ?? '0' }))}
                currency={currency}
              />
              <details>
                <summary>As a table</summary>
                <Table
                  name="Sales"
                  columns={salesColumns(currency)}
                  rows={rows.map((row) => ({ ...row, group: row.group ?? '' }))}
                  keyOf={({ group }) => group}
                />
              </details>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
