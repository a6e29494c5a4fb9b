import type { Knex } from 'knex';

/** Tables whose rows name their order, and say when they were made. */
const TABLES = [
  'line_items',
  'shipments',
  'payments',
  'adjustments',
  'return_authorizations',
  'state_changes',
];

/**
 * Moves what was just written about an order to `at`, a time in the past; what was moved before stays. The database
 * stamps rows by its own clock, which is no story's. One statement; the order among the rows is kept, since the time
 * between them is. Expects that the chapter noted a change of state, and that `at` is half an hour ago or longer.
 */
export async function setTimes(db: Knex, orderId: number, at: Date): Promise<void> {
  const updates = TABLES.map(
    (table) => `${table}_moved AS (
      UPDATE ${table} SET created_at = fresh.story + (created_at - fresh.began) FROM fresh
       WHERE order_id = :order AND created_at > fresh.bound)`,
  );
  await db.raw(
    `WITH fresh AS (
       SELECT story, bound, min(created_at) AS began
         FROM (SELECT CAST(:at AS timestamptz) AS story, CAST(:at AS timestamptz) + interval '20 minutes' AS bound) times
         JOIN state_changes ON order_id = :order AND created_at > bound
        GROUP BY story, bound),
     ${updates.join(',\n')},
     refunds_moved AS (
       UPDATE refunds SET created_at = fresh.story FROM fresh, payments
        WHERE payments.id = refunds.payment_id AND payments.order_id = :order AND refunds.created_at > fresh.bound)
     UPDATE orders SET created_at = fresh.story FROM fresh WHERE orders.id = :order AND orders.created_at > fresh.bound`,
    { order: orderId, at },
  );
}
