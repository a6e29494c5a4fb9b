import type { Deps } from '../context';
import { Unavailable, type FieldErrors } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { sum, sumOf, toAmount, type Amount } from '../../platform/money';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import { calculatePaymentTotal } from '../order/order-totals';
import type { Cause } from '../order/state-changes.repository';
import type { GatewayRequest } from './payment-operations.repository';
import { performOnPayment, performOnPayments, recordPaymentResult, processOperation } from './payment-processing';
import { lockPayments } from './payments.repository';

/** What is to be done next about the payments of an order that is being completed. */
export type NextPayment =
  | { request: GatewayRequest }
  /** Its total is taken or authorized, or nothing is left that a gateway could be asked for. */
  | { done: true }
  /** The payment cannot be asked for; nothing was written. */
  | { refused: FieldErrors };

/**
 * The next payment of an order in completion (behaviour 9.5): the oldest one in `checkout` that a gateway takes is
 * authorized, or purchased where auto_capture says so, unless the order is covered. One at a time: each answer is
 * recorded, under the purpose `complete_order`, before this is asked again. Checks stay in `checkout`.
 * Expects the order locked, and its total and payments up to date.
 */
export async function startNextPayment(tx: Tx, order: LockedOrderGraph, cause: Cause): Promise<NextPayment> {
  const { payments } = order;
  const next = payments.find(({ state, method_type }) => state === 'checkout' && method_type === 'gateway');
  if (next === undefined || calculateCoveredAmount(payments) >= toAmount(order.total)) return { done: true };
  const event = next.auto_capture ? 'purchase' : 'authorize';
  const because = { ...cause, purpose: 'complete_order' } as const;
  const ending = await performOnPayment(tx, event, { payment: next, order }, because);
  if (ending.ended === 'refused') return { refused: ending.errors };
  if (ending.ended !== 'calls') throw new Error(`${event} asks no gateway`);
  return { request: ending.request };
}

/** What is taken, less what was given back, and what is authorized. */
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

/**
 * Starts what canceling an order asks of its gateways: what was taken or authorized is voided, of what was partly
 * refunded the rest is credited. Expects the order locked and its new state in `order`.
 * @returns the requests for `settleCanceledPayments`, to be asked after the commit
 */
export async function startCancellations(
  tx: Tx,
  order: LockedOrder,
  cause: Cause,
): Promise<GatewayRequest[]> {
  const payments = await lockPayments(tx, order.id);
  const subjects = payments.map((payment) => ({ payment, order }));
  const endings = await performOnPayments(tx, 'cancel', subjects, { ...cause, purpose: 'cancel_order' });
  return endings.flatMap((ending) => (ending.ended === 'calls' ? [ending.request] : []));
}

/**
 * Asks for and records what `startCancelingPayments` started. A gateway that refuses leaves its payment as it was and the
 * order owing the money (credit_owed); one that keeps silent leaves it `processing`, for the settling job. Neither is
 * the caller's fault, as the order is canceled all the same.
 */
export async function processCancellations(
  deps: Deps,
  requests: readonly GatewayRequest[],
): Promise<void> {
  for (const request of requests) {
    try {
      await processOperation(deps, request, recordPaymentResult);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
