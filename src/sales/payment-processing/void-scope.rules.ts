import type { PaymentEvent, PaymentState } from '../order/payment.machine';
import type { VoidScope } from './gateways/gateway';

/** What a void depends on: the event, and the payment before it. */
export interface VoidFacts {
  event: PaymentEvent;
  state_before: PaymentState;
  /** The payment is the rest of a partial capture. */
  is_remainder: boolean;
}

/**
 * Decides what a void ends at the gateway. Depends only on values that never change, so a repeated call has the same
 * scope. Canceling an order voids the captured payment for all that share its response code.
 */
export function decideVoidScope({ event, state_before, is_remainder }: VoidFacts): VoidScope {
  if (state_before === 'completed') return event === 'cancel' ? 'sale' : 'capture';
  return is_remainder ? 'remainder' : 'authorization';
}
