import type { LockedOrder } from '../order/order-lock';
import type { Tx } from '../../platform/database/transaction';
import type { AdjustmentRow } from '../order/order-graph';

export type NewAdjustment = Pick<
  AdjustmentRow,
  'line_item_id' | 'shipment_id' | 'source_type' | 'source_id' | 'amount' | 'label'
> &
  Partial<Pick<AdjustmentRow, 'mandatory' | 'included' | 'eligible' | 'closed'>>;

const COLUMNS = `id, order_id, line_item_id, shipment_id, source_type, source_id, amount::text, label, mandatory, included,
  eligible, closed, created_at, updated_at`;

/** Inserts adjustments of the order in one statement. @returns the stored rows */
export async function insertAdjustments(
  tx: Tx,
  order: LockedOrder,
  adjustments: readonly NewAdjustment[],
): Promise<AdjustmentRow[]> {
  if (adjustments.length === 0) return [];
  const { rows } = await tx.raw<{ rows: AdjustmentRow[] }>(
    `INSERT INTO adjustments (order_id, line_item_id, shipment_id, source_type, source_id, amount, label, mandatory,
                              included, eligible, closed)
     SELECT ?, line_item_id, shipment_id, source_type, source_id, amount, label, coalesce(mandatory, false),
            coalesce(included, false), coalesce(eligible, true), coalesce(closed, false)
       FROM json_to_recordset(?::json)
            AS a(line_item_id integer, shipment_id integer, source_type text, source_id integer,
                 amount numeric, label text, mandatory boolean, included boolean, eligible boolean, closed boolean)
     RETURNING ${COLUMNS}`,
    [order.id, JSON.stringify(adjustments)],
  );
  return rows;
}

/** Updates the calculated columns of adjustments of the order in one statement. */
export async function updateAdjustments(
  tx: Tx,
  order: LockedOrder,
  changes: readonly Pick<AdjustmentRow, 'id' | 'amount' | 'label' | 'included' | 'eligible'>[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.raw(
    `UPDATE adjustments SET amount = c.amount, label = c.label, included = c.included, eligible = c.eligible
       FROM json_to_recordset(?::json)
            AS c(id integer, amount numeric, label text, included boolean, eligible boolean)
      WHERE adjustments.id = c.id AND adjustments.order_id = ?`,
    [JSON.stringify(changes), order.id],
  );
}

/** Deletes adjustments of the order in one statement, or in none if `ids` is empty. */
export async function deleteAdjustments(tx: Tx, order: LockedOrder, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx('adjustments').where({ order_id: order.id }).whereIn('id', ids).delete();
}

/** Closes all adjustments of an order at completion: their amounts are final. */
export async function closeAdjustments(tx: Tx, order: LockedOrder): Promise<void> {
  await tx('adjustments').where({ order_id: order.id, closed: false }).update({ closed: true });
}

/** Deletes all adjustments of an order, its line items and its shipments. */
export async function deleteAdjustmentsOfOrder(tx: Tx, order: LockedOrder): Promise<void> {
  await tx('adjustments').where({ order_id: order.id }).delete();
}
