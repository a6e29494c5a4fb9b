import type { Tx } from '../../platform/database/transaction';

/** The day of an order, in UTC. */
const DAY = `CAST(orders.completed_at AT TIME ZONE 'UTC' AS date)`;

/**
 * Counts the units that each product has sold on each day from `from`, of those days on which an order was completed that has
 * changed since `since`; of all days for null. Canceled orders do not count. @returns the ids of products whose numbers changed
 */
export async function countDailySales(tx: Tx, from: Date, since: Date | null): Promise<number[]> {
  const { rows } = await tx.raw<{ rows: { product_id: number }[] }>(
    `WITH days AS MATERIALIZED (
       SELECT DISTINCT ${DAY} AS day FROM orders
       WHERE completed_at >= :from AND (CAST(:since AS timestamptz) IS NULL OR feed_at >= :since)
     ),
     counted AS MATERIALIZED (
       SELECT variants.product_id, ${DAY} AS day, CAST(sum(line_items.quantity) AS integer) AS units
       FROM orders JOIN line_items ON line_items.order_id = orders.id JOIN variants ON variants.id = line_items.variant_id
       WHERE orders.completed_at >= (SELECT min(day) FROM days) AND orders.completed_at >= :from AND orders.state <> 'canceled'
         AND ${DAY} IN (SELECT day FROM days)
       GROUP BY variants.product_id, ${DAY}
     ),
     removed AS (
       DELETE FROM product_sales WHERE day < CAST(:from AS date)
         OR (day IN (SELECT day FROM days) AND (product_id, day) NOT IN (SELECT product_id, day FROM counted))
       RETURNING product_id
     ),
     written AS (
       INSERT INTO product_sales AS sales (product_id, day, units)
       SELECT product_id, day, units FROM counted ORDER BY product_id, day
       ON CONFLICT (product_id, day) DO UPDATE SET units = EXCLUDED.units WHERE sales.units <> EXCLUDED.units
       RETURNING product_id
     )
     SELECT product_id FROM removed UNION SELECT product_id FROM written`,
    { from, since },
  );
  return rows.map(({ product_id }) => product_id);
}

/** Writes the sums of these products to their listings, which it locks in the order of all other transactions. */
export async function writeUnitsSold(tx: Tx, productIds: readonly number[]): Promise<void> {
  const ids = [...productIds];
  await tx.raw('SELECT FROM product_listings WHERE product_id = ANY(?) ORDER BY product_id FOR UPDATE', [
    ids,
  ]);
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `UPDATE product_listings SET units_sold = counted.units
     FROM (
       SELECT id, COALESCE((SELECT sum(units) FROM product_sales WHERE product_id = id), 0) AS units
       FROM unnest(CAST(? AS integer[])) AS id
     ) AS counted
     WHERE product_listings.product_id = counted.id AND units_sold <> counted.units
     RETURNING 1`,
    [ids],
  );
  // Kept replies have the former order.
  if (rows.length > 0) await tx.raw(`INSERT INTO catalog_revisions (kind) VALUES ('product')`);
}

/** Returns whether the transaction may count: one instance does at a time. */
export async function lockCounting(tx: Tx): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { free: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(hashtext('product_sales')) AS free`,
  );
  return rows[0]?.free === true;
}
