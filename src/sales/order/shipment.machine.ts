import { deriveState } from '../../platform/perform';
import type { Decided } from '../../platform/perform';
import { sameState, createMachine } from '../../platform/state-machine';
import { isCompleteState, type OrderState } from './order.machine';

export type ShipmentState = 'pending' | 'ready' | 'shipped' | 'canceled';

/**
 * - `update`: the order, a payment or the stock changed. Performed by the order updater after every change of the order.
 * - `ready` and `ship`: requests. `ready` changes nothing, because only `update` makes a shipment ready.
 * - `ship_unit`: a single unit was shipped.
 * - `import`: the shipment had left before its order was imported.
 */
export type ShipmentEvent = 'update' | 'ready' | 'ship' | 'ship_unit' | 'import';
export type ShipmentEffect = 'ship_units' | 'stamp_shipped_at' | 'mark_imported';

export interface ShipmentFacts {
  order_state: OrderState;
  /** The payment_state of the order, already recalculated. */
  order_payment_state: string | null;
  has_backordered_units: boolean;
  /** For `ship`: the store captures on dispatch, and captures cover this shipment and all shipped ones. */
  is_paid_on_dispatch?: boolean;
  /** For `ship_unit`: the shipment has further units that are not shipped. */
  has_more_units?: boolean;
}

/**
 * The states of a shipment. `ready` and `ship` may be repeated. Refusal messages are those of the
 * specification, under `base`; the service reports them as Refused. `ship_units` ships the on_hand units. If the store
 * captures on dispatch, a shipment that is ready except for payment ships once its share is captured, although other
 * shipments of the order are unpaid.
 */
export const shipmentMachine = createMachine<ShipmentState, ShipmentEvent, ShipmentFacts, ShipmentEffect>(
  [
    { from: ['pending', 'ready'], on: 'update', to: 'canceled', given: orderIsCanceled },
    { from: ['pending', 'ready'], on: 'update', to: 'ready', given: canShip },
    { from: ['pending', 'ready'], on: 'update', to: 'pending' },
    { from: ['shipped', 'canceled'], on: 'update', to: sameState },
    { from: ['ready', 'shipped'], on: 'ready', to: sameState },
    { from: 'ready', on: 'ship', to: 'shipped', then: ['ship_units', 'stamp_shipped_at'] },
    {
      from: 'pending',
      on: 'ship',
      to: 'shipped',
      given: isPaidOnDispatch,
      then: ['ship_units', 'stamp_shipped_at'],
    },
    { from: 'shipped', on: 'ship', to: sameState },
    { from: 'ready', on: 'ship_unit', to: sameState, given: hasMoreUnits },
    { from: 'ready', on: 'ship_unit', to: 'shipped', then: ['stamp_shipped_at'] },
    {
      from: 'pending',
      on: 'import',
      to: 'shipped',
      then: ['ship_units', 'stamp_shipped_at', 'mark_imported'],
    },
  ],
  (_state, event) => ({ base: [`Cannot ${event} shipment.`] }),
);

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

/** The order is complete and paid, and no unit is backordered. */
function canShip(shipment: ShipmentFacts): boolean {
  const isPaid = shipment.order_payment_state === 'paid' || shipment.order_payment_state === 'credit_owed';
  return isPaid && isCompleteState(shipment.order_state) && !shipment.has_backordered_units;
}

function isPaidOnDispatch(shipment: ShipmentFacts): boolean {
  return shipment.is_paid_on_dispatch === true && isReadyExceptForPayment(shipment);
}

function hasMoreUnits(shipment: ShipmentFacts): boolean {
  return shipment.has_more_units === true;
}
