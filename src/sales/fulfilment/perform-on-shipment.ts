import type { Tx } from '../../platform/database/transaction';
import { perform, type Ending, type PerformerOf } from '../../platform/perform';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { toAmount } from '../../platform/money';
import { hasLeft } from '../order/inventory-unit.machine';
import { isMerged } from '../order/merged-shipment';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { calculateOutstandingBalance, isCoveredOnDispatch } from '../order/order-totals';
import {
  shipmentMachine,
  type ShipmentEffect,
  type ShipmentEvent,
  type ShipmentFacts,
} from '../order/shipment.machine';
import type { Cause, StateChange } from '../order/state-changes.repository';
import type { UnitGroup, UnitMove } from '../order/unit-moves.repository';
import { addToDraft, applyParts, type OrderDraft } from '../order-updater/order-draft';
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
  /** Default false; see `ShipmentFacts`. */
  isPaidOnDispatch?: boolean;
}

/** How an event of a shipment ended; a refusal is a value. Recalculate and save the draft afterwards. */
export interface PerformedOnShipment {
  ending: Ending<never, ShipmentMove>;
  /** As before if nothing has changed. */
  draft: OrderDraft;
}

/** Performs an event on a shipment. */
export function performOnShipment(
  event: Exclude<ShipmentEvent, 'update' | 'cancel'>,
  subject: ShipmentSubject,
): PerformedOnShipment {
  const ending = decide(event, subject);
  return { ending, draft: ending.ended === 'moved' ? applyMove(subject, ending.written) : subject.draft };
}

/** Cancels a shipment, and takes its unshipped units off the order. Lock the shipment with their restock. */
export async function performCancel(
  tx: Tx,
  subject: ShipmentSubject,
  onBackordersFilled: OnBackordersFilled,
): Promise<PerformedOnShipment> {
  const ending = decide('cancel', subject);
  if (ending.ended !== 'moved') return { ending, draft: subject.draft };
  const { released } = ending.written;
  const left = await removeUnits(tx, subject.draft, released, onBackordersFilled);
  const draft = applyParts(left, lowerLines(left.order, released).parts);
  return { ending, draft: applyMove({ ...subject, draft }, ending.written) };
}

function decide(
  event: Exclude<ShipmentEvent, 'update'>,
  subject: ShipmentSubject,
): Ending<never, ShipmentMove> {
  return perform(performer, event, { ...subject, patch: {}, units: [], released: [], isFree: false });
}

function applyMove(
  { draft, shipment: { id } }: ShipmentSubject,
  { patch, units, history, isFree }: ShipmentMove,
): OrderDraft {
  const moved = addToDraft(patchShipment(draft, id, patch), { units, history });
  const kept = draft.order.adjustments.filter(({ shipment_id }) => shipment_id !== id);
  return isFree ? applyParts(moved, { adjustments: kept }) : moved;
}

/** Changes a shipment of a draft. */
export function patchShipment(draft: OrderDraft, id: number, patch: Partial<ShipmentGraph>): OrderDraft {
  const shipments = draft.order.shipments.map((one) => (one.id === id ? { ...one, ...patch } : one));
  return { ...draft, order: { ...draft.order, shipments } };
}

/** What an event changes. */
export interface ShipmentMove {
  patch: Partial<ShipmentGraph>;
  units: UnitMove[];
  /** The units that leave the order. */
  released: readonly UnitGroup[];
  /** Whether its adjustments are removed. */
  isFree: boolean;
  history: StateChange[];
}

type MovingShipment = ShipmentSubject & Omit<ShipmentMove, 'history'>;

const effects: Record<ShipmentEffect, (moving: MovingShipment) => void> = {
  ship_units({ draft, shipment, patch, units }) {
    units.push(
      ...performOnUnitsOf(draft.order, { shipment_id: shipment.id }, { event: 'ship', from: 'on_hand' }),
    );
    patch.units = shipOnHand(shipment.units);
  },
  stamp_shipped_at({ patch, at }) {
    patch.shipped_at = at;
  },
  stamp_unit_shipped_at({ patch, at }) {
    patch.unit_shipped_at = at;
  },
  mark_imported({ patch }) {
    patch.is_imported = true;
  },
  release_units(moving) {
    moving.released = groupUnshippedUnits(moving.shipment);
  },
  remove_cost(moving) {
    moving.isFree = true;
    Object.assign(moving.patch, { cost: '0', fixed_cost: '0' } satisfies Partial<ShipmentGraph>);
  },
};

const performer: PerformerOf<typeof shipmentMachine, MovingShipment, ShipmentMove> = {
  machine: shipmentMachine,
  read: ({ draft: { order }, shipment, isPaidOnDispatch = false }) => ({
    state: shipment.state,
    facts: {
      ...buildShipmentFacts({ order, shipment }),
      is_paid_on_dispatch: isPaidOnDispatch,
      has_more_units: countUnshippedUnits(shipment) > 1,
      has_units: shipment.units.length > 0,
      is_merged: isMerged(order, shipment),
      has_shipped_units: shipment.units.some(({ state }) => state === 'shipped' || state === 'returned'),
    },
  }),
  effects,
  write({ shipment: { id, order_id, state }, cause, patch, units, released, isFree }, { to }) {
    const moved = { patch, units, released, isFree, history: [] };
    if (to === null) return moved;
    const subject = { order_id, subject_type: 'shipment', subject_id: id } as const;
    const history = [{ ...subject, from_state: state, to_state: to, ...cause }];
    return { ...moved, patch: { ...patch, state: to }, history };
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
