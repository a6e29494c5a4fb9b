import type { FieldErrors } from '../../platform/errors';
import { sameState, transitions } from '../../platform/state-machine';
import { countsAsComplete, type OrderState } from './order.machine';

export type ShipmentState = 'pending' | 'ready' | 'shipped' | 'canceled';
/** `cancel` and `resume` come with the order's own; there is no path for them. */
export type ShipmentEvent = 'ready' | 'ship' | 'cancel' | 'resume';
export type ShipmentEffect = 'ship_units' | 'stamp_shipped_at';

export interface ShipmentFacts {
  state: ShipmentState;
  order_state: OrderState;
  /** The order's derived payment_state, computed just before. */
  order_payment_state: string | null;
  has_backordered_units: boolean;
}

/** What a request is decided by; the derived state needs less. */
export interface ShipmentRequestFacts extends ShipmentFacts {
  /** The store captures on dispatch, and what was captured covers this shipment and those that left before it. */
  is_paid_on_dispatch: boolean;
}

/**
 * The state a shipment has by its order, payment and stock (behaviour 10.1). Recomputed by the order updater after every
 * change; what is shipped never goes back.
 */
export function shipmentState(shipment: ShipmentFacts): ShipmentState {
  if (shipment.state === 'shipped') return 'shipped';
  if (shipment.order_state === 'canceled') return 'canceled';
  if (!countsAsComplete(shipment.order_state) || shipment.has_backordered_units) return 'pending';
  const isPaid = shipment.order_payment_state === 'paid' || shipment.order_payment_state === 'credit_owed';
  return isPaid ? 'ready' : 'pending';
}

/**
 * What a caller may ask of a shipment. `ready` and `ship` may be repeated. Refusals are the specification's sentences
 * under `base`; the service answers them as Refused. `ship_units` ships the on_hand units. Where the store captures on
 * dispatch, a shipment that waits for nothing but its money leaves as soon as that is taken, though others of its
 * order are still to be paid.
 */
export const shipmentMachine = transitions<
  ShipmentState,
  ShipmentEvent,
  ShipmentRequestFacts,
  ShipmentEffect
>(
  [
    { from: 'pending', on: 'ready', to: 'ready', when: [canBeReady] },
    { from: ['ready', 'shipped'], on: 'ready', to: sameState },
    { from: 'ready', on: 'ship', to: 'shipped', then: ['ship_units', 'stamp_shipped_at'] },
    {
      from: 'pending',
      on: 'ship',
      to: 'shipped',
      given: mayLeaveUnpaid,
      then: ['ship_units', 'stamp_shipped_at'],
    },
    { from: 'shipped', on: 'ship', to: sameState },
    { from: ['pending', 'ready'], on: 'cancel', to: 'canceled' },
    { from: 'canceled', on: 'resume', to: 'pending' },
  ],
  (_state, event) => cannot(event),
);

function cannot(event: ShipmentEvent): FieldErrors {
  return { base: [`Cannot ${event} shipment.`] };
}

function canBeReady(shipment: ShipmentFacts): FieldErrors | null {
  return shipmentState(shipment) === 'ready' ? null : cannot('ready');
}

/** Complete, nothing missing, and paid for itself. */
function mayLeaveUnpaid(shipment: ShipmentRequestFacts): boolean {
  return shipment.is_paid_on_dispatch && waitsOnlyForMoney(shipment);
}

/** Whether the order's unpaid rest is all that keeps a shipment from leaving. */
export function waitsOnlyForMoney(shipment: ShipmentFacts): boolean {
  return shipmentState({ ...shipment, order_payment_state: 'paid' }) === 'ready';
}
