import type { FieldErrors } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { sum, sumOf, toAmount, type Amount } from '../../platform/money';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { calculatePaymentTotal } from '../order/order-totals';
import type { Cause } from '../order/state-changes.repository';
import { performOnPaymentLast, type StartOperation } from './start-payment';

/** The next step in paying for an order that is being completed. */
export type NextPayment =
  | { start: StartOperation }
  /** The total is captured or authorized, or no payment is left that a gateway could charge. */
  | { done: true }
  /** The payment cannot be charged; nothing was written. */
  | { refused: FieldErrors };

/**
 * Starts the next payment of an order that is being completed: authorizes the oldest payment in `checkout` that has a
 * gateway, or purchases it if `auto_capture` is set, unless the order is covered. `start` stores its operation, as the
 * last statement of the transaction. Record its result, under the purpose `complete_order`, before calling this again.
 * Checks stay in `checkout`. Expects the order locked, and its total and payments up to date.
 */
export async function startNextPayment(tx: Tx, order: LockedOrderGraph, cause: Cause): Promise<NextPayment> {
  const { payments } = order;
  const next = payments.find(({ state, method_type }) => state === 'checkout' && method_type === 'gateway');
  if (next === undefined || calculateCoveredAmount(payments) >= toAmount(order.total)) return { done: true };
  const event = next.auto_capture ? 'purchase' : 'authorize';
  const paymentCause = { ...cause, purpose: 'complete_order' } as const;
  const ending = await performOnPaymentLast(tx, event, { payment: next, order }, paymentCause);
  if (ending.ended === 'refused') return { refused: ending.errors };
  if (ending.ended !== 'calls') throw new Error(`${event} calls no gateway`);
  return { start: ending.start };
}

/** Returns the captured amounts less their refunds, plus the authorized amounts. */
function calculateCoveredAmount(payments: OrderGraph['payments']): Amount {
  const money = payments.map(({ state, amount, refunded }) => ({
    state,
    amount: toAmount(amount),
    refunded: toAmount(refunded),
  }));
  const authorized = money.filter(({ state }) => state === 'pending');
  return sum(
    calculatePaymentTotal(money),
    sumOf(authorized, ({ amount }) => amount),
  );
}
