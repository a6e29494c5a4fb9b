import type { Tx } from '../../platform/database/transaction';
import type { AdjustmentRow } from '../order/order-graph';

export type NewAdjustment = Pick<
  AdjustmentRow,
  'order_id' | 'line_item_id' | 'shipment_id' | 'source_type' | 'source_id' | 'amount' | 'label'
> &
  Partial<Pick<AdjustmentRow, 'mandatory' | 'included' | 'eligible' | 'closed'>>;

const COLUMNS = `id, order_id, line_item_id, shipment_id, source_type, source_id, amount::text, label, mandatory, included,
  eligible, closed, created_at, updated_at`;

/** Inserts adjustments in one statement. @returns the stored rows */
export async function insertAdjustments(
  tx: Tx,
  adjustments: readonly NewAdjustment[],
): Promise<AdjustmentRow[]> {
  if (adjustments.length === 0) return [];
  const { rows } = await tx.raw<{ rows: AdjustmentRow[] }>(
    `INSERT INTO adjustments (order_id, line_item_id, shipment_id, source_type, source_id, amount, label, mandatory,
                              included, eligible, closed)
     SELECT order_id, line_item_id, shipment_id, source_type, source_id, amount, label, coalesce(mandatory, false),
            coalesce(included, false), coalesce(eligible, true), coalesce(closed, false)
       FROM json_to_recordset(?::json)
            AS a(order_id integer, line_item_id integer, shipment_id integer, source_type text, source_id integer,
                 amount numeric, label text, mandatory boolean, included boolean, eligible boolean, closed boolean)
     RETURNING ${COLUMNS}`,
    [JSON.stringify(adjustments)],
  );
  return rows;
}

/** Updates the calculated columns of adjustments in one statement. */
export async function updateAdjustments(
  tx: Tx,
  changes: readonly Pick<AdjustmentRow, 'id' | 'amount' | 'label' | 'included' | 'eligible'>[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.raw(
    `UPDATE adjustments SET amount = c.amount, label = c.label, included = c.included, eligible = c.eligible
       FROM json_to_recordset(?::json)
            AS c(id integer, amount numeric, label text, included boolean, eligible boolean)
      WHERE adjustments.id = c.id`,
    [JSON.stringify(changes)],
  );
}

/** Deletes adjustments in one statement, or in none if `ids` is empty. */
export async function deleteAdjustments(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx('adjustments').whereIn('id', ids).delete();
}

/** Closes all adjustments of an order at completion: their amounts are final. */
export async function closeAdjustments(tx: Tx, orderId: number): Promise<void> {
  await tx('adjustments').where({ order_id: orderId, closed: false }).update({ closed: true });
}

/** Deletes all adjustments of an order, its line items and its shipments. */
export async function deleteAdjustmentsOfOrder(tx: Tx, orderId: number): Promise<void> {
  await tx('adjustments').where({ order_id: orderId }).delete();
}
