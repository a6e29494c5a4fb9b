import type { Knex } from 'knex';
import { acquireSession, getClient, sendStatement } from './knex-client';
import { isPgError, isTransactionAborted, type PgError } from './pg-errors';
import { queryPrepared, sendOnPool, type PreparedStatement, type StatementSender } from './prepared';
import type { Binding, Callback, Connection, SentStatement, Session } from './session';

let count = 0;

/**
 * A session during one transaction. After the end of the transaction it refuses statements, also those that were built
 * before, because the session may already run another transaction.
 */
class TransactionConnection implements Connection {
  isEnded = false;
  /** The error of the first statement that failed, because of which PostgreSQL refuses all later ones; else null. */
  abortedBy: Error | null = null;

  constructor(readonly session: Session) {}

  query(statement: SentStatement, callback: Callback): void {
    if (this.isEnded) {
      process.nextTick(callback, new Error('the transaction has already ended'));
      return;
    }
    this.session.query(statement, (error, result) => {
      if (error != null) this.abortedBy ??= error;
      callback(error, result);
    });
  }
}

/**
 * Thrown by the work of `withTransaction` to restart the transaction. Use it if a needed lock is taken and the lock
 * order forbids waiting for it, or if a generated value is taken.
 */
export class Restart extends Error {}

/** Sends statements of a transaction. Each call sends at once, so statements run in the order of the calls. */
export interface Sender extends StatementSender {
  /** Sends a statement. @returns its rows */
  query<Row>(statement: PreparedStatement, bindings: readonly Binding[]): Promise<Row[]>;
  /**
   * Sends a statement that yields nothing, and does not wait for it. If it fails, the transaction fails with its error:
   * no later statement succeeds, nor does COMMIT.
   */
  write(statement: PreparedStatement, bindings: readonly Binding[]): void;
  /** Waits for what `write` has sent. Only the code that ends transactions needs it. @throws the first failure */
  confirmWrites(): Promise<void>;
  /** Identifies the pool, for what the process remembers of its database. */
  readonly pool: object;
}

/** A transaction that has begun on a connection of its own. */
export interface OpenTransaction {
  tx: Knex.Transaction & Sender;
  /** Sends COMMIT. The transaction refuses statements from now on. @throws the error of PostgreSQL */
  commit: () => Promise<void>;
  /** Sends ROLLBACK; refuses statements likewise. Never throws: if ROLLBACK fails, the connection is closed. */
  rollBack: () => Promise<void>;
  /** Returns the connection to the pool. */
  release: () => Promise<void>;
}

/** The connections of transactions. */
const connections = new WeakMap<object, TransactionConnection>();

/**
 * Returns why a transaction failed: the error itself, or that of the statement which made PostgreSQL refuse all others.
 * The errors of statements that were sent together may be known in another order.
 */
export function findCause(tx: object, error: unknown): unknown {
  return isTransactionAborted(error) ? (connections.get(tx)?.abortedBy ?? error) : error;
}

/** The time limit of ROLLBACK, as in knex. */
const ROLLBACK_MS = 5_000;

/**
 * Begins a transaction. It replaces `transaction` of knex, which creates the functions of a pool, a client and event
 * emitters for each transaction. Inside a transaction of knex, such as one that a test rolls back, it is a savepoint.
 * @throws if no connection is available
 */
export async function beginTransaction(
  db: Knex,
  isolationLevel: 'read committed' | 'repeatable read' = 'read committed',
): Promise<OpenTransaction> {
  if (db.isTransaction === true) return beginSavepoint(db as Knex.Transaction); // it has this member only then
  const client = getClient(db);
  const session = await acquireSession(client);
  const connection = new TransactionConnection(session);
  const send = async (text: string): Promise<void> => {
    await sendStatement(client, session, { text });
  };
  const end = (text: string): Promise<void> => {
    connection.isEnded = true;
    return send(text);
  };
  const rollBack = async (): Promise<void> => {
    const timer = setTimeout(() => session.destroy(), ROLLBACK_MS);
    await end('ROLLBACK').catch(() => session.destroy());
    clearTimeout(timer);
  };
  // Whatever went wrong, the next request must not become part of this transaction. The error of a COMMIT is known before
  // PostgreSQL reports that the session is idle; the reply to ROLLBACK comes after that.
  const release = async (): Promise<void> => {
    if (!session.isIdle()) await rollBack();
    if (!session.isIdle()) session.destroy();
    await client.releaseConnection(session);
  };
  try {
    await send(`BEGIN TRANSACTION ISOLATION LEVEL ${isolationLevel};`);
  } catch (error) {
    await release();
    throw error;
  }
  return { tx: createTransactor(db, connection), commit: () => end('COMMIT;'), rollBack, release };
}

/**
 * Runs a part of a transaction. If it fails, what it has written is undone, and the transaction can go on. Locks that the part has
 * taken are then released.
 * @throws the error of `work` or of one of its writes
 */
export async function runInSavepoint<T>(tx: Knex.Transaction & Sender, work: () => Promise<T>): Promise<T> {
  const { commit, rollBack } = await beginSavepoint(tx);
  try {
    const result = await work();
    await tx.confirmWrites();
    await commit();
    return result;
  } catch (error) {
    const cause = findCause(tx, error);
    await tx.confirmWrites().catch(() => undefined);
    await rollBack();
    throw cause;
  }
}

async function beginSavepoint(outer: Knex.Transaction): Promise<OpenTransaction> {
  const tx = addSender(outer, outer, (statement) => sendOnPool(outer, statement));
  const name = `savepoint_${(count += 1)}`;
  await tx.raw(`SAVEPOINT ${name}`);
  const rollBack = async (): Promise<void> => {
    await tx.raw(`ROLLBACK TO ${name}`);
    const connection = connections.get(tx);
    if (connection !== undefined) connection.abortedBy = null;
  };
  return {
    tx,
    commit: async () => {
      // Unlike COMMIT, RELEASE rolls nothing back after a failed statement.
      await tx.raw(`RELEASE ${name}`).catch(async (error: unknown) => {
        await rollBack();
        throw error;
      });
    },
    rollBack,
    release: () => Promise.resolve(),
  };
}

/**
 * Creates the object that builds the statements of a transaction: a call with a table, `raw`, `fn`, and the functions
 * that begin a builder. It begins no savepoints.
 */
function createTransactor(db: Knex, connection: TransactionConnection): Knex.Transaction & Sender {
  const build = (): Knex.QueryBuilder => db.queryBuilder().connection(connection);
  const transactor = (...table: Parameters<Knex>) => db(...table).connection(connection);
  const members = {
    raw: (sql: string, bindings: Knex.RawBinding) => db.raw(sql, bindings).connection(connection),
    fn: db.fn,
    queryBuilder: build,
    select: (...given: Parameters<Knex['select']>) => build().select(...given),
    from: (...given: Parameters<Knex['from']>) => build().from(...given),
    unionAll: (parts: Knex.QueryBuilder[], isWrapped?: boolean) => build().unionAll(parts, isWrapped),
    with: (name: string, query: Knex.QueryBuilder) => build().with(name, query),
    withMaterialized: (name: string, query: Knex.QueryBuilder) => build().withMaterialized(name, query),
    isTransaction: true,
  };
  // Knex declares more members, which nothing uses in a transaction.
  const builders = Object.assign(transactor, members) as unknown as Knex.Transaction;
  const client = getClient(db);
  const tx = addSender(builders, db, (statement) => sendStatement(client, connection, statement));
  connections.set(tx, connection);
  return tx;
}

/** Lets a transaction commit without waiting for the disk, if the pool allows it. */
export function relaxCommitOf(tx: object): void {
  connections.get(tx)?.session.relaxCommit();
}

/** Adds the members of `Sender` to a transaction, unless it has them. */
function addSender(
  tx: Knex.Transaction,
  pool: object,
  send: StatementSender['send'],
): Knex.Transaction & Sender {
  if ('confirmWrites' in tx) return tx as Knex.Transaction & Sender; // only this function adds them
  let unconfirmed: Promise<unknown>[] = [];
  const sender: Sender = {
    send,
    query: (statement, bindings) => queryPrepared(tx, statement, bindings),
    write: (statement, bindings) => {
      const written = queryPrepared(tx, statement, bindings).catch((error: unknown) => {
        if (isGeneratedValueTaken(statement, error)) restarting.add(error);
        throw error;
      });
      // `confirmWrites` throws the failure.
      written.catch(() => undefined);
      unconfirmed.push(written);
    },
    confirmWrites: async () => {
      const sent = unconfirmed;
      unconfirmed = [];
      await Promise.all(sent);
    },
    pool,
  };
  return Object.assign(tx, sender);
}

/** The errors because of which transactions run again. */
const restarting = new WeakSet<object>();

/** Returns whether a transaction should run again because of an error that it has thrown. */
export function isRestart(error: unknown): boolean {
  return error instanceof Restart || (error instanceof Error && restarting.has(error));
}

/** Whether a value that the program has chosen, such as a random number, is the one of another row. */
function isGeneratedValueTaken({ generates = [] }: PreparedStatement, error: unknown): error is PgError {
  return isPgError(error) && error.code === '23505' && generates.includes(error.constraint ?? '');
}
