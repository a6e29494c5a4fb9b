import { hasRow } from '../platform/database/has-row';
import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';
import type { NotedEvent } from '../sales/order/order-events';

/** Notes of transactions that are not published yet. */
export type EventNote = { id: string; created_at: Date; subject_id: number; transaction_id: string } & (
  | { kind: 'order'; types: NotedEvent[]; record: object | null }
  | { kind: 'stock'; types: string[]; record: { before: number; after: number } }
  | { kind: 'return'; types: string[]; record: { state: string } }
  | { kind: 'product' | 'variant' | 'customer'; types: string[]; record: null }
);

/** Any number that only publishing locks. */
const LOCK = 7_340_129_121;

/** Returns whether there is something to publish. */
export async function hasNotes(db: Db): Promise<boolean> {
  // In this order, the index passes over what was published; a table is read with it.
  return hasRow(db('event_notes').orderBy('id').select('id'));
}

/** Makes this transaction the only one that publishes, until it ends. @returns false if another one does and `waits` is false */
export async function lockPublishing(tx: Tx, waits: boolean): Promise<boolean> {
  if (waits) {
    await tx.raw(`SELECT pg_advisory_xact_lock(${LOCK})`);
    return true;
  }
  const { rows } = await tx.raw<{ rows: { free: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(${LOCK}) AS free`,
  );
  return rows[0]?.free === true;
}

/** Takes the oldest notes with the others of their transactions. Notes of one record are in the order of its changes: each was written under its lock. */
export async function takeNotes(tx: Tx, size: number): Promise<EventNote[]> {
  const { rows } = await tx.raw<{ rows: EventNote[] }>(
    `WITH taken AS (
       DELETE FROM event_notes WHERE transaction_id = ANY(ARRAY(SELECT transaction_id FROM event_notes ORDER BY id LIMIT ?))
       RETURNING id, kind, subject_id, types, record, created_at, transaction_id)
     SELECT * FROM taken ORDER BY id`,
    [size],
  );
  return rows;
}
