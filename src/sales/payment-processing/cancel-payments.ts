import type { Deps } from '../context';
import { Unavailable } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { subtract, toAmount, toDecimal } from '../../platform/money';
import type { OrderDraft } from '../order-updater/order-draft';
import type { PaymentGraph } from '../order/order-graph';
import type { Cause } from '../order/state-changes.repository';
import { pickRequest, type FollowUp } from './continue-payment';
import type { GatewayRequest } from './gateway-request';
import { findCanceledPayments } from './payment-operations.repository';
import { buildCause } from './record-result';
import { buildRecorder, processOperation, recordPaymentResult } from './process-operation';
import { performOnPayment, performOnPayments, type PaymentAct } from './start-payment';
import { decideVoidScope } from './void-scope.rules';

/*
 * Cancels the payments of an order that is canceled or emptied. Each authorization is voided once: of several payments
 * that share one (rests of partial captures), the captured one is voided, and the others follow its result. If a part
 * of the authorization has been refunded, each capture is voided or credited by itself, and the remainder once.
 */

/** The payments of an order whose cancellation has started, and the requests, for `processCancellations` after the commit. */
export interface StartedCancellations {
  draft: OrderDraft;
  requests: GatewayRequest[];
}

/**
 * Starts canceling the payments of an order: captured and authorized payments are voided, and the rest of partly
 * refunded ones is credited. Completed checks stay.
 */
export async function startCancellations(
  tx: Tx,
  draft: OrderDraft,
  cause: Cause,
): Promise<StartedCancellations> {
  const { payments } = draft.order;
  const leaders = payments.filter((payment) => findLeader(payments, payment) === payment);
  return startCalls(tx, draft, { event: 'cancel', purpose: 'cancel_order', cause }, leaders);
}

/** Starts voiding the open authorizations of an order that was emptied. */
export async function startVoidingAuthorizations(
  tx: Tx,
  draft: OrderDraft,
  cause: Cause,
): Promise<StartedCancellations> {
  const open = draft.order.payments.filter(({ state }) => state === 'pending');
  return startCalls(tx, draft, { event: 'void', purpose: 'payment', cause }, open);
}

async function startCalls(
  tx: Tx,
  draft: OrderDraft,
  act: PaymentAct,
  payments: readonly PaymentGraph[],
): Promise<StartedCancellations> {
  const subjects = payments.map((payment) => ({ payment }));
  const { endings, ...started } = await performOnPayments(tx, draft, act, subjects);
  return {
    ...started,
    requests: endings.flatMap((ending) => (ending.ended === 'calls' ? [ending.request] : [])),
  };
}

/** Returns whether canceling an order would void this payment. */
function isVoidable({ state, method_type }: PaymentGraph): boolean {
  return state === 'completed' ? method_type === 'gateway' : state === 'pending';
}

/** Returns the payment that is voided for all that share its authorization; itself if it shares none. */
function findLeader(payments: readonly PaymentGraph[], payment: PaymentGraph): PaymentGraph {
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
function hasSameRoot(one: PaymentGraph, other: PaymentGraph): boolean {
  return (one.authorized_payment_id ?? one.id) === (other.authorized_payment_id ?? other.id);
}

/**
 * Continues a cancellation. A void of a captured payment also ends the others of its authorization. If the sale is
 * settled, the payment is credited instead, and then the others are canceled one by one.
 */
const continueCancellation: FollowUp = async (tx, draft, { request, result }) => {
  const { payments } = draft.order;
  const canceled = payments.find(({ id }) => id === request.payment_id);
  if (canceled === undefined || request.state_before !== 'completed') return { draft, request: null };
  const sharing = payments.filter((other) => isVoidable(other) && hasSameRoot(other, canceled));
  const act = { purpose: 'cancel_order', cause: buildCause(request) } as const;
  const isSaleVoided = result.approved && request.kind === 'void' && decideVoidScope(request) === 'sale';
  if (isSaleVoided) {
    const released = sharing
      .filter(({ response_code }) => response_code !== null && response_code === request.response_code)
      .map((payment) => ({ payment }));
    const performed = await performOnPayments(tx, draft, { ...act, event: 'release' }, released);
    return { draft: performed.draft, request: null };
  }
  if (request.kind === 'void' && !result.approved && result.is_settled === true) {
    const amount = toDecimal(subtract(toAmount(canceled.amount), toAmount(canceled.refunded)));
    const credit = { payment: canceled, amount, reason: act.cause.reason };
    return pickRequest(await performOnPayment(tx, draft, { ...act, event: 'credit' }, credit));
  }
  if (request.kind === 'void' && !result.approved) return { draft, request: null };
  const started = await findCanceledPayments(tx, draft.order);
  const next = sharing.find(({ id }) => !started.has(id));
  if (next === undefined) return { draft, request: null };
  return pickRequest(await performOnPayment(tx, draft, { ...act, event: 'cancel' }, { payment: next }));
};

/** Records the result of a cancellation, and continues with what follows from it. */
export const recordCancellationResult = buildRecorder(continueCancellation);

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
