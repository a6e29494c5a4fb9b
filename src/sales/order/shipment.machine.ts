import type { FieldErrors } from '../../platform/errors';
import { deriveState } from '../../platform/perform';
import type { Decided } from '../../platform/perform';
import { sameState, createMachine } from '../../platform/state-machine';
import { isCompleteState, type OrderState } from './order.machine';

export type ShipmentState = 'pending' | 'ready' | 'shipped' | 'canceled';

/**
 * - `update`: the order, a payment or the stock changed. Performed by the order updater after every change of the
 *   order.
 * - `ready` and `ship`: requests. `ready` changes nothing, because only `update` makes a shipment ready.
 * - `ship_unit`: a single unit was shipped.
 * - `import`: the shipment had left before its order was imported.
 * - `cancel`: an admin gives up the units that have not shipped.
 * - `merge`: its last units moved into another shipment, whose freight is taxed otherwise.
 * - `resume`: the canceled order is resumed.
 */
export type ShipmentEvent =
  'update' | 'ready' | 'ship' | 'ship_unit' | 'import' | 'cancel' | 'merge' | 'resume';
export type ShipmentEffect =
  | 'ship_units'
  | 'stamp_shipped_at'
  | 'stamp_unit_shipped_at'
  | 'mark_imported'
  | 'release_units'
  | 'remove_cost';

export interface ShipmentFacts {
  order_state: OrderState;
  /** The payment_state of the order, already recalculated. */
  order_payment_state: string | null;
  has_backordered_units: boolean;
  /** All of its units have left, and there was at least one. The others were taken off it. */
  has_left: boolean;
  /** The store captures on dispatch, and authorized payments cover what the order owes. */
  is_covered: boolean;
  /** For `ship`: the store captures on dispatch, and captures cover this shipment and all shipped ones. */
  is_paid_on_dispatch?: boolean;
  /** For `ship_unit`: the shipment has further units that are not shipped. */
  has_more_units?: boolean;
  /** For `cancel`: units of the shipment have shipped. */
  has_shipped_units?: boolean;
  /** For `cancel`: the shipment was merged, and still charges its cost. */
  is_merged?: boolean;
  /** For `resume`: the shipment has units. Those of one that was canceled by itself are gone. */
  has_units?: boolean;
}

/**
 * The states of a shipment. `ready` and `ship` may be repeated. Refusal messages are those that clients match, under
 * `base`; the service reports them as Refused. `ship_units` ships the on_hand units. If the store captures on dispatch,
 * a shipment is ready once payments are authorized, and ships once its share is captured, although other shipments of
 * the order are unpaid. Canceling restocks the unshipped units and takes them off the order. A shipment that has
 * shipped in part has shipped as soon as the other units are removed, moved or canceled. One that was merged keeps its cost until
 * it is canceled.
 */
export const shipmentMachine = createMachine<ShipmentState, ShipmentEvent, ShipmentFacts, ShipmentEffect>(
  [
    { from: ['pending', 'ready'], on: 'update', to: 'canceled', given: orderIsCanceled },
    { from: ['pending', 'ready'], on: 'update', to: 'shipped', given: hasLeft },
    { from: ['pending', 'ready'], on: 'update', to: 'ready', given: canShip },
    { from: ['pending', 'ready'], on: 'update', to: 'pending' },
    { from: ['shipped', 'canceled'], on: 'update', to: sameState },
    { from: ['ready', 'shipped'], on: 'ready', to: sameState },
    {
      from: 'ready',
      on: 'ship',
      to: 'shipped',
      given: isPaid,
      then: ['ship_units', 'stamp_shipped_at'],
    },
    {
      from: ['pending', 'ready'],
      on: 'ship',
      to: 'shipped',
      given: isPaidOnDispatch,
      then: ['ship_units', 'stamp_shipped_at'],
    },
    { from: 'shipped', on: 'ship', to: sameState },
    {
      from: 'ready',
      on: 'ship_unit',
      to: sameState,
      given: isPaidAndHasMoreUnits,
      then: ['stamp_unit_shipped_at'],
    },
    { from: 'ready', on: 'ship_unit', to: 'shipped', given: isPaid, then: ['stamp_shipped_at'] },
    {
      from: 'pending',
      on: 'import',
      to: 'shipped',
      then: ['ship_units', 'stamp_shipped_at', 'mark_imported'],
    },
    {
      from: ['pending', 'ready'],
      on: 'cancel',
      to: sameState,
      given: hasShippedUnits,
      when: [checkOrderIsComplete],
      then: ['release_units'],
    },
    {
      from: ['pending', 'ready'],
      on: 'cancel',
      to: 'canceled',
      when: [checkOrderIsComplete],
      then: ['release_units', 'remove_cost'],
    },
    { from: 'canceled', on: 'cancel', to: sameState, given: isMerged, then: ['remove_cost'] },
    { from: 'canceled', on: 'cancel', to: sameState },
    { from: ['pending', 'ready'], on: 'merge', to: 'canceled' },
    { from: 'canceled', on: 'resume', to: 'pending', given: hasUnits },
    { from: ['pending', 'ready', 'shipped', 'canceled'], on: 'resume', to: sameState },
  ],
  (_state, event) => buildRefusal(event),
);

function buildRefusal(event: ShipmentEvent): FieldErrors {
  return { base: [`Cannot ${event} shipment.`] };
}

/** Calculates the state after a change of the order, a payment or the stock. Shipped shipments stay shipped. */
export function calculateShipmentState(state: ShipmentState, facts: ShipmentFacts): Decided<ShipmentState> {
  return deriveState(shipmentMachine, 'update', state, facts);
}

/** Whether the shipment would be ready if the order were paid. */
export function isReadyExceptForPayment(facts: ShipmentFacts): boolean {
  return canShip({ ...facts, order_payment_state: 'paid' });
}

function orderIsCanceled(shipment: ShipmentFacts): boolean {
  return shipment.order_state === 'canceled';
}

/** The order is complete, and paid or covered by authorized payments, and no unit is backordered. */
function canShip(shipment: ShipmentFacts): boolean {
  const isPayable = isPaid(shipment) || shipment.is_covered;
  return isPayable && isCompleteState(shipment.order_state) && !shipment.has_backordered_units;
}

function isPaid(shipment: ShipmentFacts): boolean {
  return shipment.order_payment_state === 'paid' || shipment.order_payment_state === 'credit_owed';
}

function hasLeft(shipment: ShipmentFacts): boolean {
  return shipment.has_left;
}

function isPaidOnDispatch(shipment: ShipmentFacts): boolean {
  return shipment.is_paid_on_dispatch === true && isReadyExceptForPayment(shipment);
}

function isPaidAndHasMoreUnits(shipment: ShipmentFacts): boolean {
  return isPaid(shipment) && shipment.has_more_units === true;
}

function hasShippedUnits(shipment: ShipmentFacts): boolean {
  return shipment.has_shipped_units === true;
}

function isMerged(shipment: ShipmentFacts): boolean {
  return shipment.is_merged === true;
}

function hasUnits(shipment: ShipmentFacts): boolean {
  return shipment.has_units === true;
}

/** The shipments of an incomplete order are proposals; those of a canceled order are canceled already. */
function checkOrderIsComplete(shipment: ShipmentFacts): FieldErrors | null {
  return isCompleteState(shipment.order_state) ? null : buildRefusal('cancel');
}
