import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

/** States of payments for which no gateway holds money and no gateway call is running. */
const SETTLED = `('checkout', 'invalid', 'failed', 'void')`;

/**
 * Locks up to `limit` carts that are unchanged since `before` and have no authorized, captured or running payment.
 * Skips locked carts. Reads the payments again under the lock.
 * @returns their ids, and how many carts were examined
 */
export async function lockAbandonedCarts(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<{ ids: number[]; found: number }> {
  const candidates = await tx.raw<{ rows: { id: number }[] }>(
    `SELECT id FROM orders
      WHERE completed_at IS NULL AND state NOT IN ('complete', 'canceled') AND created_at < :before AND updated_at < :before
        AND NOT EXISTS (SELECT FROM payments WHERE order_id = orders.id AND payments.state NOT IN ${SETTLED})
      ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED`,
    { before, limit },
  );
  const found = candidates.rows.map(({ id }) => id);
  const busy = await tx.raw<{ rows: { order_id: number }[] }>(
    `SELECT order_id FROM payments WHERE order_id = ANY(?) AND state NOT IN ${SETTLED}`,
    [found],
  );
  const holdsMoney = new Set(busy.rows.map(({ order_id }) => order_id));
  return { ids: found.filter((id) => !holdsMoney.has(id)), found: found.length };
}

/** No cart is noted that was left long before the store began to note them, or was only looked at again. */
const NOTED_WITHIN_DAYS = 7;

/**
 * Notes the event of carts with line items and an e-mail address that are unchanged for the time of the store. A cart that is changed
 * and abandoned again is not noted again. @returns how many
 */
export async function noteAbandonedCarts(db: Db, now: Date): Promise<number> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `WITH abandoned AS (
       INSERT INTO abandoned_carts (order_id)
       SELECT orders.id FROM orders, stores
        WHERE stores.is_default AND completed_at IS NULL AND orders.state NOT IN ('complete', 'canceled')
          AND email IS NOT NULL AND total_quantity > 0
          AND orders.updated_at < CAST(:now AS timestamptz) - make_interval(hours => abandoned_cart_hours)
          AND orders.updated_at > CAST(:now AS timestamptz)
            - make_interval(hours => abandoned_cart_hours, days => :days)
       ON CONFLICT DO NOTHING RETURNING order_id)
     INSERT INTO event_notes (kind, subject_id, types)
     SELECT 'order', order_id, jsonb_build_array(jsonb_build_object('type', 'cart.abandoned', 'id', order_id))
       FROM abandoned RETURNING subject_id AS id`,
    { now, days: NOTED_WITHIN_DAYS },
  );
  return rows.length;
}

/**
 * Deletes locked carts and what belongs only to them: their addresses and credit cards without a user. The foreign keys
 * delete line items, payments and the like; the database refuses to delete some of these before their order.
 */
export async function deleteCarts(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const cards = await tx.raw<{ rows: { credit_card_id: number | null }[] }>(
    'SELECT credit_card_id FROM payments WHERE order_id = ANY(?)',
    [[...ids]],
  );
  const orders = await tx.raw<{ rows: { bill_address_id: number | null; ship_address_id: number | null }[] }>(
    'DELETE FROM orders WHERE id = ANY(?) RETURNING bill_address_id, ship_address_id',
    [[...ids]],
  );
  await deleteUnusedCards(tx, numbersIn(cards.rows.map((row) => row.credit_card_id)));
  await deleteUnusedAddresses(
    tx,
    numbersIn(orders.rows.flatMap((row) => [row.bill_address_id, row.ship_address_id])),
  );
}

function numbersIn(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

async function deleteUnusedCards(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.raw(
    `DELETE FROM credit_cards WHERE id = ANY(?) AND user_id IS NULL
        AND NOT EXISTS (SELECT FROM payments WHERE credit_card_id = credit_cards.id)`,
    [[...ids]],
  );
}

async function deleteUnusedAddresses(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.raw(
    `DELETE FROM addresses WHERE id = ANY(?) AND NOT EXISTS (
       SELECT FROM orders WHERE bill_address_id = addresses.id
       UNION ALL SELECT FROM orders WHERE ship_address_id = addresses.id
       UNION ALL SELECT FROM users WHERE bill_address_id = addresses.id
       UNION ALL SELECT FROM users WHERE ship_address_id = addresses.id)`,
    [[...ids]],
  );
}
