import type { Knex } from 'knex';
import type { Client } from 'pg';

/** The value of a `?` placeholder; an array for `= ANY(?)` and `unnest(?)`. */
export type Binding = string | number | boolean | Date | Buffer | null | string[] | number[];

/** A statement as PostgreSQL receives it. */
export interface SentStatement {
  text: string;
  /** The name under which it is prepared; not prepared without one. */
  name?: string;
  values?: readonly Binding[];
}

type Callback = (error: Error | null, result?: { rows: unknown[] }) => void;

/** A connection that runs statements: one of the pool, or that of a transaction. */
export interface Connection {
  /** The name that knex gives the connection of the pool. */
  readonly __knexUid: string;
  /** The name of the transaction, for query events. */
  readonly __knexTxId?: string;
  query(statement: SentStatement, callback: Callback): void;
}

/** A connection of the pool. */
export type PooledConnection = Connection & Client;

/** The members of a client of knex that this folder uses; knex declares clients as any. */
export interface ConnectionSource<Lent extends Connection = Connection> {
  acquireConnection(): Promise<Lent>;
  releaseConnection(connection: Lent): Promise<void>;
  emit(event: 'query' | 'query-error', ...values: unknown[]): void;
}

/** What a transaction sends its statements with: at once, before the call returns. */
export interface StatementSender {
  send(statement: SentStatement): Promise<unknown[]>;
}

/** Returns the client of knex that acquires and releases the connections of a pool. */
export function getConnectionSource(db: Knex): ConnectionSource<PooledConnection> {
  return db.client as ConnectionSource<PooledConnection>; // see its declaration
}

/** Sends a statement and emits the events that knex emits. @throws the error of the statement, with its text */
export function sendStatement(
  source: Pick<ConnectionSource, 'emit'>,
  connection: Connection,
  statement: SentStatement,
): Promise<unknown[]> {
  const { __knexUid, __knexTxId } = connection;
  const event = { __knexUid, __knexTxId, sql: statement.text, bindings: statement.values };
  source.emit('query', event);
  return new Promise((resolve, reject) => {
    connection.query(statement, (error, result) => {
      if (error == null) return resolve(result?.rows ?? []);
      error.message = `${statement.text} - ${error.message}`;
      source.emit('query-error', error, event);
      reject(error);
    });
  });
}
