import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import { keepAmounts } from './move-cost.repository';

/*
 * The freight that was sold stays with the order until staff change it. A shipment that loses its last unit is deleted,
 * so what it cost is kept in `released_freights` until the order gets another shipment.
 */

/**
 * Keeps the cost, the method and the adjustments of the shipments of a complete order that have no units left, for the
 * next shipment. Delete them afterwards. One statement.
 */
export async function releaseFreights(tx: Tx, order: LockedOrder): Promise<void> {
  if (order.completed_at === null) return;
  await tx.raw(
    `INSERT INTO released_freights (order_id, shipping_method_id, cost, adjustments)
     SELECT s.order_id, rate.shipping_method_id, s.cost,
            coalesce((SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM adjustments a WHERE a.shipment_id = s.id AND a.eligible), '[]')
       FROM shipments s LEFT JOIN shipping_rates rate ON rate.shipment_id = s.id AND rate.selected
      WHERE s.order_id = ? AND s.state <> 'canceled' AND s.cost > 0
        AND NOT EXISTS (SELECT FROM inventory_units WHERE inventory_units.shipment_id = s.id)`,
    [order.id],
  );
}

/**
 * Gives a new shipment of a complete order the cost and the adjustments of its released freights. Two statements, or one
 * if there are none.
 * @returns the id of their shipping method; null if there are none
 */
export async function takeReleasedFreights(
  tx: Tx,
  order: LockedOrder,
  shipmentId: number,
): Promise<number | null> {
  const { rows } = await tx.raw<{ rows: { shipping_method_id: number | null }[] }>(
    `WITH taken AS (DELETE FROM released_freights WHERE order_id = :order RETURNING *),
     charged AS (
       UPDATE shipments SET cost = cost + (SELECT sum(cost) FROM taken), fixed_cost = cost + (SELECT sum(cost) FROM taken)
        WHERE id = :to AND order_id = :order AND EXISTS (SELECT FROM taken)),
     adjusted AS (
       INSERT INTO adjustments (order_id, shipment_id, source_type, source_id, amount, label, mandatory, included, eligible,
                                closed, taxed, rate, included_rates, action_type, percent, created_at)
       SELECT :order, :to, a.source_type, a.source_id, sum(a.amount), min(a.label), coalesce(bool_or(a.mandatory), false), bool_or(a.included), true,
              true, coalesce(bool_or(a.taxed), false), min(a.rate), min(a.included_rates), min(a.action_type), min(a.percent),
              coalesce(min(a.created_at), date_trunc('milliseconds', now()))
         FROM taken CROSS JOIN LATERAL jsonb_populate_recordset(NULL::adjustments, taken.adjustments) a
        GROUP BY a.source_type, a.source_id, CASE WHEN a.source_type IS NULL THEN a.id END)
     SELECT shipping_method_id FROM taken ORDER BY id`,
    { order: order.id, to: shipmentId },
  );
  if (rows.length === 0) return null;
  await keepAmounts(tx, order, shipmentId);
  return rows.find(({ shipping_method_id }) => shipping_method_id !== null)?.shipping_method_id ?? null;
}

/** Forgets the released freights of an order, because staff decide what its freight costs. One statement. */
export async function forgetReleasedFreights(tx: Tx, order: LockedOrder): Promise<void> {
  await tx('released_freights').where({ order_id: order.id }).delete();
}

/** Returns the released freights of an order, with the sum that is taxed. */
export async function findReleasedFreights(
  db: Db,
  orderId: number,
): Promise<{ id: number; shipping_method_id: number | null; taxable: string }[]> {
  const { rows } = await db.raw<{
    rows: { id: number; shipping_method_id: number | null; taxable: string }[];
  }>(
    `SELECT f.id, f.shipping_method_id, (f.cost + coalesce((
              SELECT sum(a.amount) FROM jsonb_populate_recordset(NULL::adjustments, f.adjustments) a
               WHERE a.source_type = 'Store::PromotionAction' OR a.taxed), 0))::text AS taxable
       FROM released_freights f WHERE f.order_id = ? ORDER BY f.id`,
    [orderId],
  );
  return rows;
}

/** Replaces the taxes of a released freight of the order. */
export async function replaceReleasedTaxes(
  tx: Tx,
  order: LockedOrder,
  { id, taxes }: { id: number; taxes: readonly object[] },
): Promise<void> {
  await tx.raw(
    `UPDATE released_freights SET adjustments = ?::jsonb || coalesce((
              SELECT jsonb_agg(kept) FROM jsonb_array_elements(adjustments) kept
               WHERE kept ->> 'source_type' IS DISTINCT FROM 'Store::TaxRate'), '[]')
      WHERE id = ? AND order_id = ?`,
    [JSON.stringify(taxes), id, order.id],
  );
}
