import { deriveState } from '../../platform/perform';
import type { Decided } from '../../platform/perform';
import { sameState, createMachine } from '../../platform/state-machine';
import { isCompleteState, type OrderState } from './order.machine';

export type ShipmentState = 'pending' | 'ready' | 'shipped' | 'canceled';

/**
 * - `update`: its order, a payment or its stock changed. Fired by the order updater after every change of the order.
 * - `ready` and `ship`: requests. `ready` changes nothing, because a shipment is ready when `update` says so.
 * - `ship_unit`: one of its units was shipped on its own.
 */
export type ShipmentEvent = 'update' | 'ready' | 'ship' | 'ship_unit';
export type ShipmentEffect = 'ship_units' | 'stamp_shipped_at';

export interface ShipmentFacts {
  order_state: OrderState;
  /** The order's derived payment_state, calculated just before. */
  order_payment_state: string | null;
  has_backordered_units: boolean;
  /** For `ship`: the store captures on dispatch, and the captures cover this shipment and those shipped before it. */
  is_paid_on_dispatch?: boolean;
  /** For `ship_unit`: other units are still in the shipment. */
  has_more_units?: boolean;
}

/**
 * The life of a shipment (behaviour 10.1). `ready` and `ship` may be repeated. Refusals are the specification's sentences
 * under `base`; the service reports them as Refused. `ship_units` ships the on_hand units. Where the store captures on
 * dispatch, a shipment that lacks only its payment ships as soon as that is captured, although other shipments of its
 * order are still unpaid.
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
  ],
  (_state, event) => ({ base: [`Cannot ${event} shipment.`] }),
);

/** Derives the state after a change of the order, a payment or the stock. Shipped shipments stay shipped. */
export function calculateShipmentState(state: ShipmentState, facts: ShipmentFacts): Decided<ShipmentState> {
  return deriveState(shipmentMachine, 'update', state, facts);
}

/** Whether the outstanding payment is all that keeps a shipment from being ready. */
export function isReadyExceptForPayment(facts: ShipmentFacts): boolean {
  return canShip({ ...facts, order_payment_state: 'paid' });
}

function orderIsCanceled(shipment: ShipmentFacts): boolean {
  return shipment.order_state === 'canceled';
}

/** Complete, in stock, and paid. */
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
