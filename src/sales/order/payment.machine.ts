import type { FieldErrors } from '../../platform/errors';
import { type Amount, ZERO } from '../../platform/money';
import { sameState, createMachine } from '../../platform/state-machine';

export type PaymentState =
  'checkout' | 'processing' | 'pending' | 'completed' | 'failed' | 'void' | 'invalid';

/**
 * The actions of the API; `update` (PUT), `invalidate` (a newer payment was stored), `cancel` (of its order), `release`
 * (the gateway voided another payment of the same authorization), `return` and `return_settled` (the gateway approved a
 * payment after it was given up).
 */
export type PaymentEvent =
  | 'authorize'
  | 'purchase'
  | 'capture'
  | 'void'
  | 'credit'
  | 'update'
  | 'invalidate'
  | 'cancel'
  | 'release'
  | 'return'
  | 'return_settled';

/**
 * - `store_response`: stores response_code, avs_response and cvv_response of the gateway's result.
 * - `split_uncaptured_rest`: stores the rest of a partial capture as a new pending payment.
 * - `store_refund`: stores a refund of the credited amount.
 */
export type PaymentEffect = 'store_response' | 'split_uncaptured_rest' | 'store_refund' | 'store_attributes';

/** The gateway function to call. The event `cancel` credits the whole remaining amount. */
export type PaymentCall = 'authorize' | 'purchase' | 'capture' | 'void' | 'credit';

export interface PaymentFacts {
  /** Its method requires a card (method_type `gateway`); checks do not. */
  needs_source: boolean;
  /** A card is attached. */
  has_source: boolean;
  order_is_canceled: boolean;
  /** The order is complete but has no line items left and costs nothing. */
  order_is_empty: boolean;
  /** Sum of its refunds. */
  refunded: Amount;
  /** Amount minus refunds. */
  left: Amount;
  /** Why the requested amount is not possible; null if it is possible or none was requested. */
  amount_refusal: string | null;
}

const SOURCE_MISSING = 'Payment could not be processed, please check the details you entered';

/** Whether a payment in this state has been paid or can still be: it is not failed, invalid or void. */
export function isActive(state: PaymentState): boolean {
  return state !== 'failed' && state !== 'invalid' && state !== 'void';
}

/** What rows with a gateway call have in common: during the call, the stored state is `processing`. */
const AT_GATEWAY = { through: 'processing', then: ['store_response'], undo: ['store_response'] } as const;

/**
 * The actions on payments by state. The state `processing` accepts no event.
 * Refusal messages are under `base`; the service reports them as GatewayFailed, for `update` as PaymentNotUpdatable.
 * Amounts are checked before (`decideCredit`, `decideCapture`): the credit limit of a payment that is not completed is
 * zero.
 */
export const paymentMachine = createMachine<
  PaymentState,
  PaymentEvent,
  PaymentFacts,
  PaymentEffect,
  PaymentCall
>(
  [
    {
      from: 'checkout',
      on: 'authorize',
      to: 'pending',
      when: [buildCanceledOrderGuard('authorize'), checkSource],
      calls: 'authorize',
      ...AT_GATEWAY,
      refusedTo: 'failed',
    },
    { from: 'pending', on: 'authorize', to: sameState, when: [buildCanceledOrderGuard('authorize')] },

    {
      from: 'checkout',
      on: 'purchase',
      to: 'completed',
      when: [buildCanceledOrderGuard('purchase'), checkSource],
      calls: 'purchase',
      ...AT_GATEWAY,
      refusedTo: 'failed',
    },
    {
      from: 'pending',
      on: 'purchase',
      to: 'completed',
      when: [buildCanceledOrderGuard('purchase'), buildEmptyOrderGuard('purchase')],
      calls: 'capture',
      ...AT_GATEWAY,
      refusedTo: 'failed',
    },
    { from: 'completed', on: 'purchase', to: sameState, when: [buildCanceledOrderGuard('purchase')] },

    {
      from: 'checkout',
      on: 'capture',
      to: 'completed',
      given: isCheck,
      when: [buildCanceledOrderGuard('capture'), checkPossibleAmount],
      calls: 'capture',
      ...AT_GATEWAY,
      then: ['store_response', 'split_uncaptured_rest'],
      refusedTo: 'failed',
    },
    {
      from: 'pending',
      on: 'capture',
      to: 'completed',
      when: [buildCanceledOrderGuard('capture'), buildEmptyOrderGuard('capture'), checkPossibleAmount],
      calls: 'capture',
      ...AT_GATEWAY,
      then: ['store_response', 'split_uncaptured_rest'],
      refusedTo: 'failed',
    },
    { from: 'completed', on: 'capture', to: sameState, when: [buildCanceledOrderGuard('capture')] },

    // The gateway has not been called yet, so there is nothing to void there.
    { from: 'checkout', on: 'void', to: 'void' },
    {
      from: ['pending', 'completed'],
      on: 'void',
      to: 'void',
      when: [checkNothingIsRefunded],
      calls: 'void',
      ...AT_GATEWAY,
    },
    { from: 'void', on: 'void', to: sameState },

    {
      from: 'completed',
      on: 'credit',
      to: sameState,
      calls: 'credit',
      ...AT_GATEWAY,
      then: ['store_response', 'store_refund'],
    },

    { from: ['checkout', 'pending'], on: 'update', to: sameState, then: ['store_attributes'] },
    { from: 'checkout', on: 'invalidate', to: 'invalid' },
    { from: ['pending', 'completed', 'failed', 'void', 'invalid'], on: 'invalidate', to: sameState },

    { from: 'completed', on: 'cancel', to: sameState, given: isFullyRefunded },
    // A check is refunded outside the system; a credit records it.
    { from: 'completed', on: 'cancel', to: sameState, given: isCheck },
    // A partly refunded payment is credited, not voided: a void would refund the refunded part again.
    {
      from: 'completed',
      on: 'cancel',
      to: sameState,
      given: isPartlyRefunded,
      calls: 'credit',
      ...AT_GATEWAY,
      then: ['store_response', 'store_refund'],
    },
    {
      from: ['pending', 'completed'],
      on: 'cancel',
      to: 'void',
      calls: 'void',
      ...AT_GATEWAY,
    },
    // The order has not received the money, so giving it back is no refund of the order.
    {
      from: 'failed',
      on: 'return',
      to: 'void',
      calls: 'void',
      ...AT_GATEWAY,
    },
    {
      from: 'failed',
      on: 'return_settled',
      to: 'void',
      calls: 'credit',
      ...AT_GATEWAY,
    },
    { from: ['checkout', 'failed', 'void', 'invalid'], on: 'cancel', to: sameState },
    { from: ['pending', 'completed'], on: 'release', to: 'void', when: [checkNothingIsRefunded] },
  ],
  (state, event) => buildRefusal(event, state),
);

function buildRefusal(event: PaymentEvent, state: string): FieldErrors {
  return { base: [`cannot ${event} a payment that is ${state}`] };
}

function buildCanceledOrderGuard(event: PaymentEvent): (payment: PaymentFacts) => FieldErrors | null {
  return function checkOrderIsNotCanceled(payment) {
    return payment.order_is_canceled ? { base: [`cannot ${event} a payment of a canceled order`] } : null;
  };
}

function buildEmptyOrderGuard(event: PaymentEvent): (payment: PaymentFacts) => FieldErrors | null {
  return function checkOrderIsNotEmpty(payment) {
    return payment.order_is_empty ? { base: [`cannot ${event} a payment of an empty order`] } : null;
  };
}

function checkSource(payment: PaymentFacts): FieldErrors | null {
  return payment.needs_source && !payment.has_source ? { base: [SOURCE_MISSING] } : null;
}

function isCheck(payment: PaymentFacts): boolean {
  return !payment.needs_source;
}

function checkNothingIsRefunded(payment: PaymentFacts): FieldErrors | null {
  return payment.refunded === ZERO ? null : buildRefusal('void', 'completed');
}

function checkPossibleAmount(payment: PaymentFacts): FieldErrors | null {
  return payment.amount_refusal === null ? null : { base: [payment.amount_refusal] };
}

function isFullyRefunded(payment: PaymentFacts): boolean {
  return payment.refunded > ZERO && payment.left <= ZERO;
}

function isPartlyRefunded(payment: PaymentFacts): boolean {
  return payment.refunded > ZERO;
}
