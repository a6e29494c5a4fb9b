import type { Knex } from 'knex';
import { testDb } from './database';

/**
 * Resolves once a statement of another connection waits for a lock of this transaction, so that the next
 * statements of the transaction run while the other one waits.
 */
export async function waitUntilBlockedBy(tx: Knex.Transaction): Promise<void> {
  const { rows } = await tx.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const waiting = await testDb().raw<{ rows: unknown[] }>(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ? = ANY(pg_blocking_pids(pid))',
      [rows[0]?.pid ?? 0],
    );
    if (waiting.rows.length > 0) return;
  }
  throw new Error('no statement waits for a lock of this transaction');
}

/** Resolves once this many statements wait for locks. */
export async function waitUntilWaiting(count: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const { rows } = await testDb().raw<{ rows: unknown[] }>(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (rows.length >= count) return;
  }
  throw new Error(`fewer than ${count} statements wait for locks`);
}
