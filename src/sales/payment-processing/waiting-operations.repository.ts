import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { Waiting } from './gateways/gateway';
import type { OperationKey } from './payment-operations.repository';

/** How long a capture, void or credit that waits is left alone, in minutes, before `confirm` is called again. */
const ASK_AGAIN_MINUTES = 60;
/** How long charges wait without a default store. */
const DEFAULT_WAIT_MINUTES = 60;

// A charge waits for as long as the store allows, however often `confirm` is called.
const NOTE_WAITING = {
  name: 'note_waiting_operation',
  sql: `WITH waiting AS (
       UPDATE payment_operations
          SET waits_until = CASE
                WHEN kind NOT IN ('authorize', 'purchase') THEN clock_timestamp() + interval '${ASK_AGAIN_MINUTES} minutes'
                ELSE coalesce(waits_until, clock_timestamp() + make_interval(mins =>
                  coalesce((SELECT payment_wait_minutes FROM stores WHERE is_default), ${DEFAULT_WAIT_MINUTES}))) END,
              requires_action = ?::jsonb, response_code = coalesce(?, response_code)
        WHERE idempotency_key = ? AND state = 'started'),
     noted AS (UPDATE payments SET updated_at = updated_at WHERE id = ?)
     UPDATE orders SET updated_at = updated_at WHERE id = ?`,
};

/**
 * Notes that the gateway waits with its decision on a locked operation. The settling job calls
 * `confirm` again when `waits_until` has passed.
 */
export async function noteWaiting(
  tx: Tx,
  { idempotency_key, payment_id, order_id }: OperationKey,
  { requires_action, response_code }: Waiting,
): Promise<void> {
  const action = requires_action === null ? null : JSON.stringify(requires_action);
  await queryPrepared(tx, NOTE_WAITING, [action, response_code, idempotency_key, payment_id, order_id]);
}

/** The running gateway calls of an order. */
export interface RunningRequests {
  /** An opaque value that changes when a call finishes or another one starts. */
  name: string;
  /** All of them wait for the buyer or the provider, which can take long. */
  wait: boolean;
}

/** Returns the running gateway calls of an order; null if none is running. */
export async function findRunningRequests(db: Db, orderId: number): Promise<RunningRequests | null> {
  const { rows } = await db.raw<{ rows: { name: string | null; wait: boolean | null }[] }>(
    `SELECT string_agg(concat_ws('/', p.id, (SELECT max(o.id) FROM payment_operations o WHERE o.payment_id = p.id)),
                       ' ' ORDER BY p.id) AS name,
            bool_and(EXISTS (SELECT FROM payment_operations o WHERE o.payment_id = p.id AND o.state = 'started'
                                AND o.waits_until IS NOT NULL)) AS wait
       FROM payments p WHERE p.order_id = ? AND p.state = 'processing'`,
    [orderId],
  );
  const { name = null, wait = null } = rows[0] ?? {};
  return name === null ? null : { name, wait: wait === true };
}

/**
 * Returns whether a charge of an order was given up: its provider may still approve it, and a refund of it may still fail, so its
 * payment must be kept.
 */
export async function hasGivenUpCharges(db: Db, orderId: number): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM payment_operations op JOIN payments p ON p.id = op.payment_id
      WHERE p.order_id = ? AND op.state = 'declined' AND op.kind IN ('authorize', 'purchase')
        AND op.waits_until IS NOT NULL LIMIT 1`,
    [orderId],
  );
  return rows.length > 0;
}
