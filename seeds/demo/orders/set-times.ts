import type { Knex } from 'knex';

/** Tables with order_id and created_at. */
const TABLES = [
  'line_items',
  'shipments',
  'payments',
  'adjustments',
  'return_authorizations',
  'state_changes',
];

/**
 * Moves the timestamps of the order's new rows to `at`, a time in the past, because the database sets them by its own
 * clock. Rows that were moved before keep their times, and the intervals between rows are preserved. One statement.
 * Requires that the step has recorded a state change, and that `at` is at least half an hour ago.
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
