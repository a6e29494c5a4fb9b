import type { FieldErrors } from '../../platform/errors';
import { OUT_OF_STOCK } from '../../errors/error-codes';
import { PROMOTION_USED_UP } from './checkout.guards';
import { buildTransitionErrors, sameState, createMachine } from '../../platform/state-machine';

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

/** States of a completed order that is not canceled. */
const COMPLETED_STATES = ['complete', 'resumed', 'awaiting_return', 'returned'] as const;

/** Whether orders in this state are complete and not canceled, as shipments and stock require. */
export function isCompleteState(state: OrderState): boolean {
  return COMPLETED_STATES.some((completed) => completed === state);
}

/** Events of the order as a whole. Checkout, restarts and returns have tables of their own. */
export type OrderEvent =
  /** An admin stores an order that was placed elsewhere, with its time of completion. */
  'import' | 'empty' | 'cancel' | 'approve' | 'resume';

export type OrderEffect =
  | 'stamp_completion'
  | 'restock_units'
  | 'delete_line_items'
  | 'delete_adjustments'
  | 'delete_shipments'
  | 'delete_checkout_payments'
  | 'stamp_cancellation'
  | 'stamp_approval'
  | 'unstock_units'
  | 'resume_shipments'
  | 'clear_cancellation';

/** Calls of gateways for the payments of the order, after the commit. */
export type OrderCall = 'void_authorizations' | 'cancel_payments';

export interface OrderFacts {
  /** The order's derived shipment_state; null without shipments or before completion. */
  shipment_state: string | null;
  /** At least one inventory unit is shipped or returned. */
  has_shipped_units: boolean;
  /** `approved_at` is set. */
  is_approved: boolean;
  /** For `resume`: the locations of the shipments can supply every unit. */
  is_in_stock?: boolean;
  /** For `resume`: other orders have not reached the usage limit of a promotion of the order. */
  promotions_hold?: boolean;
}

const EMPTY_EFFECTS = [
  'delete_line_items',
  'delete_adjustments',
  'delete_shipments',
  'delete_checkout_payments',
] as const satisfies readonly OrderEffect[];

/**
 * The events of an order outside the checkout. Emptying and canceling restock first and call the gateways afterwards.
 * With `void_authorizations`, every authorized payment gets the event `void` of payment.machine.ts, with
 * `cancel_payments` every payment the event `cancel`. If a gateway declines, the order stays canceled and its
 * payment_state is credit_owed. `restock_units` runs after the state is written, because restocked units must not fill
 * backorders of the canceled order itself. Resuming unstocks the units again; payments that were voided stay void.
 */
export const orderMachine = createMachine<OrderState, OrderEvent, OrderFacts, OrderEffect, OrderCall>([
  { from: 'cart', on: 'import', to: 'complete', then: ['stamp_completion'] },
  {
    from: INCOMPLETE_STATES,
    on: 'empty',
    to: 'cart',
    prepare: EMPTY_EFFECTS,
    through: 'cart',
    calls: 'void_authorizations',
    refusedTo: 'cart',
  },
  {
    from: COMPLETED_STATES,
    on: 'empty',
    to: sameState,
    when: [checkNothingHasShipped],
    prepare: EMPTY_EFFECTS,
    after: ['restock_units'],
    calls: 'void_authorizations',
  },
  { from: 'canceled', on: 'empty', to: sameState, when: [checkOrderIsNotCanceled] },
  {
    from: ['complete', 'resumed'],
    on: 'cancel',
    to: 'canceled',
    when: [checkNothingHasLeft],
    prepare: ['stamp_cancellation'],
    through: 'canceled',
    after: ['restock_units'],
    calls: 'cancel_payments',
    refusedTo: 'canceled',
  },
  {
    from: 'canceled',
    on: 'resume',
    to: 'resumed',
    when: [checkUnitsInStock, checkPromotionsHold],
    then: ['unstock_units', 'resume_shipments', 'clear_cancellation'],
  },
  { from: COMPLETED_STATES, on: 'approve', to: sameState, given: isApproved },
  { from: COMPLETED_STATES, on: 'approve', to: sameState, then: ['stamp_approval'] },
]);

function checkNothingHasShipped(order: OrderFacts): FieldErrors | null {
  return order.has_shipped_units ? { base: ['The order has shipped items'] } : null;
}

function checkOrderIsNotCanceled(): FieldErrors {
  return { base: ['The order is canceled'] };
}

/** Checks that shipment_state is null, pending, ready or backorder, and no single unit has shipped. */
function checkNothingHasLeft(order: OrderFacts): FieldErrors | null {
  const cancelableStates = [null, 'pending', 'ready', 'backorder'];
  const isCancelable = cancelableStates.includes(order.shipment_state) && !order.has_shipped_units;
  return isCancelable ? null : buildTransitionErrors('cancel');
}

function checkUnitsInStock(order: OrderFacts): FieldErrors | null {
  return order.is_in_stock === true ? null : { base: [OUT_OF_STOCK] };
}

function checkPromotionsHold(order: OrderFacts): FieldErrors | null {
  return order.promotions_hold === true ? null : { base: [PROMOTION_USED_UP] };
}

function isApproved(order: OrderFacts): boolean {
  return order.is_approved;
}
