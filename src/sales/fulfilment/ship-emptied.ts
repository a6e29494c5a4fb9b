import type { Tx } from '../../platform/database/transaction';
import { insertStateChanges, type Cause } from '../order/state-changes.repository';
import type { ShipmentGraph } from '../order/order-graph';
import { openQuantity } from './shipment-units';
import { updateShipment } from './shipments.repository';

/**
 * A shipment that one unit has just left by itself has shipped when that was the last. Expects the order locked, and
 * `shipment` as it was before; `updateOrder` must come after it.
 */
export async function shipEmptied(
  tx: Tx,
  shipment: ShipmentGraph,
  { at, cause }: { at: Date; cause: Cause },
): Promise<void> {
  if (openQuantity(shipment) > 1) return;
  await noteShipped(tx, shipment, { at, cause });
}

/** A state, its time and its history come together. */
export async function noteShipped(
  tx: Tx,
  shipment: ShipmentGraph,
  { at, cause }: { at: Date; cause: Cause },
): Promise<void> {
  await updateShipment(tx, shipment.id, { state: 'shipped', shipped_at: at });
  const subject = { order_id: shipment.order_id, subject_type: 'shipment' as const, subject_id: shipment.id };
  await insertStateChanges(tx, [{ ...subject, from_state: shipment.state, to_state: 'shipped', ...cause }]);
}
