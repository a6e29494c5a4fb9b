import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Conflict } from '../errors';
import { hasLocalSettings } from './knex';
import { isLockTimeout, isTransient } from './pg-errors';
import { queryPrepared, type BoundStatement } from './prepared';
import {
  beginTransaction,
  findCause,
  isRestart,
  relaxCommitOf,
  type OpenTransaction,
  type Sender,
} from './transactor';

export { Restart, runInSavepoint } from './transactor';

declare const inTransaction: unique symbol;

/**
 * A connection inside a transaction. Functions that write require it, so that writes outside a transaction do not
 * compile. A single statement that needs no BEGIN is a `BoundStatement`, which `runStatement` sends.
 */
export type Tx = Knex.Transaction & Sender & { readonly [inTransaction]: true };

/** What a request adds to its transactions (`Idempotency-Key`, `If-Match`). Use cases do not see it. */
export interface TransactionHooks {
  /** Returns the result of the next transaction if an earlier attempt at the same request committed it; else null. */
  recall(): { result: unknown } | null;
  /** The isolation level of the next transaction; undefined for the default. */
  isolationLevel(): 'repeatable read' | undefined;
  /** Runs first in the transaction. */
  begin(tx: Tx): Promise<void>;
  /** Runs last in the transaction, just before its commit. */
  end(tx: Tx, result: unknown): Promise<void>;
  /** Runs after the commit. */
  committed(): void;
}

/** A member of staff, a job or the command line, as the audit log names it. */
export interface Author {
  user_id: number | null;
  /** The e-mail address; for jobs and the command line, their name. */
  user_email: string;
  api_token_name: string | null;
  request_id: string | null;
  address: string | null;
}

/** What `withTransaction` needs of a context. */
export interface TransactionContext {
  db: Knex;
  /** Who makes the changes, for the audit log; undefined if they are not logged. */
  author?: Author | undefined;
  transactionHooks?: TransactionHooks | undefined;
}

export interface TransactionOptions {
  /**
   * Whether the work can run again after its commit, changes nothing then and returns the same result, as when it
   * records the result of a gateway call. It runs again when the request is repeated after a crash; results of others
   * are recalled.
   */
  isRepeatable?: boolean;
}

/**
 * Lets the transaction commit without waiting for the disk, if the setting CART_COMMITS allows it. A crash of the
 * database server may then undo it, and later ones of its kind, up to about a second after the commit. Never for
 * payments, stock or completed orders.
 */
export function relaxCommit(tx: Tx): void {
  relaxCommitOf(tx);
}

const ATTEMPTS = 3;

/** Sends statements that nothing waits for, in their order (`Sender.write`). */
export function sendAll(tx: Tx, writes: readonly BoundStatement[]): void {
  for (const { statement, bindings } of writes) tx.write(statement, bindings);
}

/**
 * Runs `work` in one transaction. Only use cases and jobs call it. After a deadlock, a serialization failure or a
 * `Restart`, `work` runs again, up to 3 times in total, so SQL must be its only effect.
 *
 * In a request with an `Idempotency-Key`, the transaction stores the result, and a repeated request recalls it instead
 * of running the work. The result must consist of plain data, dates, buffers and bigints.
 * @throws Conflict if the conflict persists or a lock is not free in time; any error of `work`
 */
export async function withTransaction<T>(
  ctx: TransactionContext,
  work: Work<T>,
  { isRepeatable = false }: TransactionOptions = {},
): Promise<T> {
  const hooks = isRepeatable ? undefined : ctx.transactionHooks;
  const recalled = hooks?.recall() ?? null;
  // The same work returned the result that is stored in this place.
  if (recalled !== null) return recalled.result as T;
  const authored: Work<T> = async (tx) => {
    if (ctx.author !== undefined) await nameAuthor(tx, ctx.author);
    return work(tx);
  };
  const done = await attempted(() =>
    hooks === undefined ? runPlain(ctx.db, authored) : runHooked(ctx.db, hooks, authored),
  );
  hooks?.committed();
  return done;
}

/**
 * Runs a use case that consists of one statement. PostgreSQL runs a single statement as a transaction, so BEGIN and
 * COMMIT are sent only if the transaction has more: hooks, the author for the audit log, or settings of the pool. Retries
 * as `withTransaction` does.
 * @param isRelaxed whether the commit need not wait for the disk (`relaxCommit`)
 * @throws as `withTransaction`
 */
export async function runStatement<Row>(
  ctx: TransactionContext,
  { statement, bindings }: BoundStatement,
  { isRelaxed = false } = {},
): Promise<Row[]> {
  const { db, author, transactionHooks } = ctx;
  if (author === undefined && transactionHooks === undefined && !hasLocalSettings(db)) {
    return attempted(() => queryPrepared<Row>(db, statement, bindings));
  }
  return withTransaction(ctx, async (tx) => {
    if (isRelaxed) relaxCommit(tx);
    return queryPrepared<Row>(tx, statement, bindings);
  });
}

/** Sets the author of the changes in this transaction; the triggers of the audit log read it. */
async function nameAuthor(tx: Tx, author: Author): Promise<void> {
  await tx.raw("SELECT set_config('store.author', ?, true)", [JSON.stringify(author)]);
}

/** The work of a transaction. */
export type Work<T> = (tx: Tx) => Promise<T>;

async function runPlain<T>(db: Knex, work: Work<T>): Promise<T> {
  const transaction = await beginTransaction(db);
  const tx = transaction.tx as Tx; // The brand exists at compile time only: this file is the one place that may claim it.
  return runInOpenTransaction(transaction, () => work(tx));
}

async function runHooked<T>(db: Knex, hooks: TransactionHooks, work: Work<T>): Promise<T> {
  const transaction = await beginTransaction(db, hooks.isolationLevel());
  const tx = transaction.tx as Tx; // as above
  return runInOpenTransaction(transaction, async () => {
    await hooks.begin(tx);
    const result = await work(tx);
    await hooks.end(tx, result);
    return result;
  });
}

/**
 * Runs `work` in an open transaction and ends it: with COMMIT, which is sent together with its writes, or with ROLLBACK if
 * `work` throws. Releases the connection.
 * @throws the error of `work`, of one of its writes or of COMMIT
 */
async function runInOpenTransaction<T>(
  { tx, commit, rollBack, release }: OpenTransaction,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work().catch(async (error: unknown) => {
      const cause = findCause(tx, error);
      await rollBack();
      throw cause;
    });
    const ended = await Promise.allSettled([tx.confirmWrites(), commit()]);
    for (const one of ended) if (one.status === 'rejected') throw findCause(tx, one.reason);
    return result;
  } finally {
    await release();
  }
}

/** Runs the transaction, again after deadlocks, serialization failures and `Restart`. */
async function attempted<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (isLockTimeout(error)) throw new Conflict('lock not available');
      if (!isTransient(error) && !isRestart(error)) throw error;
      if (attempt === ATTEMPTS) throw new Conflict('conflicting transactions');
      await wait(attempt * 10 * Math.random());
    }
  }
}
