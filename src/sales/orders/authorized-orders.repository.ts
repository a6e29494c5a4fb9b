import type { Db } from '../../platform/database/knex';

/** The next page of orders after an id. */
type AuthorizedPage = { before: Date; retryBefore: Date; after: number; limit: number };

/** A condition: no gateway call for a payment of order `o` is running, and no void was tried since `retryBefore`. */
const CAN_BE_VOIDED = `NOT EXISTS (
  SELECT FROM payments p JOIN payment_operations op ON op.payment_id = p.id
   WHERE p.order_id = o.id AND (op.state = 'started' OR (op.kind = 'void' AND op.started_at > :retryBefore)))`;

/** Returns the ids of sold orders that cost nothing, are unchanged since `before` and have an authorized payment. */
export async function findAuthorizedFreeOrders(db: Db, page: AuthorizedPage): Promise<number[]> {
  const found = await db.raw<{ rows: { id: number }[] }>(
    `SELECT o.id FROM orders o
      WHERE o.completed_at IS NOT NULL AND o.total <= 0 AND o.updated_at < :before AND o.id > :after
        AND o.id IN (SELECT order_id FROM payments WHERE state = 'pending')
        AND ${CAN_BE_VOIDED}
      ORDER BY o.id LIMIT :limit`,
    page,
  );
  return found.rows.map(({ id }) => id);
}

/**
 * Returns the ids of carts that are unchanged since `before` and have an authorized payment, ascending from `after`.
 * Skips carts with a running gateway call, and those whose payments were tried to void since `retryBefore`.
 */
export async function findAuthorizedCarts(db: Db, page: AuthorizedPage): Promise<number[]> {
  const found = await db.raw<{ rows: { id: number }[] }>(
    `SELECT o.id FROM orders o
      WHERE o.completed_at IS NULL AND o.created_at < :before AND o.updated_at < :before AND o.id > :after
        AND EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.state = 'pending')
        AND ${CAN_BE_VOIDED}
      ORDER BY o.id LIMIT :limit`,
    page,
  );
  return found.rows.map(({ id }) => id);
}
