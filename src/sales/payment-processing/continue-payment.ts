import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { GatewayResult } from './gateways/gateway';
import { isCharge } from './call-gateway';
import type { OrderDraft } from '../order-updater/order-draft';
import type { GatewayRequest } from './gateway-request';
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
  return isSettledSale(received) || takesFromCanceledOrder(order, received);
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
  const event = !isSettledSale(received) ? 'void' : payment.state === 'failed' ? 'return_settled' : 'credit';
  const act = { event, purpose: 'payment', cause: buildCause(received.request) } as const;
  return pickRequest(await performOnPayment(tx, draft, act, { payment }));
};
