import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';

/**
 * Dates the line items and shipments of an imported order to its completion, so that they count as sold then: taxes and
 * promotions of today do not apply to them.
 */
export async function dateImportedParts(tx: Tx, { id, completed_at }: LockedOrder): Promise<void> {
  for (const table of ['line_items', 'shipments']) {
    await tx(table).where({ order_id: id }).update({ created_at: completed_at });
  }
}
