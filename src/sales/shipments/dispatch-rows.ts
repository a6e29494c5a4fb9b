import { buildFailure, type RowOutcome } from '../../platform/batch';
import type { Tx } from '../../platform/database/transaction';
import type { FieldErrors } from '../../platform/errors';
import { toAmount, ZERO } from '../../platform/money';
import { calculateDispatchShortfall, planCaptures } from '../fulfilment/dispatch-cover';
import { patchShipment, performOnShipment } from '../fulfilment/perform-on-shipment';
import { findShipmentKeys, type ShipmentKey } from '../fulfilment/shipments.repository';
import { isBeingPaid, lockOrders, type LockedOrderGraph } from '../order/order-lock';
import { isCompleteState } from '../order/order.machine';
import { createDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import type { DispatchRow } from './dispatch-rows.schema';
import { isCapturedWhenShipped } from './dispatch.service';
import { pickTracking } from './shipment-attributes';
import { getPlacedShipment } from './shipments.service';

/** What the rows of a batch have in common. */
export interface DispatchBatch {
  at: Date;
  user_id: number | null;
  /** The messages of the gateway, by the id of the order whose capture it declined. */
  declined?: ReadonlyMap<number, string>;
  /** Whether the transaction will be rolled back: a shipment then counts as shipped if its amount can be captured. */
  isTrial?: boolean;
}

/**
 * Sets trackings and ships, row by row, as PUT /shipments/:number/ship does. A row with errors writes nothing. Locks all
 * orders by id. Calls no gateway: the captures of a store that captures on dispatch come first (`captureForDispatch`).
 * Repeatable.
 */
export async function applyDispatchRows(
  tx: Tx,
  rows: readonly DispatchRow[],
  batch: DispatchBatch,
): Promise<RowOutcome[]> {
  const { keys, orders } = await lockNamedOrders(tx, rows);
  const outcomes = rows.map((): RowOutcome => buildFailure({ number: ['does not exist'] }));
  const places = rows.flatMap((row, at) => {
    const key = keys[at];
    return key === undefined ? [] : [{ row, at, key }];
  });
  for (const { row, at, key } of places.sort((one, other) => one.key.order_id - other.key.order_id)) {
    const order = orders.get(key.order_id);
    if (order === undefined) continue;
    const applied = await applyRow(tx, { order, id: key.id, row }, batch);
    // The time limit of a statement begins when it is sent: sent at once, the statements of hundreds of orders would exceed it.
    await tx.confirmWrites();
    outcomes[at] = applied.outcome;
    orders.set(order.id, applied.order);
  }
  return outcomes;
}

/** Locks the orders of the shipments that the rows name. */
export async function lockNamedOrders(
  tx: Tx,
  rows: readonly DispatchRow[],
): Promise<{ keys: (ShipmentKey | undefined)[]; orders: Map<number, LockedOrderGraph> }> {
  const keys = await findShipmentKeys(
    tx,
    rows.map(({ number }) => number),
  );
  const orders = await lockOrders(
    tx,
    keys.flatMap((key) => (key === undefined ? [] : [key.order_id])),
  );
  return { keys, orders: new Map(orders.map((order) => [order.id, order])) };
}

interface Placed {
  order: LockedOrderGraph;
  id: number;
  row: DispatchRow;
}

async function applyRow(
  tx: Tx,
  { order, id, row }: Placed,
  batch: DispatchBatch,
): Promise<{ outcome: RowOutcome; order: LockedOrderGraph }> {
  const fail = (errors: FieldErrors) => ({ outcome: buildFailure(errors), order });
  if (!order.shipments.some((one) => one.id === id)) return fail({ number: ['does not exist'] });
  const { shipment } = getPlacedShipment(order, id);
  const tracking = pickTracking(row);
  if (row.ship !== true && Object.keys(tracking).length === 0) return fail({ tracking: ["can't be blank"] });
  if (isBeingPaid(order)) return fail({ base: ['a payment of the order is being processed; retry'] });
  const isNew = Object.entries(tracking).some(
    ([name, value]) => shipment[name === 'tracking' ? 'tracking' : 'tracking_url'] !== value,
  );
  const cause = { user_id: batch.user_id, reason: row.ship === true ? 'shipment ship' : 'shipment update' };
  let draft = createDraft(order);
  if (row.ship === true) {
    const cover = findCover(order, { order, shipment });
    if (cover === 'capturable' && batch.isTrial === true) {
      return { outcome: { status: 'changed', id }, order: assumeShipped(order, id) };
    }
    const subject = { draft, shipment, at: batch.at, cause, isPaidOnDispatch: cover === 'paid' };
    const shipped = performOnShipment('ship', subject);
    if (shipped.ending.ended === 'refused') {
      return fail({ base: [explainRefusal(order, shipment, batch.declined?.get(order.id))] });
    }
    draft = shipped.draft;
  }
  if (isNew) draft = patchShipment(draft, id, tracking);
  if (draft.order === order) return { outcome: { status: 'unchanged', id }, order };
  return { outcome: { status: 'changed', id }, order: await saveRecalculated(tx, draft, cause) };
}

/** Returns the order as if a shipment had left, so that payments also cover those that leave with it. Not to be saved. */
export function assumeShipped(order: LockedOrderGraph, id: number): LockedOrderGraph {
  const shipments = order.shipments.map((one) =>
    one.id === id ? { ...one, state: 'shipped' as const } : one,
  );
  return { ...order, shipments };
}

/** What covers a shipment of a store that captures on dispatch; null if the store or the shipment needs no capture. */
export function findCover(
  order: LockedOrderGraph,
  placed: Parameters<typeof isCapturedWhenShipped>[0],
): 'paid' | 'capturable' | 'missing' | null {
  if (!isCapturedWhenShipped(placed)) return null;
  const missing = calculateDispatchShortfall(order, placed.shipment, toAmount(placed.shipment.cost));
  if (missing === ZERO) return 'paid';
  const authorized = order.payments.filter(({ state }) => state === 'pending');
  return planCaptures(missing, authorized) === null ? 'missing' : 'capturable';
}

function explainRefusal(
  order: LockedOrderGraph,
  shipment: LockedOrderGraph['shipments'][number],
  declined: string | undefined,
): string {
  if (declined !== undefined) return `Cannot ship shipment: the payment gateway declined (${declined}).`;
  if (shipment.state === 'canceled') return 'Cannot ship shipment: it is canceled.';
  if (!isCompleteState(order.state)) return 'Cannot ship shipment: the order is not complete.';
  if (shipment.units.some(({ state }) => state === 'backordered')) {
    return 'Cannot ship shipment: it has backordered units.';
  }
  return 'Cannot ship shipment: the order is not paid.';
}
