import type { Tx } from '../../platform/database/transaction';
import type { PaymentGraph } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import type { PaymentEvent } from '../order/payment.machine';
import type { GatewayResult } from './gateways/gateway';
import { isCharge } from './call-gateway';
import type { OrderDraft } from '../order-updater/order-draft';
import type { GatewayRequest } from './gateway-request';
import { CANCELLATION } from './own-reasons';
import { buildCause } from './record-result';
import { performOnPayment, type PaymentEnding } from './start-payment';
import { addUnreturned } from './unreturned-payments';

/** A result of one payment. */
interface Received {
  request: GatewayRequest;
  result: GatewayResult;
}

/** Starts what follows from a recorded result, in the draft that has it. `request` is the next one, or null. */
export type FollowUp = (
  tx: Tx,
  draft: OrderDraft,
  received: Received,
) => Promise<{ draft: OrderDraft; request: GatewayRequest | null }>;

/** Returns the request of a performed event. */
export function pickRequest({ draft, ending }: { draft: OrderDraft; ending: PaymentEnding }) {
  return { draft, request: ending.ended === 'calls' ? ending.request : null };
}

/** Returns whether something follows from a result of one payment. */
function needsContinuation(order: LockedOrder, received: Received): boolean {
  return isSettledSale(received) || takesFromCanceledOrder(order, received) || leavesRest(order, received);
}

/** A void is declined because the money has already moved. */
function isSettledSale({ request, result }: Received): boolean {
  return request.kind === 'void' && !result.approved && result.is_settled === true;
}

/** The provider refuses to give back what it has taken after the charge was given up. */
function keepsLateCharge({ request, result }: Received): boolean {
  return request.event === 'return_settled' && !result.approved;
}

/** The gateway has decided after the order was canceled. */
function takesFromCanceledOrder(order: LockedOrder, { request, result }: Received): boolean {
  const takes = isCharge(request) || request.kind === 'capture';
  return order.state === 'canceled' && takes && result.approved;
}

/** The order was canceled while a credit waited: the cancellation could not give back what is left of the payment. */
function leavesRest({ state, canceled_at }: LockedOrder, { request }: Received): boolean {
  const isEarlier = canceled_at !== null && request.started_at < canceled_at;
  return state === 'canceled' && request.kind === 'credit' && isEarlier;
}

/** Returns the event that gives back what is left to give back. */
function decideEvent(order: LockedOrder, payment: PaymentGraph, received: Received): PaymentEvent {
  if (isSettledSale(received)) return payment.state === 'failed' ? 'return_settled' : 'credit';
  return leavesRest(order, received) ? 'cancel' : 'void';
}

/**
 * Starts what follows from a result of one payment: what can no longer be voided is credited, and what a canceled order
 * has received is given back. A late charge that cannot be given back becomes a payment of its order.
 */
export const continuePayment: FollowUp = async (tx, draft, received) => {
  const payment = draft.order.payments.find(({ id }) => id === received.request.payment_id);
  if (payment === undefined) return { draft, request: null };
  if (keepsLateCharge(received)) {
    const { request } = received;
    const cause = { ...buildCause(request), reason: 'refund of a late charge failed at the provider' };
    return { draft: addUnreturned(draft, { refunded: payment, refund: request }, cause), request: null };
  }
  if (!needsContinuation(draft.order, received)) return { draft, request: null };
  const event = decideEvent(draft.order, payment, received);
  const isCanceled = draft.order.state === 'canceled';
  const cause = buildCause(received.request);
  const act = { event, purpose: 'payment', cause } as const;
  const subject = { payment, ...(isCanceled && { reason: CANCELLATION }) };
  return pickRequest(await performOnPayment(tx, draft, act, subject));
};
