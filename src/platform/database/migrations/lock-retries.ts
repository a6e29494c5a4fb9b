import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { StartupError } from '../../startup-error';
import { isLockTimeout, isTransient } from '../pg-errors';

/** Statements that queue behind a waiting migration wait as long as it does. */
const LOCK_TIMEOUT_MS = 300;

/** The time between two attempts, in which others work; up to twice as long. */
const PAUSE_MS = 400;

const GIVE_UP_MS = 10 * 60_000;

/**
 * Runs `work` in a transaction that waits only briefly for locks. If one is not free, or after a deadlock, it runs again
 * a little later.
 * @throws StartupError if a lock is not free within ten minutes
 */
export async function withLockRetries(db: Knex, work: (tx: Knex) => Promise<void>): Promise<void> {
  await repeat(() =>
    db.transaction(async (tx) => {
      await tx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await work(tx);
    }),
  );
}

/** Runs a statement that may not be part of a transaction, again after a deadlock. @throws as `withLockRetries` */
export async function runAlone(db: Knex, prepare: () => Promise<void>, sql: string): Promise<void> {
  await repeat(async () => {
    await prepare();
    await db.raw(sql);
  });
}

async function repeat(attempt: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLockTimeout(error) && !isTransient(error)) throw error;
      if (Date.now() > deadline) throw explain(error);
    }
    await delay(PAUSE_MS * (1 + Math.random()));
  }
}

function explain(error: unknown): StartupError {
  const reason = error instanceof Error ? (error.message.split(' - ').at(-1) ?? '') : '';
  return new StartupError(
    `A migration waited ten minutes for a lock (${reason}): end the transactions that have been open for longest (pg_stat_activity), then start again`,
  );
}
