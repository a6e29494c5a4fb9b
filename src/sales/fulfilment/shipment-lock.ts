import { NotFound } from '../../platform/errors';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import { lockOrdersToFill } from './lock-orders-to-fill';
import { loadOrderGraph, type ShipmentGraph } from '../order/order-graph';
import { lockOrderGraphById, type LockedOrderGraph } from '../order/order-lock';
import { findShipmentKey, type ShipmentKey } from './shipments.repository';

/** A shipment inside its order, both read under the order's lock, which every writer of shipments takes first. */
export interface LockedShipment {
  order: LockedOrderGraph;
  shipment: ShipmentGraph;
}

/** What a use case is about to give back to the shelves, guessed before anything is locked. */
export type EstimateRestock = (shipment: ShipmentGraph) => readonly PlacedChange[];

/**
 * Locks the order of the shipment of that number (a former one will do) and reads both. Only admins get here: the
 * endpoints' policy has refused everybody else. `leaving`: goods that the caller will give back and that may fill the
 * backorders of other orders; those are locked along, by id, so that two callers do not meet halfway.
 * @throws NotFound; PaymentInProgress while a gateway is being asked about one of the order's payments
 */
export async function lockShipment(tx: Tx, number: string, leaving?: EstimateRestock): Promise<LockedShipment> {
  const key = await findShipmentKey(tx, number);
  if (key === undefined) throw new NotFound();
  if (leaving !== undefined) await lockOrdersToFillByShipment(tx, key, leaving);
  const order = await lockOrderGraphById(tx, key.order_id);
  const shipment = order.shipments.find(({ id }) => id === key.id);
  if (shipment === undefined) throw new NotFound();
  return { order, shipment };
}

async function lockOrdersToFillByShipment(tx: Tx, key: ShipmentKey, leaving: EstimateRestock): Promise<void> {
  const order = await loadOrderGraph(tx, key.order_id);
  const shipment = order.shipments.find(({ id }) => id === key.id);
  if (shipment === undefined || order.completed_at === null) return;
  await lockOrdersToFill(tx, order.id, leaving(shipment));
}
