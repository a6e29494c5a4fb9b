import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useMay } from '../access';
import { store } from '../office';
import { firstOrdersQuery, type ListName } from '../orders';
import { Bars } from '../parts/bars';
import { FirstSteps } from '../parts/first-steps';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';
import { FailingWebhooks, LowStock, OrderTask, RequestedReturns, UndeliveredMails } from '../parts/tasks';
import { configQuery } from '../queries';
import { addDays, dayIn, fillDays, nameDays } from '../rules/report-days';
import { countOf, moneyOf } from '../words';
import { ORDER_COLUMNS } from './orders';

const DAYS = 30;
const TASKS: readonly ListName[] = ['ship', 'pay', 'wait', 'owe', 'back'];
const LATEST = ['Order', 'Bought', 'Customer', 'Delivery', 'Total'];

/** What is to be done today, and how the last month went. */
export function Dashboard() {
  const may = useMay();
  return (
    <>
      <h1>Dashboard</h1>
      <ul class="tasks">
        {may('orders:read') && TASKS.map((list) => <OrderTask key={list} list={list} />)}
        {may('orders:read') && <RequestedReturns />}
        {may('stock:read') && <LowStock />}
        {may('events:read') && <FailingWebhooks />}
        {may('settings:read') && <UndeliveredMails />}
      </ul>
      {may('orders:read') && may('settings:read') && may('stock:read') && <FirstSteps />}
      {may('reports:read') && <Sales />}
      {may('orders:read') && <LatestOrders />}
      {!may('orders:read') && !may('reports:read') && !may('stock:read') && (
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
        {({ rows }) =>
          rows.length === 0 ? (
            <p class="quiet">None yet.</p>
          ) : (
            <Table
              name="Latest orders"
              columns={ORDER_COLUMNS.filter(({ name }) => LATEST.includes(name))}
              rows={rows}
              keyOf={({ number }) => number}
            />
          )
        }
      </Loaded>
    </section>
  );
}

interface Day {
  group: string;
  orders: number;
  units: number;
  total: string;
}

const salesColumns = (currency: string): Column<Day>[] => [
  { name: 'Day', cell: ({ group }) => nameDays(group) },
  { name: 'Orders', isNumber: true, cell: ({ orders }) => orders },
  { name: 'Units', isNumber: true, cell: ({ units }) => units },
  { name: 'Total', isNumber: true, cell: ({ total }) => moneyOf(total, currency) },
];

function Sales() {
  const { data: config } = useQuery(configQuery);
  return config === undefined ? null : <SalesUntil to={dayIn(config.time_zone, Date.now())} />;
}

/** The sales of the last days as bars, and as a table. */
function SalesUntil({ to }: { to: string }) {
  const from = addDays(to, 1 - DAYS);
  const query = useQuery({
    queryKey: ['sales', from],
    queryFn: () =>
      unwrap(store.GET('/api/v1/reports/sales', { params: { query: { from, group_by: 'day' } } })),
  });
  return (
    <section class="box">
      <h2>Sales of {DAYS} days</h2>
      <Loaded query={query}>
        {({ rows, totals, currency }) => {
          if (totals.orders === 0) return <p class="quiet">None yet.</p>;
          const days = fillDays<Day>(
            rows.map((row) => ({ ...row, group: row.group ?? '' })),
            { from, to },
            (group) => ({ group, orders: 0, units: 0, total: '0' }),
          );
          return (
            <>
              <p class="quiet">
                {countOf(totals.orders, 'order')} in {currency}, {moneyOf(totals.total, currency)}.{' '}
                <Link href="/reports">All reports</Link>
              </p>
              <Bars
                values={days.map(({ group, total }) => ({ name: nameDays(group), amount: total }))}
                currency={currency}
              />
              <details>
                <summary>As a table</summary>
                <Table
                  name="Sales"
                  columns={salesColumns(currency)}
                  rows={days}
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
