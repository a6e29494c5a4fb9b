import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Conflict } from '../errors';
import { isPgError, isTransient } from './pg-errors';

declare const inTransaction: unique symbol;

/** A connection inside a transaction. Functions that write require it, so that writes outside a transaction do not compile. */
export type Tx = Knex.Transaction & { readonly [inTransaction]: true };

/**
 * Thrown by the work of `withTransaction` to restart the transaction. Use it if a needed lock is taken and the lock order
 * forbids waiting for it.
 */
export class Restart extends Error {}

const ATTEMPTS = 3;

/**
 * Runs `work` in one transaction. Only use cases of services call it. After a deadlock, a serialization failure or a
 * `Restart`, `work` runs again, up to 3 times in total, so SQL must be its only effect.
 * @throws Conflict if the conflict persists or a lock timeout expires; any error of `work`
 */
export async function withTransaction<T>(ctx: { db: Knex }, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      // The brand exists only at compile time, and is applied only here.
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
