import type { Tx } from '../../platform/database/transaction';
import { perform, type Ending, type PerformerOf } from '../../platform/perform';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { toAmount } from '../../platform/money';
import { hasLeft } from '../order/inventory-unit.machine';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { calculateOutstandingBalance, isCoveredOnDispatch } from '../order/order-totals';
import {
  shipmentMachine,
  type ShipmentEffect,
  type ShipmentEvent,
  type ShipmentFacts,
} from '../order/shipment.machine';
import type { Cause } from '../order/state-changes.repository';
import { addToDraft, type OrderDraft } from '../order-updater/order-draft';
import { lowerLines } from './shipment-lines';
import { countUnshippedUnits, groupUnshippedUnits, removeUnits, shipOnHand } from './shipment-units';
import { performOnUnitsOf } from './unit-states';

/** A shipment and the draft of its order. */
export interface ShipmentSubject {
  draft: OrderDraft;
  /** As in `draft`, or as it was before the unit of `ship_unit` shipped. */
  shipment: ShipmentGraph;
  at: Date;
  cause: Cause;
  onBackordersFilled: OnBackordersFilled;
  /** Default false; see `ShipmentFacts`. */
  isPaidOnDispatch?: boolean;
}

/**
 * Performs an event on a shipment. For `cancel`, lock the shipment with the restock of all its units. Recalculate and save
 * the draft afterwards.
 * @returns the ending with the changed draft; a refusal is a value
 */
export async function performOnShipment(
  tx: Tx,
  event: Exclude<ShipmentEvent, 'update'>,
  subject: ShipmentSubject,
): Promise<Ending<never, OrderDraft>> {
  return perform(performer, event, { ...subject, tx, patch: {} });
}

/** Changes a shipment of a draft. */
export function patchShipment(draft: OrderDraft, id: number, patch: Partial<ShipmentGraph>): OrderDraft {
  const shipments = draft.order.shipments.map((one) => (one.id === id ? { ...one, ...patch } : one));
  return { ...draft, order: { ...draft.order, shipments } };
}

interface MovingShipment extends ShipmentSubject {
  tx: Tx;
  /** Columns collected by the effects. */
  patch: Partial<ShipmentGraph>;
}

const effects: Record<ShipmentEffect, (moving: MovingShipment) => Promise<void>> = {
  async ship_units(moving) {
    const { draft, shipment, patch } = moving;
    const owner = { shipment_id: shipment.id };
    const units = await performOnUnitsOf(draft.order, owner, { event: 'ship', from: 'on_hand' });
    moving.draft = addToDraft(draft, { units });
    patch.units = shipOnHand(shipment.units);
  },
  stamp_shipped_at({ patch, at }) {
    patch.shipped_at = at;
    return Promise.resolve();
  },
  stamp_unit_shipped_at({ patch, at }) {
    patch.unit_shipped_at = at;
    return Promise.resolve();
  },
  mark_imported({ patch }) {
    patch.is_imported = true;
    return Promise.resolve();
  },
  async release_units(moving) {
    const { tx, draft, shipment, onBackordersFilled } = moving;
    const released = groupUnshippedUnits(shipment);
    const left = await removeUnits(tx, draft, released, onBackordersFilled);
    const { parts } = await lowerLines(left.order, released);
    moving.draft = { ...left, order: { ...left.order, ...parts } };
  },
  remove_cost(moving) {
    const { draft, shipment, patch } = moving;
    const adjustments = draft.order.adjustments.filter(({ shipment_id }) => shipment_id !== shipment.id);
    moving.draft = { ...draft, order: { ...draft.order, adjustments } };
    Object.assign(patch, { cost: '0', fixed_cost: '0' } satisfies Partial<ShipmentGraph>);
    return Promise.resolve();
  },
};

const performer: PerformerOf<typeof shipmentMachine, MovingShipment, OrderDraft> = {
  machine: shipmentMachine,
  read: ({ draft: { order }, shipment, isPaidOnDispatch = false }) => ({
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
  write({ draft, shipment: { id, order_id, state }, cause, patch }, { to }) {
    if (to === null) return Promise.resolve(patchShipment(draft, id, patch));
    const subject = { order_id, subject_type: 'shipment', subject_id: id } as const;
    const history = [{ ...subject, from_state: state, to_state: to, ...cause }];
    return Promise.resolve(addToDraft(patchShipment(draft, id, { ...patch, state: to }), { history }));
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
