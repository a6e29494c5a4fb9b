import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';

/**
 * Makes a new shipment of the order one that had left before the order was imported: its units are shipped, and its history
 * begins with the import. One statement. The order updater leaves shipped shipments as they are.
 */
export async function markShipmentAsImported(
  tx: Tx,
  order: LockedOrder,
  { id, shipped_at }: { id: number; shipped_at: Date },
  { user_id, reason }: Cause,
): Promise<void> {
  await tx.raw(
    `WITH sent AS (
       UPDATE shipments SET state = 'shipped', shipped_at = :at, is_imported = true
        WHERE id = :id AND order_id = :order RETURNING id),
     units AS (UPDATE inventory_units SET state = 'shipped' FROM sent WHERE shipment_id = sent.id)
     INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state, user_id, reason)
     SELECT :order, 'shipment', id, 'pending', 'shipped', :user::integer, :reason FROM sent`,
    { id, order: order.id, at: shipped_at, user: user_id, reason },
  );
}

/**
 * Dates the line items and shipments of an imported order to its completion, so that they count as sold then: taxes and
 * promotions of today do not apply to them.
 */
export async function dateImportedParts(tx: Tx, { id, completed_at }: LockedOrder): Promise<void> {
  for (const table of ['line_items', 'shipments']) {
    await tx(table).where({ order_id: id }).update({ created_at: completed_at });
  }
}
