import { randomUUID } from 'node:crypto';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { PublishedEvent } from '../../platform/queue/event-consumer';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { deliverySearch } from './webhooks.search';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export interface DeliveryRow {
  /** A bigint, as text in rows. */
  id: number;
  webhook_id: number;
  /** Null for a test. */
  event_id: string | null;
  event_type: string;
  status: (typeof DELIVERY_STATUSES)[number];
  attempts: number;
  first_attempt_at: Date | null;
  last_attempt_at: Date | null;
  next_attempt_at: Date;
  code: number | null;
  response: string | null;
  created_at: Date;
}

const COLUMNS = [
  ...['id', 'webhook_id', 'event_id', 'event_type', 'status', 'attempts', 'first_attempt_at'],
  ...['last_attempt_at', 'next_attempt_at', 'code', 'response', 'created_at'],
].map((column) => `webhook_deliveries.${column}`);

export async function findDeliveryPage(
  db: Db,
  webhookId: number,
  list: ListQuery,
): Promise<Page<DeliveryRow>> {
  const matching = applyFilters(
    db('webhook_deliveries').where('webhook_deliveries.webhook_id', webhookId),
    list,
    deliverySearch,
  );
  const select = (rows: typeof matching) => rows.select<DeliveryRow[]>(COLUMNS);
  return findRowPage(db, { matching, select }, list, deliverySearch);
}

/**
 * Inserts a delivery of each event for each active webhook that wants its type, due with the one of its subject that it waits for.
 * Locks the webhooks, because the transaction that deletes one would let the insert fail.
 */
export async function insertDeliveries(tx: Tx, events: readonly PublishedEvent[]): Promise<void> {
  await tx.raw(
    `INSERT INTO webhook_deliveries (webhook_id, event_id, event_type, subject, next_attempt_at)
     SELECT webhooks.id, event.id, event.type, event.subject,
            coalesce((SELECT earlier.next_attempt_at FROM webhook_deliveries AS earlier
                       WHERE earlier.webhook_id = webhooks.id AND earlier.subject = event.subject
                         AND earlier.status = 'pending'
                       ORDER BY earlier.id LIMIT 1), 'epoch')
       FROM json_to_recordset(?::json) AS event (id bigint, type text, subject text)
       JOIN webhooks ON active AND (events && ARRAY['*', event.type])
      ORDER BY event.id FOR KEY SHARE OF webhooks`,
    [
      JSON.stringify(
        events.map(({ id, type, subject_type, subject_id, order_id }) => ({
          id,
          type,
          // What belongs to an order is sent in its order.
          subject: order_id === null ? `${subject_type} ${subject_id}` : `order ${order_id}`,
        })),
      ),
    ],
  );
}

/** Inserts the delivery of a test, which waits for no other. */
export async function insertTestDelivery(tx: Tx, webhookId: number): Promise<DeliveryRow> {
  const [row] = await tx('webhook_deliveries')
    .insert({ webhook_id: webhookId, event_type: 'webhook.test', subject: `test ${randomUUID()}` })
    .returning<DeliveryRow[]>(COLUMNS);
  if (row === undefined) throw new Error('the delivery was not inserted');
  return row;
}

const IS_SENT_NOW = "status = 'pending' AND claimed_until >= :now";

/**
 * Begins deliveries anew. An attempt that is being sent is its first one: it is not sent beside it. They are locked by id, as all
 * that change several are.
 */
const restart = (condition: string, limit = ''): string =>
  `UPDATE webhook_deliveries
      SET status = 'pending', next_attempt_at = 'epoch',
          attempts = CASE WHEN ${IS_SENT_NOW} THEN attempts ELSE 0 END,
          first_attempt_at = CASE WHEN ${IS_SENT_NOW} THEN :now::timestamptz END,
          claimed_until = CASE WHEN ${IS_SENT_NOW} THEN claimed_until END
    WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_deliveries WHERE webhook_id = :webhookId AND ${condition} ORDER BY id ${limit} FOR UPDATE))`;

/** Those that wait for the delivery and were never sent. */
const WAITS_FOR_IT = `(id > :id AND status = 'pending' AND attempts = 0
  AND subject = (SELECT subject FROM webhook_deliveries WHERE id = :id AND webhook_id = :webhookId))`;

/** Begins a delivery anew; what waits for it follows at once. @returns undefined if the webhook has none with this id */
export async function restartDelivery(
  tx: Tx,
  values: { webhookId: number; id: number; now: Date },
): Promise<DeliveryRow | undefined> {
  const statement = `${restart(`(id = :id OR ${WAITS_FOR_IT})`)} RETURNING ${COLUMNS.join(', ')}`;
  const { rows } = await tx.raw<{ rows: DeliveryRow[] }>(statement, values);
  return rows.find(({ id }) => Number(id) === values.id);
}

/** Begins all deliveries of a webhook anew that are not finished. */
export async function restartPendingDeliveries(
  tx: Tx,
  values: { webhookId: number; now: Date },
): Promise<void> {
  await tx.raw(restart(`status = 'pending' AND (next_attempt_at > 'epoch' OR attempts > 0)`), values);
}

/** As `restartPendingDeliveries`, but only some of those that have a pause. @returns how many */
export async function restartSomePendingDeliveries(
  db: Db,
  values: { webhookId: number; now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    restart(`status = 'pending' AND next_attempt_at > 'epoch'`, 'LIMIT :limit'),
    values,
  );
  return rowCount;
}

/** A delivery that this process sends now. */
export interface ClaimedDelivery extends DeliveryRow {
  first_attempt_at: Date;
  url: string;
}

export interface Claim {
  now: Date;
  /** No other process sends it before this time. */
  until: Date;
  /** How many of one webhook are sent at once. */
  size: number;
  /** Webhooks that are sent enough already. */
  busy: readonly number[];
}

/**
 * Claims due deliveries of each active webhook: of one subject only the first that is not finished, so that its events
 * arrive in order. Deliveries claimed by a killed process are free again when their claim has ended.
 */
export async function claimDeliveries(db: Db, { now, until, size, busy }: Claim): Promise<ClaimedDelivery[]> {
  const { rows } = await db.raw<{ rows: ClaimedDelivery[] }>(
    `WITH due AS (
       SELECT found.id, webhooks.url
         FROM webhooks CROSS JOIN LATERAL (
           SELECT one.id FROM webhook_deliveries AS one
            WHERE one.webhook_id = webhooks.id AND one.status = 'pending' AND one.next_attempt_at <= :now
              AND (one.claimed_until IS NULL OR one.claimed_until < :now)
              AND NOT EXISTS (SELECT FROM webhook_deliveries AS earlier
                    WHERE earlier.webhook_id = one.webhook_id AND earlier.subject = one.subject
                      AND earlier.status = 'pending' AND earlier.id < one.id)
            ORDER BY one.next_attempt_at LIMIT :size FOR UPDATE SKIP LOCKED) AS found
        WHERE webhooks.active AND NOT webhooks.id = ANY (:busy))
     UPDATE webhook_deliveries
        SET claimed_until = :until, attempts = attempts + 1, last_attempt_at = :now,
            first_attempt_at = coalesce(first_attempt_at, :now)
       FROM due WHERE due.id = webhook_deliveries.id
     RETURNING ${COLUMNS.join(', ')}, due.url`,
    { now, until, size, busy: [...busy] },
  );
  return rows;
}

/** What became of an attempt. */
export interface Attempt {
  status: DeliveryRow['status'];
  code: number | null;
  response: string;
  next_attempt_at: Date | null;
}

/** How many deliveries one statement changes, so that it ends within its time limit. */
export const MOST_CHANGED = 5_000;

/**
 * Records an attempt, unless another process has taken the delivery over. What waits for a delivery is due with its next attempt: claims
 * would read all of it each second.
 */
export async function finishAttempt(
  db: Db,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  { status, code, response, next_attempt_at: next }: Attempt,
): Promise<void> {
  await db.raw(
    `WITH finished AS (
       UPDATE webhook_deliveries
          SET status = :status, code = :code, response = :response, claimed_until = NULL,
              next_attempt_at = coalesce(:next, next_attempt_at)
        WHERE id = :id AND attempts = :attempts AND status = 'pending'
       RETURNING id, webhook_id, subject),
     waiting AS (
       SELECT later.id FROM webhook_deliveries AS later JOIN finished
           ON later.webhook_id = finished.webhook_id AND later.subject = finished.subject AND later.id > finished.id
        WHERE later.status = 'pending' AND later.next_attempt_at < :next ORDER BY later.id LIMIT ${MOST_CHANGED}
          FOR UPDATE OF later)
     UPDATE webhook_deliveries SET next_attempt_at = :next WHERE id = ANY(ARRAY(SELECT id FROM waiting))`,
    { id, attempts, status, code, response, next },
  );
}

/** Deletes what is older than the events. @returns how many */
export async function deleteOldDeliveries(db: Db, before: Date): Promise<number> {
  return db('webhook_deliveries').where('created_at', '<', before).delete();
}
