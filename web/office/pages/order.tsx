import { useQuery } from '@tanstack/preact-query';
import type { Order } from 'store-api-client';
import { Link } from 'wouter-preact';
import { Totals } from '../../shared/totals';
import { Addresses } from '../order/addresses';
import { Adjustments } from '../order/adjustments';
import { Lines } from '../order/lines';
import { Notes } from '../order/notes';
import { OrderActions } from '../order/order-actions';
import { orderQuery, type ShownOrder } from '../order/order-query';
import { Parcels } from '../order/parcels';
import { Payments } from '../order/payments';
import { Documents, History } from '../order/records';
import { Returns } from '../order/returns';
import { Loaded } from '../parts/loaded';
import { balanceOf } from '../rules/balance';
import { dateOf, describePayment, inWords, moneyOf } from '../words';

/** Why an order is risky, and what to do about it. */
const Risk = ({ order: { payments } }: { order: Order }) => (
  <p class="notice notice-bad">
    Risky:{' '}
    {payments.some(({ state }) => state === 'failed')
      ? 'a payment has failed.'
      : 'the bank of the buyer did not confirm the address or the security code of the card.'}{' '}
    Check the buyer before you ship, then approve the order or cancel it.
  </p>
);

/** How much is paid, where that is not the total. */
function Paid({ order }: { order: Order }) {
  const { payment_total, currency } = order;
  const balance = balanceOf(order);
  return (
    balance !== null && (
      <p class="quiet">
        {moneyOf(payment_total, currency)} paid, {moneyOf(balance.amount, currency)}{' '}
        {balance.isDue ? 'due' : 'to refund'}
      </p>
    )
  );
}

/** A state of the order, with what it is about; nothing before the order has it. */
const State = ({ of, state }: { of: string; state: string }) =>
  state !== '' && (
    <span class="mark">
      <span class="quiet">{of}</span> {state}
    </span>
  );

/** One order on one page: lines, money, parcels, returns, documents and history, with what can be done next. */
export function OrderPage({ number }: { number: string }) {
  const query = useQuery(orderQuery(number));
  return <Loaded query={query}>{(shown) => <LoadedOrder {...shown} />}</Loaded>;
}

function LoadedOrder(shown: ShownOrder) {
  const { order } = shown;
  const { number, completed_at, payment_state, payments } = order;
  const isAuthorized = payments.some(({ state }) => state === 'pending');
  return (
    <>
      <p class="crumb">
        <Link href="/orders">Orders</Link>
      </p>
      <div class="title">
        <h1>Order {number}</h1>
        <span class="mark">{inWords(order.state)}</span>
        <State of="Payment" state={describePayment(payment_state, isAuthorized)} />
        <State of="Delivery" state={inWords(order.shipment_state)} />
        {order.considered_risky && <span class="mark mark-bad">Risky</span>}
      </div>
      <p class="quiet">
        {completed_at === null ? 'Not bought yet' : `Bought ${dateOf(completed_at)}`} · {order.email}
      </p>
      {order.considered_risky && <Risk order={order} />}
      <div class="columns">
        <div>
          <Lines {...shown} />
          <Parcels order={order} />
          <Payments order={order} />
          <Returns order={order} />
          <History number={number} />
        </div>
        <aside>
          <section class="box">
            <Totals order={order} />
            <Paid order={order} />
            {completed_at !== null && (
              <div class="actions">
                <Adjustments {...shown} />
                <OrderActions {...shown} />
              </div>
            )}
          </section>
          <Notes {...shown} />
          <Addresses {...shown} />
          {completed_at !== null && <Documents number={number} />}
        </aside>
      </div>
    </>
  );
}
