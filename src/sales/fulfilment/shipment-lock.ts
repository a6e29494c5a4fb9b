import { NotFound } from '../../platform/errors';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import { lockOrdersToFill } from './lock-orders-to-fill';
import { loadOrderGraph, type ShipmentGraph } from '../order/order-graph';
import { lockOrderGraphById, type LockedOrderGraph } from '../order/order-lock';
import { findShipmentKey, type ShipmentKey } from './shipments.repository';

/** A shipment and its order, read under the order's lock. Every writer of shipments takes that lock first. */
export interface LockedShipment {
  order: LockedOrderGraph;
  shipment: ShipmentGraph;
}

/** Estimates, before anything is locked, what a use case will restock. */
export type EstimateRestock = (shipment: ShipmentGraph) => readonly PlacedChange[];

/**
 * Locks the order of the shipment with this current or former number, and reads both. Does not check permissions: only
 * admins may call the endpoints. If the use case restocks units, `estimateRestock` lists them; orders whose backorders
 * they may fill are then locked too, all by id, so that two such use cases do not deadlock.
 * @throws NotFound; PaymentInProgress while a gateway processes one of the order's payments
 */
export async function lockShipment(
  tx: Tx,
  number: string,
  estimateRestock?: EstimateRestock,
): Promise<LockedShipment> {
  const key = await findShipmentKey(tx, number);
  if (key === undefined) throw new NotFound();
  if (estimateRestock !== undefined) await lockOrdersToFillByShipment(tx, key, estimateRestock);
  const order = await lockOrderGraphById(tx, key.order_id);
  const shipment = order.shipments.find(({ id }) => id === key.id);
  if (shipment === undefined) throw new NotFound();
  return { order, shipment };
}

async function lockOrdersToFillByShipment(
  tx: Tx,
  key: ShipmentKey,
  estimateRestock: EstimateRestock,
): Promise<void> {
  const order = await loadOrderGraph(tx, key.order_id);
  const shipment = order.shipments.find(({ id }) => id === key.id);
  if (shipment === undefined || order.completed_at === null) return;
  await lockOrdersToFill(tx, order.id, estimateRestock(shipment));
}
