import { Link } from 'wouter-preact';
import { LISTS, listOrders, toListName, type ListedOrder } from '../orders';
import { Email } from '../parts/email';
import { ListPage } from '../parts/list';
import type { Column } from '../parts/table';
import { dateOf, describePayment, inWords } from '../words';

export const ORDER_COLUMNS: readonly Column<ListedOrder>[] = [
  {
    name: 'Order',
    cell: ({ number, considered_risky }) => (
      <>
        <Link href={`/orders/${number}`}>{number}</Link>
        {considered_risky && <span class="mark mark-bad">Risky</span>}
      </>
    ),
  },
  { name: 'Bought', isShort: true, cell: ({ completed_at }) => dateOf(completed_at) },
  { name: 'Customer', cell: ({ email }) => <Email email={email} /> },
  { name: 'Units', isNumber: true, cell: ({ total_quantity }) => total_quantity },
  { name: 'Order state', isShort: true, cell: ({ state }) => inWords(state) },
  {
    name: 'Payment',
    isShort: true,
    cell: ({ payment_state, isAuthorized }) => describePayment(payment_state, isAuthorized),
  },
  { name: 'Delivery', isShort: true, cell: ({ shipment_state }) => inWords(shipment_state) },
  { name: 'Total', isNumber: true, cell: ({ display_total }) => display_total },
];

/** The orders: lists of what is to be done, and a search. */
export const Orders = () => (
  <ListPage
    title="Orders"
    path="/orders"
    columns={ORDER_COLUMNS}
    keyOf={({ number }) => number}
    read={listOrders}
    search={{ name: 'Find orders', placeholder: 'Number, name, SKU, tracking …' }}
    tools={({ filter }) => {
      const list = toListName(filter('list'));
      return (
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
      );
    }}
  />
);
