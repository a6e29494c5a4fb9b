import type { Deps } from '../context';
import { Unavailable, type FieldErrors } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { subtract, sum, sumOf, toAmount, toDecimal, type Amount } from '../../platform/money';
import { isRefused } from '../../platform/state-machine';
import type { OrderGraph } from '../order/order-graph';
import { paymentTotal } from '../order/order-totals';
import type { Cause } from '../order/state-changes.repository';
import type { OrderRow } from '../order/orders.repository';
import type { PaymentQuestion } from './payment-operations.repository';
import {
  decidePayment,
  recordPaymentAnswer,
  settle,
  startOperation,
  startOperations,
  type Start,
} from './payment-processing';
import { lockPayments } from './payments.repository';

/** What is to be done next about the payments of an order that is being completed. */
export type NextPayment =
  | { ask: PaymentQuestion }
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
export async function startNextPayment(
  tx: Tx,
  order: Pick<OrderGraph, 'state' | 'total' | 'payments'>,
  cause: Cause,
): Promise<NextPayment> {
  const { payments } = order;
  const next = payments.find(({ state, method_type }) => state === 'checkout' && method_type === 'gateway');
  if (next === undefined || coveredBy(payments) >= toAmount(order.total)) return { done: true };
  const event = next.auto_capture ? 'purchase' : 'authorize';
  const decision = decidePayment(next, event, order);
  if (isRefused(decision)) return { refused: decision.refused };
  const { calls, through } = decision;
  if (calls === null) throw new Error(`${event} asks no gateway`);
  const start = { payment: next, event, kind: calls, through, amount: next.amount } as const;
  return { ask: await startOperation(tx, start, { ...cause, purpose: 'complete_order' }) };
}

/** What is taken, less what was given back, and what is authorized. */
function coveredBy(payments: OrderGraph['payments']): Amount {
  const money = payments.map(({ state, amount, refunded }) => ({
    state,
    amount: toAmount(amount),
    refunded: toAmount(refunded),
  }));
  const authorized = money.filter(({ state }) => state === 'pending');
  return sum(
    paymentTotal(money),
    sumOf(authorized, ({ amount }) => amount),
  );
}

/**
 * Starts what canceling an order asks of its gateways: what was taken or authorized is voided, of what was partly
 * refunded the rest is credited. Expects the order locked and its new state in `order`.
 * @returns the questions for `settleCanceledPayments`, to be asked after the commit
 */
export async function startCancelingPayments(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'state'>,
  cause: Cause,
): Promise<PaymentQuestion[]> {
  const payments = await lockPayments(tx, order.id);
  const starts = payments.flatMap((payment): Start[] => {
    const decision = decidePayment(payment, 'cancel', order);
    if (isRefused(decision) || decision.calls === null) return [];
    const left = subtract(toAmount(payment.amount), toAmount(payment.refunded));
    // What was refunded to the last cent has nothing left to be given back.
    if (decision.calls === 'credit' && left <= 0n) return [];
    const amount = decision.calls === 'credit' ? toDecimal(left) : payment.amount;
    return [{ payment, event: 'cancel', kind: decision.calls, through: decision.through, amount }];
  });
  return startOperations(tx, starts, { ...cause, purpose: 'cancel_order' });
}

/**
 * Asks for and records what `startCancelingPayments` started. A gateway that refuses leaves its payment as it was and the
 * order owing the money (credit_owed); one that keeps silent leaves it `processing`, for the settling job. Neither is
 * the caller's fault, as the order is canceled all the same.
 */
export async function settleCanceledPayments(
  deps: Deps,
  questions: readonly PaymentQuestion[],
): Promise<void> {
  for (const question of questions) {
    try {
      await settle(deps, question, recordPaymentAnswer);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
