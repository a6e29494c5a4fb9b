import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { LISTS, ordersQuery, toListName, type ListName } from '../orders';
import { Loaded } from '../parts/loaded';
import { Pager } from '../parts/pager';
import { dateOf, inWords } from '../words';

const PAUSE_MS = 250;

/** The orders. What is shown stands in the address, so that it can be kept as a bookmark. */
export function Orders() {
  const [, go] = useLocation();
  const params = new URLSearchParams(useSearch());
  const list = toListName(params.get('list'));
  const search = params.get('search') ?? '';
  const page = Number(params.get('page')) || 1;
  const [text, setText] = useState(search);
  const show = (wanted: { list?: ListName; search?: string; page?: number }): void => {
    const next = { list, search, page: 1, ...wanted };
    const query = new URLSearchParams({
      ...(next.list !== 'all' && { list: next.list }),
      ...(next.search !== '' && { search: next.search }),
      ...(next.page > 1 && { page: String(next.page) }),
    });
    go(`/orders?${query.toString()}`, { replace: wanted.search !== undefined });
  };
  useEffect(() => {
    if (text.trim() === search) return undefined;
    const timer = setTimeout(() => show({ search: text.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const query = useQuery({ ...ordersQuery(list, search, page), placeholderData: keepPreviousData });
  return (
    <>
      <h1>Orders</h1>
      <div class="tools">
        <nav class="tabs" aria-label="Lists">
          {Object.entries(LISTS).map(([name, { name: title }]) => (
            <Link
              key={name}
              href={name === 'all' ? '/orders' : `/orders?list=${name}`}
              {...(name === list && { 'aria-current': 'page' })}
            >
              {title}
            </Link>
          ))}
        </nav>
        <input
          type="search"
          aria-label="Find orders"
          placeholder="Number, e-mail, name, phone, SKU, tracking, invoice"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Loaded query={query}>
        {({ orders, pages, total_count }) => (
          <>
            <div class="table-box">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Order</th>
                    <th scope="col">Bought</th>
                    <th scope="col">Customer</th>
                    <th scope="col">Units</th>
                    <th scope="col">Order state</th>
                    <th scope="col">Payment</th>
                    <th scope="col">Delivery</th>
                    <th scope="col" class="number">
                      Total
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {orders.map((order) => (
                    <tr key={order.number}>
                      <th scope="row">
                        <Link href={`/orders/${order.number}`}>{order.number}</Link>
                        {order.considered_risky && <span class="mark mark-bad">Risky</span>}
                      </th>
                      <td>{dateOf(order.completed_at)}</td>
                      <td>{order.email}</td>
                      <td>{order.total_quantity}</td>
                      <td>{inWords(order.state)}</td>
                      <td>{inWords(order.payment_state)}</td>
                      <td>{inWords(order.shipment_state)}</td>
                      <td class="number">{order.display_total}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {orders.length === 0 && <p class="notice">There are none.</p>}
            <Pager
              page={page}
              pages={pages}
              total={total_count}
              onPage={(wanted) => show({ page: wanted })}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
