import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { GatewayResult } from './gateways/gateway';
import { isCharge } from './call-gateway';
import type { GatewayRequest } from './payment-operations.repository';
import { lockPayments } from './payments.repository';
import { buildCause } from './record-result';
import { performOnPayment } from './start-payment';

/** A result of one payment. */
interface Received {
  request: GatewayRequest;
  result: GatewayResult;
}

/** Returns whether something follows from a result of one payment. */
export function needsContinuation(order: LockedOrder, received: Received): boolean {
  return isSettledSale(received) || takesFromCanceledOrder(order, received);
}

/** A void is declined because the money has already moved. */
function isSettledSale({ request, result }: Received): boolean {
  return request.kind === 'void' && !result.approved && result.is_settled === true;
}

/** The gateway has decided after the order was canceled. */
function takesFromCanceledOrder(order: LockedOrder, { request, result }: Received): boolean {
  const takes = isCharge(request) || request.kind === 'capture';
  return order.state === 'canceled' && takes && result.approved;
}

/**
 * Starts what follows from a result of one payment: what can no longer be voided is credited, and what a canceled order
 * has received is given back.
 * @returns the next request, or null
 */
export async function continuePayment(
  tx: Tx,
  order: LockedOrder,
  received: Received,
): Promise<GatewayRequest | null> {
  const payment = (await lockPayments(tx, order)).find(({ id }) => id === received.request.payment_id);
  if (payment === undefined) return null;
  const cause = { ...buildCause(received.request), purpose: 'payment' } as const;
  const event = !isSettledSale(received) ? 'void' : payment.state === 'failed' ? 'return_settled' : 'credit';
  const ending = await performOnPayment(tx, event, { payment, order }, cause);
  return ending.ended === 'calls' ? ending.request : null;
}
