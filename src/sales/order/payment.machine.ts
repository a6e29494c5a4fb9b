import type { FieldErrors } from '../../platform/errors';
import { type Amount, ZERO } from '../../platform/money';
import { sameState, createMachine } from '../../platform/state-machine';

export type PaymentState =
  'checkout' | 'processing' | 'pending' | 'completed' | 'failed' | 'void' | 'invalid';

/** The actions of the API, and: `update` (PUT), `invalidate` (a newer payment was stored), `cancel` (its order was). */
export type PaymentEvent =
  'authorize' | 'purchase' | 'capture' | 'void' | 'credit' | 'update' | 'invalidate' | 'cancel';

/**
 * - `store_response`: response_code, avs_response, cvv_response of the gateway's answer.
 * - `split_uncaptured_rest`: after a partial capture the rest becomes a new pending payment (behaviour 9.6).
 * - `store_refund`: one refund row of the credited amount.
 */
export type PaymentEffect = 'store_response' | 'split_uncaptured_rest' | 'store_refund' | 'store_attributes';

/** What the gateway is asked; the names of its functions. `credit` of event `cancel` is for all that is left. */
export type PaymentCall = 'authorize' | 'purchase' | 'capture' | 'void' | 'credit';

export interface PaymentFacts {
  /** Its method asks for a card (method_type `gateway`); checks do not. */
  needs_source: boolean;
  /** A card is attached. */
  has_source: boolean;
  order_is_canceled: boolean;
  /** Sum of its refunds. */
  refunded: Amount;
  /** Amount minus refunds. */
  left: Amount;
  /** Why the requested amount is not possible; null when it is, or none was requested. */
  amount_refusal: string | null;
}

const SOURCE_MISSING = 'Payment could not be processed, please check the details you entered';

/** Whether a payment brings money or may still do so: it was neither refused, nor replaced, nor called off. */
export function isActive(state: PaymentState): boolean {
  return state !== 'failed' && state !== 'invalid' && state !== 'void';
}

/**
 * The action matrix of behaviour 9.1. Every call runs while the stored state is `processing`, in which no event is known,
 * so all others are refused. A refusal's message is under `base`; the service answers it as GatewayFailed, and `update`
 * as PaymentNotUpdatable. Amounts are checked before (`decideCredit`, `decideCapture`): a credit of a payment that is not
 * completed has the limit zero.
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
      when: [buildCanceledOrderGuard('authorize'), hasSource],
      through: 'processing',
      calls: 'authorize',
      then: ['store_response'],
      undo: ['store_response'],
      refusedTo: 'failed',
    },
    { from: 'pending', on: 'authorize', to: sameState, when: [buildCanceledOrderGuard('authorize')] },

    {
      from: 'checkout',
      on: 'purchase',
      to: 'completed',
      when: [buildCanceledOrderGuard('purchase'), hasSource],
      through: 'processing',
      calls: 'purchase',
      then: ['store_response'],
      undo: ['store_response'],
      refusedTo: 'failed',
    },
    {
      from: 'pending',
      on: 'purchase',
      to: 'completed',
      when: [buildCanceledOrderGuard('purchase')],
      through: 'processing',
      calls: 'capture',
      then: ['store_response'],
      undo: ['store_response'],
      refusedTo: 'failed',
    },
    { from: 'completed', on: 'purchase', to: sameState, when: [buildCanceledOrderGuard('purchase')] },

    {
      from: 'checkout',
      on: 'capture',
      to: 'completed',
      given: isCheck,
      when: [buildCanceledOrderGuard('capture'), amountIsPossible],
      through: 'processing',
      calls: 'capture',
      then: ['store_response', 'split_uncaptured_rest'],
      undo: ['store_response'],
      refusedTo: 'failed',
    },
    {
      from: 'pending',
      on: 'capture',
      to: 'completed',
      when: [buildCanceledOrderGuard('capture'), amountIsPossible],
      through: 'processing',
      calls: 'capture',
      then: ['store_response', 'split_uncaptured_rest'],
      undo: ['store_response'],
      refusedTo: 'failed',
    },
    { from: 'completed', on: 'capture', to: sameState, when: [buildCanceledOrderGuard('capture')] },

    // Nothing was asked of the gateway yet, so nothing has to be undone there.
    { from: 'checkout', on: 'void', to: 'void' },
    {
      from: ['pending', 'completed'],
      on: 'void',
      to: 'void',
      when: [nothingIsRefunded],
      through: 'processing',
      calls: 'void',
      then: ['store_response'],
      undo: ['store_response'],
    },
    { from: 'void', on: 'void', to: sameState },

    {
      from: 'completed',
      on: 'credit',
      to: sameState,
      through: 'processing',
      calls: 'credit',
      then: ['store_response', 'store_refund'],
      undo: ['store_response'],
    },

    { from: ['checkout', 'pending'], on: 'update', to: sameState, then: ['store_attributes'] },
    { from: 'checkout', on: 'invalidate', to: 'invalid' },
    { from: ['pending', 'completed', 'failed', 'void', 'invalid'], on: 'invalidate', to: sameState },

    { from: 'completed', on: 'cancel', to: sameState, given: isFullyRefunded },
    // Canceling an order with a refund credits only the rest: a void would give the refunded part back twice.
    {
      from: 'completed',
      on: 'cancel',
      to: sameState,
      given: isPartlyRefunded,
      through: 'processing',
      calls: 'credit',
      then: ['store_response', 'store_refund'],
      undo: ['store_response'],
    },
    {
      from: ['pending', 'completed'],
      on: 'cancel',
      to: 'void',
      through: 'processing',
      calls: 'void',
      then: ['store_response'],
      undo: ['store_response'],
    },
    { from: ['checkout', 'failed', 'void', 'invalid'], on: 'cancel', to: sameState },
  ],
  (state, event) => buildRefusal(event, state),
);

function buildRefusal(event: PaymentEvent, state: string): FieldErrors {
  return { base: [`cannot ${event} a payment that is ${state}`] };
}

function buildCanceledOrderGuard(event: PaymentEvent): (payment: PaymentFacts) => FieldErrors | null {
  return function orderIsNotCanceled(payment) {
    return payment.order_is_canceled ? { base: [`cannot ${event} a payment of a canceled order`] } : null;
  };
}

function hasSource(payment: PaymentFacts): FieldErrors | null {
  return payment.needs_source && !payment.has_source ? { base: [SOURCE_MISSING] } : null;
}

function isCheck(payment: PaymentFacts): boolean {
  return !payment.needs_source;
}

function nothingIsRefunded(payment: PaymentFacts): FieldErrors | null {
  return payment.refunded === ZERO ? null : buildRefusal('void', 'partly refunded');
}

function amountIsPossible(payment: PaymentFacts): FieldErrors | null {
  return payment.amount_refusal === null ? null : { base: [payment.amount_refusal] };
}

function isFullyRefunded(payment: PaymentFacts): boolean {
  return payment.refunded > ZERO && payment.left <= ZERO;
}

function isPartlyRefunded(payment: PaymentFacts): boolean {
  return payment.refunded > ZERO;
}
