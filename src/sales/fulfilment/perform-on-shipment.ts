import type { Tx } from '../../platform/database/transaction';
import { perform, type Ending, type PerformerOf } from '../../platform/perform';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { toAmount } from '../../platform/money';
import { hasLeft } from '../order/inventory-unit.machine';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { calculateOutstandingBalance, isCoveredOnDispatch } from '../order/order-totals';
import {
  shipmentMachine,
  type ShipmentEffect,
  type ShipmentEvent,
  type ShipmentFacts,
} from '../order/shipment.machine';
import { deleteAdjustments } from '../pricing/adjustments.repository';
import type { Cause } from '../order/state-changes.repository';
import { lowerLines } from './shipment-lines';
import { countUnshippedUnits, groupUnshippedUnits, removeUnits } from './shipment-units';
import { updateShipment, updateShipmentState, type ShippedPatch } from './shipments.repository';
import { performOnUnitsOf } from './unit-states';

/** A shipment and its locked order, both as they are stored now. */
export interface ShipmentSubject {
  order: LockedOrderGraph;
  shipment: ShipmentGraph;
  at: Date;
  cause: Cause;
  onBackordersFilled: OnBackordersFilled;
  /** Default false; see `ShipmentFacts`. */
  isPaidOnDispatch?: boolean;
}

/**
 * Performs an event on a shipment. For `ship_unit`, `shipment` is as it was before the unit shipped. For `cancel`, lock
 * the shipment with the restock of all its units. Call `updateOrder` afterwards.
 * @returns the ending; a refusal is a value
 */
export async function performOnShipment(
  tx: Tx,
  event: Exclude<ShipmentEvent, 'update'>,
  subject: ShipmentSubject,
): Promise<Ending<never, void>> {
  return perform(performer, event, { ...subject, tx, patch: {} });
}

interface MovingShipment extends ShipmentSubject {
  tx: Tx;
  /** Columns collected by the effects. */
  patch: ShippedPatch;
}

const effects: Record<ShipmentEffect, (moving: MovingShipment) => Promise<void>> = {
  ship_units: ({ tx, order, shipment }) =>
    performOnUnitsOf(tx, order, { shipment_id: shipment.id }, { event: 'ship', from: 'on_hand' }),
  stamp_shipped_at({ patch, at }) {
    patch.shipped_at = at;
    return Promise.resolve();
  },
  stamp_unit_shipped_at: ({ tx, order, shipment, at }) =>
    updateShipment(tx, order, shipment.id, { unit_shipped_at: at }),
  mark_imported({ patch }) {
    patch.is_imported = true;
    return Promise.resolve();
  },
  async release_units({ tx, order, shipment, onBackordersFilled }) {
    const released = groupUnshippedUnits(shipment);
    await removeUnits(tx, order, released, onBackordersFilled);
    await lowerLines(tx, order, released);
  },
  async remove_cost({ tx, order, shipment, patch }) {
    const own = order.adjustments.filter(({ shipment_id }) => shipment_id === shipment.id);
    await deleteAdjustments(
      tx,
      order,
      own.map(({ id }) => id),
    );
    Object.assign(patch, { cost: '0', fixed_cost: '0' } satisfies ShippedPatch);
  },
};

const performer: PerformerOf<typeof shipmentMachine, MovingShipment, void> = {
  machine: shipmentMachine,
  read: ({ order, shipment, isPaidOnDispatch = false }) => ({
    state: shipment.state,
    facts: {
      ...buildShipmentFacts({ order, shipment }),
      is_paid_on_dispatch: isPaidOnDispatch,
      has_more_units: countUnshippedUnits(shipment) > 1,
      has_units: shipment.units.length > 0,
      has_shipped_units: shipment.units.some(({ state }) => state === 'shipped' || state === 'returned'),
    },
  }),
  effects,
  async write({ tx, order, shipment, cause, patch }, { to }) {
    if (to === null) return;
    const { id, order_id, state } = shipment;
    const subject = { order_id, subject_type: 'shipment', subject_id: id } as const;
    await updateShipmentState(tx, order, { ...subject, from_state: state, to_state: to, ...cause }, patch);
  },
};

/** Builds the facts about a shipment that do not depend on the event. */
export function buildShipmentFacts({
  order,
  shipment,
}: {
  order: OrderGraph;
  shipment: ShipmentGraph;
}): ShipmentFacts {
  return {
    order_state: order.state,
    order_payment_state: order.payment_state,
    has_backordered_units: shipment.units.some((unit) => unit.state === 'backordered'),
    has_left: hasLeft(shipment),
    is_covered: isCovered(order),
  };
}

function isCovered(order: OrderGraph): boolean {
  const payments = order.payments.map((payment) => ({
    state: payment.settled_state,
    amount: toAmount(payment.amount),
  }));
  const outstanding = calculateOutstandingBalance(
    order.state,
    toAmount(order.total),
    toAmount(order.payment_total),
  );
  return isCoveredOnDispatch({ ...order, payments }, outstanding);
}
