import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { Link } from 'wouter-preact';
import { store } from '../office';
import { LISTS, ordersQuery, type ListName } from '../orders';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';
import { dateOf, inWords } from '../words';

const DAYS = 30;
const DAY_MS = 86_400_000;
const TASKS: readonly ListName[] = ['ship', 'pay', 'wait', 'owe', 'back'];

const ORDER_COLUMNS: readonly Column[] = [
  ...[{ name: 'Order' }, { name: 'Bought' }, { name: 'Customer' }, { name: 'Delivery' }],
  { name: 'Total', isNumber: true },
];
const SALES_COLUMNS: readonly Column[] = [
  ...[{ name: 'Day' }, { name: 'Orders', isNumber: true }, { name: 'Units', isNumber: true }],
  { name: 'Total', isNumber: true },
];

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** What is to be done today, and how the last month went. */
export function Dashboard() {
  const latest = useQuery(ordersQuery('all', '', 1, 8));
  return (
    <>
      <h1>Dashboard</h1>
      <ul class="tasks">
        {TASKS.map((list) => (
          <Task key={list} list={list} />
        ))}
      </ul>
      <Sales />
      <section class="box">
        <h2>Latest orders</h2>
        <Loaded query={latest}>
          {({ orders }) => (
            <Table columns={ORDER_COLUMNS}>
              {orders.map((order) => (
                <tr key={order.number}>
                  <th scope="row">
                    <Link href={`/orders/${order.number}`}>{order.number}</Link>
                  </th>
                  <td>{dateOf(order.completed_at)}</td>
                  <td>{order.email}</td>
                  <td>{inWords(order.shipment_state)}</td>
                  <td class="number">{order.display_total}</td>
                </tr>
              ))}
            </Table>
          )}
        </Loaded>
      </section>
    </>
  );
}

function Task({ list }: { list: ListName }) {
  const { data, isError } = useQuery(ordersQuery(list, '', 1, 1));
  return (
    <li>
      <Link href={`/orders?list=${list}`}>
        <strong>{isError ? '–' : (data?.total_count ?? '…')}</strong>
        {LISTS[list].name}
      </Link>
    </li>
  );
}

/** The sales of the last days as bars, and as a table. */
function Sales() {
  const from = dayOf(Date.now() - (DAYS - 1) * DAY_MS);
  const query = useQuery({
    queryKey: ['sales', from],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/reports/sales', { params: { query: { from, group_by: 'day' } } })))
        .rows,
  });
  const days = Array.from({ length: DAYS }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
  return (
    <section class="box">
      <h2>Sales of {DAYS} days</h2>
      <Loaded query={query}>
        {(rows) => {
          const byDay = new Map(rows.map((row) => [row.group, row]));
          // For the height of the bars only.
          const heights = days.map((day) => Number(byDay.get(day)?.total ?? 0));
          const highest = Math.max(1, ...heights);
          return (
            <>
              <svg
                class="bars"
                viewBox={`0 0 ${DAYS * 10} 100`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                {heights.map((height, index) => (
                  <rect
                    key={days[index]}
                    x={index * 10 + 1}
                    y={100 - (96 * height) / highest}
                    width="8"
                    height={(96 * height) / highest}
                    rx="1"
                  >
                    <title>{`${days[index]}: ${byDay.get(days[index] ?? '')?.total ?? '0'}`}</title>
                  </rect>
                ))}
              </svg>
              <details>
                <summary>As a table</summary>
                <Table columns={SALES_COLUMNS}>
                  {rows.map(({ group, orders, units, total }) => (
                    <tr key={group}>
                      <th scope="row">{group}</th>
                      <td class="number">{orders}</td>
                      <td class="number">{units}</td>
                      <td class="number">{total}</td>
                    </tr>
                  ))}
                </Table>
              </details>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
