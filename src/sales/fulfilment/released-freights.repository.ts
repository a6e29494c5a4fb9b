import type { Db } from '../../platform/database/knex';
import type { BoundStatement } from '../../platform/database/prepared';
import { sendAll, type Tx } from '../../platform/database/transaction';
import type { AdjustmentRow } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';

/*
 * The freight that was sold stays with the order until staff change it. A shipment that loses its last unit is deleted,
 * so what it cost is kept in `released_freights` until the order gets another shipment.
 */

/**
 * Keeps the cost, the method and the adjustments of the stored shipments of a complete order that have no units left, for
 * the next shipment. Remove them afterwards. One statement, which nothing waits for.
 */
export function releaseFreights(tx: Tx, order: LockedOrder): void {
  if (order.completed_at !== null) tx.write(RELEASE_FREIGHTS, [order.id]);
}

const RELEASE_FREIGHTS = {
  name: 'release_freights',
  sql: `INSERT INTO released_freights (order_id, shipping_method_id, cost, adjustments)
     SELECT s.order_id, rate.shipping_method_id, s.cost,
            coalesce((SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM adjustments a WHERE a.shipment_id = s.id AND a.eligible), '[]')
       FROM shipments s LEFT JOIN shipping_rates rate ON rate.shipment_id = s.id AND rate.selected
      WHERE s.order_id = ? AND s.state <> 'canceled' AND s.cost > 0
        AND NOT EXISTS (SELECT FROM inventory_units WHERE inventory_units.shipment_id = s.id)`,
};

/** Released freights of an order that are taxed alike, added up. The adjustments of the same source are added up, too. */
export interface TakenFreight {
  cost: string;
  method_id: number | null;
  method_name: string | null;
  method_code: string | null;
  adjustments: (Pick<
    AdjustmentRow,
    | ('source_type' | 'source_id' | 'amount' | 'label' | 'mandatory' | 'included' | 'taxed')
    | ('rate' | 'included_rates' | 'action_type' | 'percent')
  > & { created_at: string | null })[];
}

const TAKE_FREIGHTS = {
  name: 'take_released_freights',
  sql: `WITH taken AS (DELETE FROM released_freights WHERE order_id = ? RETURNING *),
     rated AS (
       SELECT taken.*, coalesce((SELECT string_agg(concat_ws(' ', a.source_id, trim_scale(a.rate)), ',' ORDER BY a.source_id, a.rate)
                                   FROM jsonb_populate_recordset(NULL::adjustments, taken.adjustments) a
                                  WHERE a.source_type = 'Store::TaxRate'), '') AS rates
         FROM taken),
     summed AS (
       SELECT rates, min(id) AS place, sum(cost)::text AS cost,
              (array_agg(shipping_method_id ORDER BY id) FILTER (WHERE shipping_method_id IS NOT NULL))[1] AS method_id
         FROM rated GROUP BY rates)
     SELECT cost, method_id, method.name AS method_name, method.code AS method_code,
            (SELECT coalesce(json_agg(merged ORDER BY merged.place), '[]') FROM (
               SELECT min(a.id) AS place, a.source_type, a.source_id, sum(a.amount)::text AS amount, min(a.label) AS label,
                      coalesce(bool_or(a.mandatory), false) AS mandatory, bool_or(a.included) AS included,
                      coalesce(bool_or(a.taxed), false) AS taxed, min(a.rate)::text AS rate,
                      min(a.included_rates)::text AS included_rates, min(a.action_type) AS action_type,
                      min(a.percent)::text AS percent, min(a.created_at) AS created_at
                 FROM rated CROSS JOIN LATERAL jsonb_populate_recordset(NULL::adjustments, rated.adjustments) a
                WHERE rated.rates = summed.rates
                GROUP BY a.source_type, a.source_id, CASE WHEN a.source_type IS NULL THEN a.id END) merged) AS adjustments
       FROM summed LEFT JOIN shipping_methods method ON method.id = method_id ORDER BY place`,
};

/** Takes the released freights of an order, which are gone then: one for each way in which they are taxed, the oldest first. */
export async function takeFreights(tx: Tx, order: LockedOrder): Promise<TakenFreight[]> {
  return tx.query<TakenFreight>(TAKE_FREIGHTS, [order.id]);
}

/** Forgets the released freights of an order, because staff decide what its freight costs. Waits for nothing. */
export function forgetReleasedFreights(tx: Tx, order: LockedOrder): void {
  sendAll(tx, [buildFreightsDeletion(order)]);
}

/** Builds the statement of `forgetReleasedFreights`. */
export function buildFreightsDeletion(order: LockedOrder): BoundStatement {
  return { statement: DELETE_FREIGHTS, bindings: [order.id] };
}

const DELETE_FREIGHTS = {
  name: 'delete_released_freights',
  sql: 'DELETE FROM released_freights WHERE order_id = ?',
};

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
