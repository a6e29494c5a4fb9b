import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useListAddress } from '../list-address';
import { LISTS, ordersQuery, toListName } from '../orders';
import { List, SearchField } from '../parts/list';
import type { Column } from '../parts/table';
import { dateOf, inWords } from '../words';

const COLUMNS: readonly Column[] = [
  ...[{ name: 'Order' }, { name: 'Bought' }, { name: 'Customer' }, { name: 'Units' }],
  ...[{ name: 'Order state' }, { name: 'Payment' }, { name: 'Delivery' }, { name: 'Total', isNumber: true }],
];

/** The orders: lists of what is to be done, and a search. */
export function Orders() {
  const address = useListAddress('/orders');
  const { search, page } = address;
  const list = toListName(address.filter('list'));
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
        <SearchField
          address={address}
          name="Find orders"
          placeholder="Number, e-mail, name, phone, SKU, tracking, invoice"
        />
      </div>
      <List query={query} address={address} columns={COLUMNS}>
        {({ orders }) =>
          orders.map((order) => (
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
          ))
        }
      </List>
    </>
  );
}
