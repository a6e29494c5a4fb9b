import type { FieldErrors } from '../../platform/errors';
import { cannotTransition, sameState, transitions } from '../../platform/state-machine';

export type OrderState =
  | 'cart'
  | 'address'
  | 'delivery'
  | 'payment'
  | 'confirm'
  | 'complete'
  | 'canceled'
  | 'awaiting_return'
  | 'returned'
  | 'resumed';

/** States before completion, in checkout order. */
export const INCOMPLETE_STATES = ['cart', 'address', 'delivery', 'payment', 'confirm'] as const;

/** States of a completed order that is not canceled (behaviour 10.1). */
const COMPLETED_STATES = ['complete', 'resumed', 'awaiting_return', 'returned'] as const;

/** Whether the order counts as complete for shipments and stock: sold, and not canceled. */
export function countsAsComplete(state: OrderState): boolean {
  return COMPLETED_STATES.some((completed) => completed === state);
}

/** What happens to an order beside the steps of its checkout (those are in checkout.machine.ts). */
export type OrderEvent =
  | 'empty'
  | 'cancel'
  | 'resume'
  | 'approve'
  /** units were put on a return authorization */
  | 'authorize_return'
  /** a return authorization was received */
  | 'receive_return'
  /** a return authorization was canceled or deleted, its units already released */
  | 'cancel_return';

export type OrderEffect =
  | 'restock_units'
  | 'unstock_units'
  | 'delete_line_items'
  | 'delete_adjustments'
  | 'delete_shipments'
  | 'delete_checkout_payments'
  | 'cancel_shipments'
  | 'resume_shipments'
  | 'stamp_cancellation'
  | 'clear_cancellation'
  | 'stamp_approval';

export interface OrderFacts {
  /** The order's derived shipment_state; null without shipments or before completion. */
  shipment_state: string | null;
  /** At least one inventory unit is shipped or returned. */
  has_shipped_units: boolean;
  /** `approved_at` is set. */
  is_approved: boolean;
  /** Every inventory unit is returned, the ones being received now included. */
  every_unit_is_returned: boolean;
  /** A return authorization in state `authorized` still holds units, leaving out one that is being canceled. */
  open_return_holds_units: boolean;
}

const EMPTYING = [
  'delete_line_items',
  'delete_adjustments',
  'delete_shipments',
  'delete_checkout_payments',
] as const satisfies readonly OrderEffect[];

/**
 * Events of behaviour 7.4 and 11. Canceling takes the goods back first and asks the gateway afterwards (`calls`): every
 * payment of the order gets the event `cancel` of payment.machine.ts. A gateway that refuses leaves the order canceled and
 * the shop owing (payment_state credit_owed), never sold goods without stock.
 */
export const orderMachine = transitions<OrderState, OrderEvent, OrderFacts, OrderEffect, 'cancel_payments'>([
  { from: INCOMPLETE_STATES, on: 'empty', to: 'cart', then: EMPTYING },
  {
    from: COMPLETED_STATES,
    on: 'empty',
    to: sameState,
    when: [nothingHasShipped],
    then: ['restock_units', ...EMPTYING],
  },
  { from: 'canceled', on: 'empty', to: sameState, when: [orderIsNotCanceled] },
  {
    from: ['complete', 'resumed'],
    on: 'cancel',
    to: 'canceled',
    when: [everythingIsStillHere],
    prepare: ['cancel_shipments', 'restock_units', 'stamp_cancellation'],
    through: 'canceled',
    calls: 'cancel_payments',
    refusedTo: 'canceled',
  },
  {
    from: 'canceled',
    on: 'resume',
    to: 'resumed',
    then: ['resume_shipments', 'unstock_units', 'clear_cancellation'],
  },
  { from: COMPLETED_STATES, on: 'approve', to: sameState, given: isApproved },
  { from: COMPLETED_STATES, on: 'approve', to: sameState, then: ['stamp_approval'] },
  {
    from: ['complete', 'resumed', 'awaiting_return', 'returned'],
    on: 'authorize_return',
    to: 'awaiting_return',
  },
  { from: 'awaiting_return', on: 'receive_return', to: 'returned', given: everyUnitIsReturned },
  { from: 'awaiting_return', on: 'receive_return', to: sameState },
  { from: 'awaiting_return', on: 'cancel_return', to: sameState, given: anotherReturnIsOpen },
  { from: 'awaiting_return', on: 'cancel_return', to: 'complete' },
  // A return that held no units never moved its order.
  { from: ['complete', 'resumed', 'canceled', 'returned'], on: 'cancel_return', to: sameState },
]);

function nothingHasShipped(order: OrderFacts): FieldErrors | null {
  return order.has_shipped_units ? { base: ['The order has shipped items'] } : null;
}

function orderIsNotCanceled(): FieldErrors {
  return { base: ['The order is canceled'] };
}

/** Behaviour 7.4: shipment_state null, pending, ready or backorder; and no single unit was shipped ahead of the rest. */
function everythingIsStillHere(order: OrderFacts): FieldErrors | null {
  const cancelable = [null, 'pending', 'ready', 'backorder'];
  const isHere = cancelable.includes(order.shipment_state) && !order.has_shipped_units;
  return isHere ? null : cannotTransition('cancel');
}

function isApproved(order: OrderFacts): boolean {
  return order.is_approved;
}

function everyUnitIsReturned(order: OrderFacts): boolean {
  return order.every_unit_is_returned;
}

function anotherReturnIsOpen(order: OrderFacts): boolean {
  return order.open_return_holds_units;
}
