import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Conflict } from '../errors';
import { isPgError, isTransient } from './pg-errors';

declare const inTransaction: unique symbol;

/** A connection inside a transaction. Writers ask for it, so that a write outside one does not compile. */
export type Tx = Knex.Transaction & { readonly [inTransaction]: true };

/**
 * Thrown by the work of `withTransaction` to have the whole of it run again: a lock is needed that may not be waited
 * for any more, and by then its holder will be done.
 */
export class Restart extends Error {}

const ATTEMPTS = 3;

/**
 * Runs `work` in one transaction, begun by service use cases only. When PostgreSQL breaks a deadlock or a
 * serialization conflict, or the work asks for it (`Restart`), the whole work runs again (3 times at most): it must
 * have no effect but SQL.
 * @throws Conflict when the conflict stays, or a lock is not had within the time-out; whatever `work` throws
 */
export async function withTransaction<T>(ctx: { db: Knex }, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      // The brand exists at compile time only: this is the one place that may claim it.
      return await ctx.db.transaction((tx) => work(tx as Tx));
    } catch (error) {
      if (isLockTimeout(error)) throw new Conflict('lock not available');
      if (!isTransient(error) && !(error instanceof Restart)) throw error;
      if (attempt === ATTEMPTS) throw new Conflict('conflicting transactions');
      await wait(attempt * 10 * Math.random());
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return isPgError(error) && error.code === '55P03';
}
