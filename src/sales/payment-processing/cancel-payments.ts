import type { Deps } from '../context';
import { Unavailable } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { subtract, toAmount, toDecimal } from '../../platform/money';
import type { LockedOrder } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';
import { findCanceledPayments, type GatewayRequest } from './payment-operations.repository';
import { buildCause } from './record-result';
import { buildRecorder, processOperation, recordPaymentResult, type FollowUp } from './process-operation';
import { performOnPayment, performOnPayments, type PaymentEnding } from './start-payment';
import { decideVoidScope } from './void-scope.rules';
import { lockPayments, type LockedPayment } from './payments.repository';

/*
 * Cancels the payments of an order that is canceled or emptied. Each authorization is voided once: of several payments
 * that share one (rests of partial captures), the captured one is voided, and the others follow its result. If a part
 * of the authorization has been refunded, each capture is voided or credited by itself, and the remainder once.
 */

/**
 * Starts canceling the payments of an order: captured and authorized payments are voided, and the rest of partly
 * refunded ones is credited. Completed checks stay.
 * @returns the requests, for `processCancellations` after the commit
 */
export async function startCancellations(
  tx: Tx,
  order: LockedOrder,
  cause: Cause,
): Promise<GatewayRequest[]> {
  const payments = await lockPayments(tx, order);
  const subjects = payments
    .filter((payment) => findLeader(payments, payment) === payment)
    .map((payment) => ({ payment, order }));
  const endings = await performOnPayments(tx, 'cancel', subjects, { ...cause, purpose: 'cancel_order' });
  return listRequests(endings);
}

/**
 * Starts voiding the open authorizations of an order that was emptied.
 * @returns the requests, for `processCancellations` after the commit
 */
export async function startVoidingAuthorizations(
  tx: Tx,
  order: LockedOrder,
  cause: Cause,
): Promise<GatewayRequest[]> {
  const open = (await lockPayments(tx, order)).filter(({ state }) => state === 'pending');
  const subjects = open.map((payment) => ({ payment, order }));
  return listRequests(await performOnPayments(tx, 'void', subjects, { ...cause, purpose: 'payment' }));
}

function listRequests(endings: readonly PaymentEnding[]): GatewayRequest[] {
  return endings.flatMap((ending) => (ending.ended === 'calls' ? [ending.request] : []));
}

/** Returns whether canceling an order would void this payment. */
function isVoidable({ state, method_type }: LockedPayment): boolean {
  return state === 'completed' ? method_type === 'gateway' : state === 'pending';
}

/** Returns the payment that is voided for all that share its authorization; itself if it shares none. */
function findLeader(payments: readonly LockedPayment[], payment: LockedPayment): LockedPayment {
  if (!isVoidable(payment) || payment.response_code === null) return payment;
  const parts = payments.filter(
    (other) => other.response_code === payment.response_code && hasSameRoot(other, payment),
  );
  const sharing = parts.filter(isVoidable);
  if (parts.some(({ refunds }) => refunds.length > 0)) {
    if (payment.state === 'completed') return payment;
    return sharing.find(({ state }) => state === 'pending') ?? payment;
  }
  return sharing.find(({ state }) => state === 'completed') ?? sharing[0] ?? payment;
}

/** Returns whether two payments are parts of one authorization. */
function hasSameRoot(one: LockedPayment, other: LockedPayment): boolean {
  return (one.authorized_payment_id ?? one.id) === (other.authorized_payment_id ?? other.id);
}

/**
 * Continues a cancellation. A void of a captured payment also ends the others of its authorization. If the sale is
 * settled, the payment is credited instead, and then the others are canceled one by one.
 */
const continueCancellation: FollowUp = async (tx, order, { request, result }) => {
  const payments = await lockPayments(tx, order);
  const canceled = payments.find(({ id }) => id === request.payment_id);
  if (canceled === undefined || request.state_before !== 'completed') return null;
  const sharing = payments.filter((other) => isVoidable(other) && hasSameRoot(other, canceled));
  const cause = { ...buildCause(request), purpose: 'cancel_order' } as const;
  const isSaleVoided = result.approved && request.kind === 'void' && decideVoidScope(request) === 'sale';
  if (isSaleVoided) {
    const released = sharing
      .filter(({ response_code }) => response_code !== null && response_code === request.response_code)
      .map((payment) => ({ payment, order }));
    await performOnPayments(tx, 'release', released, cause);
    return null;
  }
  if (request.kind === 'void' && !result.approved && result.is_settled === true) {
    const amount = toDecimal(subtract(toAmount(canceled.amount), toAmount(canceled.refunded)));
    const credit = { payment: canceled, order, amount, reason: cause.reason };
    return getRequest(await performOnPayment(tx, 'credit', credit, cause));
  }
  if (request.kind === 'void' && !result.approved) return null;
  const started = await findCanceledPayments(tx, order);
  const next = sharing.find(({ id }) => !started.has(id));
  return next === undefined
    ? null
    : getRequest(await performOnPayment(tx, 'cancel', { payment: next, order }, cause));
};

function getRequest(ending: PaymentEnding): GatewayRequest | null {
  return ending.ended === 'calls' ? ending.request : null;
}

/** Records the result of a cancellation, and continues with what follows from it. */
export const recordCancellationResult = buildRecorder(continueCancellation, () => true);

/**
 * Calls the gateways for the requests of `startCancellations` or `startVoidingAuthorizations` and records the results.
 * A declined payment stays as it was, and a canceled order owes the money (`credit_owed`). If a gateway does not
 * respond, the payment stays `processing` for the settling job. Neither is an error of the request: the order is
 * canceled or empty.
 */
export async function processCancellations(deps: Deps, requests: readonly GatewayRequest[]): Promise<void> {
  for (const request of requests) {
    const record = request.purpose === 'cancel_order' ? recordCancellationResult : recordPaymentResult;
    try {
      await processOperation(deps, request, record);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
