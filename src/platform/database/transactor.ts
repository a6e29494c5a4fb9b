import type { Knex } from 'knex';
import { destroyConnection } from './connection';
import {
  sendStatement,
  getConnectionSource,
  type Connection,
  type ConnectionSource,
  type PooledConnection,
} from './pooled-connection';

let count = 0;

/**
 * A connection of the pool during one transaction. After the end of the transaction it refuses statements, also those
 * that were built before, because the connection may already run another transaction.
 */
export class TransactionConnection implements Connection {
  readonly __knexUid: string;
  readonly __knexTxId = `tx${(count += 1)}`;
  #isEnded = false;
  #listeners: (() => void)[] = [];

  constructor(readonly pooled: PooledConnection) {
    this.__knexUid = pooled.__knexUid;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Calls the listener once, when the next statement is sent. */
  onNextStatement(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Refuses statements from now on. COMMIT and ROLLBACK are sent by the connection of the pool. */
  end(): void {
    this.#isEnded = true;
  }

  /** Knex and `sendStatement` call it. */
  query(...[statement, callback]: Parameters<Connection['query']>): void {
    if (this.#isEnded) {
      process.nextTick(callback, new Error('the transaction has already ended'));
      return;
    }
    this.pooled.query(statement, callback);
    if (this.#listeners.length === 0) return;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/** A transaction that has begun on a connection of its own. */
export interface OpenTransaction {
  tx: Knex.Transaction;
  /** Sends COMMIT. The transaction refuses statements from now on. @throws the error of PostgreSQL */
  commit: () => Promise<void>;
  /** Sends ROLLBACK; refuses statements likewise. Never throws: if ROLLBACK fails, the connection is closed. */
  rollBack: () => Promise<void>;
  /** Returns the connection to the pool. */
  release: () => Promise<void>;
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
  isolationLevel?: 'repeatable read',
): Promise<OpenTransaction> {
  if (db.isTransaction === true) return beginSavepoint(db as Knex.Transaction); // it has this member only then
  const source = getConnectionSource(db);
  const pooled = await source.acquireConnection();
  const connection = new TransactionConnection(pooled);
  const release = (): Promise<void> => {
    // Whatever went wrong, the next request must not become part of this transaction.
    if (pooled.getTransactionStatus() !== 'I') destroyConnection(pooled);
    return source.releaseConnection(pooled);
  };
  const { __knexUid, __knexTxId } = connection;
  const frame: Connection = { __knexUid, __knexTxId, query: (...sent) => pooled.query(...sent) };
  const send = async (text: string): Promise<void> => {
    await sendStatement(source, frame, { text });
  };
  const end = (text: string): Promise<void> => {
    connection.end();
    return send(text);
  };
  const rollBack = async (): Promise<void> => {
    const timer = setTimeout(() => destroyConnection(pooled), ROLLBACK_MS);
    await end('ROLLBACK').catch(() => destroyConnection(pooled));
    clearTimeout(timer);
  };
  try {
    await send(
      isolationLevel === undefined ? 'BEGIN;' : `BEGIN TRANSACTION ISOLATION LEVEL ${isolationLevel};`,
    );
  } catch (error) {
    await release();
    throw error;
  }
  return { tx: createTransactor(db, connection), commit: () => end('COMMIT;'), rollBack, release };
}

async function beginSavepoint(tx: Knex.Transaction): Promise<OpenTransaction> {
  const name = `savepoint_${(count += 1)}`;
  await tx.raw(`SAVEPOINT ${name}`);
  const rollBack = async (): Promise<void> => void (await tx.raw(`ROLLBACK TO ${name}`));
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
 * that begin a builder. It begins no savepoints. `once` accepts only the event `query`.
 */
function createTransactor(db: Knex, connection: TransactionConnection): Knex.Transaction {
  const source: ConnectionSource = {
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    emit: (...event) => getConnectionSource(db).emit(...event),
  };
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
    client: source,
    isTransaction: true,
    isCompleted: () => connection.isEnded,
    once: (_event: 'query', listener: () => void) => connection.onNextStatement(listener),
  };
  // Knex declares more members, which nothing uses in a transaction.
  return Object.assign(transactor, members) as unknown as Knex.Transaction;
}
