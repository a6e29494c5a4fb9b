import type { PaymentEvent, PaymentState } from '../order/payment.machine';
import type { VoidScope } from './gateways/gateway';

/** What a void depends on: the event, and the payment before it. */
export interface VoidFacts {
  event: PaymentEvent;
  state_before: PaymentState;
  /** The payment is the rest of a partial capture. */
  is_remainder: boolean;
  /** A payment of the same authorization, possibly itself, has refunds. */
  has_refunds: boolean;
}

/**
 * Decides what a void ends at the gateway. Depends only on values that do not change while the call is running, so a
 * repeated call has the same scope. Canceling an order voids the captured payment for all that share its response code,
 * unless a part of the sale has been refunded: voiding the sale would refund that part again.
 */
export function decideVoidScope({ event, state_before, is_remainder, has_refunds }: VoidFacts): VoidScope {
  // A charge that was approved after it was given up.
  if (state_before === 'failed') return 'sale';
  if (state_before === 'completed') return event === 'cancel' && !has_refunds ? 'sale' : 'capture';
  return is_remainder ? 'remainder' : 'authorization';
}
