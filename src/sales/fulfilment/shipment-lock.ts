import { requireFound } from '../../platform/errors';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { findShipmentKey } from './shipments.repository';

/** A shipment and its order, read under the order's lock. Every writer of shipments takes that lock first. */
export interface LockedShipment {
  order: LockedOrderGraph;
  shipment: ShipmentGraph;
}

/** Estimates, before anything is locked, what a use case will restock. */
export type EstimateRestock = (shipment: ShipmentGraph) => readonly PlacedChange[];

/**
 * Locks the order of the shipment with this current or former number, and reads both. Does not check permissions: only
 * admins may call the endpoints. If the use case restocks units, `estimateRestock` lists them (`Wanted.restocks`).
 * @throws NotFound; PaymentInProgress while a gateway processes one of the order's payments
 */
export async function lockShipment(
  tx: Tx,
  number: string,
  estimateRestock?: EstimateRestock,
): Promise<LockedShipment> {
  const key = requireFound(await findShipmentKey(tx, number));
  const find = ({ shipments }: OrderGraph) => shipments.find(({ id }) => id === key.id);
  const restocks = (order: OrderGraph): readonly PlacedChange[] => {
    const shipment = order.completed_at === null ? undefined : find(order);
    return shipment === undefined ? [] : (estimateRestock?.(shipment) ?? []);
  };
  const wanted = estimateRestock === undefined ? {} : { restocks };
  const order = await lockOrder(tx, { id: key.order_id }, wanted);
  const shipment = requireFound(find(order));
  return { order, shipment };
}
