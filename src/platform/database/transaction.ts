import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Ctx } from '../../access/context';
import { Conflict } from '../../errors/errors';
import { isPgError, isTransient } from './pg-errors';

declare const inTransaction: unique symbol;

/** A connection inside a transaction. Writers ask for it, so that a write outside one does not compile. */
export type Tx = Knex.Transaction & { readonly [inTransaction]: true };

/**
 * Thrown by the work of `withTransaction` to have the whole of it run again: a lock is needed that may not be waited
 * for any more, and by then its holder will be done.
 */
export class Restart extends Error {}

/** What a request adds to its transactions (`Idempotency-Key`, `If-Match`); use cases do not know of it. */
export interface TransactionHooks {
  /** Gets the result of the next transaction when an earlier attempt at the same request has committed it. */
  recall(): { result: unknown } | null;
  /** The isolation of the next transaction, where it is not the database's own. */
  isolationLevel(): 'repeatable read' | undefined;
  /** Runs first in the transaction. */
  begin(tx: Tx): Promise<void>;
  /** Runs last in the transaction, just before its commit. */
  end(tx: Tx, result: unknown): Promise<void>;
  /** Runs after the commit. */
  committed(): void;
}

export interface TransactionOptions {
  /**
   * Whether running the work again after its commit changes nothing and gives the same result, as with the answer of a
   * gateway. Such a transaction is run again when its request is repeated after a crash; the result of any other is recalled.
   */
  isRepeatable?: boolean;
}

const ATTEMPTS = 3;

/**
 * Runs `work` in one transaction, begun by service use cases only. When PostgreSQL breaks a deadlock or a
 * serialization conflict, or the work asks for it (`Restart`), the whole work runs again (3 times at most): it must
 * have no effect but SQL.
 *
 * In a request with an `Idempotency-Key` the result is kept by the transaction itself, and recalled instead of running the
 * work when the request is sent again after a crash: it consists of plain data, dates, buffers and bigints.
 * @throws Conflict when the conflict stays, or a lock is not had within the time-out; whatever `work` throws
 */
export async function withTransaction<T>(
  ctx: Pick<Ctx, 'db' | 'transactionHooks'>,
  work: (tx: Tx) => Promise<T>,
  { isRepeatable = false }: TransactionOptions = {},
): Promise<T> {
  const hooks = isRepeatable ? undefined : ctx.transactionHooks;
  const recalled = hooks?.recall() ?? null;
  // What was kept in this place is what this very work has returned.
  if (recalled !== null) return recalled.result as T;
  const done = await attempted(() => runHooked(ctx.db, hooks, work));
  hooks?.committed();
  return done;
}

async function runHooked<T>(
  db: Ctx['db'],
  hooks: TransactionHooks | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  // The brand exists at compile time only: this is the one place that may claim it.
  if (hooks === undefined) return db.transaction((tx) => work(tx as Tx));
  const isolationLevel = hooks.isolationLevel();
  const hooked = async (connection: Knex.Transaction) => {
    const tx = connection as Tx; // as above
    await hooks.begin(tx);
    const result = await work(tx);
    await hooks.end(tx, result);
    return result;
  };
  return isolationLevel === undefined ? db.transaction(hooked) : db.transaction(hooked, { isolationLevel });
}

/** Tries again what may be tried again. */
async function attempted<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
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
