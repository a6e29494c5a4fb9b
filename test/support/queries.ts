import type { Knex } from 'knex';
import { testDb } from './database';

/**
 * Returns the number of statements that `work` sends to the database. Other tests of the file run before or
 * after it.
 */
export async function countQueries(work: () => Promise<unknown>, db: Knex = testDb()): Promise<number> {
  return (await listQueries(work, db)).length;
}

/** Returns the statements that `work` sends to the database, with numbered placeholders. */
export async function listQueries(work: () => Promise<unknown>, db: Knex = testDb()): Promise<string[]> {
  const sent: string[] = [];
  const note = ({ sql }: { sql: string }): void => {
    sent.push(sql);
  };
  db.on('query', note);
  try {
    await work();
  } finally {
    db.off('query', note);
  }
  return sent;
}

/** The members of a client of knex and its connections that `countWaits` uses; knex declares clients as any. */
interface PoolClient {
  acquireConnection(): Promise<PooledConnection>;
}
type Callback = (error: unknown, result?: unknown) => void;
interface PooledConnection {
  query: (statement: { text: string }, callback: Callback) => unknown;
}

/** Returns the number of round trips of `work` to the database. Statements that are sent together make one. */
export async function countWaits(work: () => Promise<unknown>): Promise<number> {
  const client = testDb().client as PoolClient; // see its declaration
  const acquireConnection = client.acquireConnection.bind(client);
  const changed = new Map<PooledConnection, PooledConnection['query']>();
  let waits = 0;
  client.acquireConnection = async () => {
    const connection = await acquireConnection();
    if (changed.has(connection)) return connection;
    const query = connection.query.bind(connection);
    changed.set(connection, connection.query);
    let isAnswered = true;
    connection.query = (statement, callback) => {
      // BEGIN is sent with the next statement.
      if (/^BEGIN\b/.test(statement.text)) return query(statement, callback);
      if (isAnswered) waits++;
      isAnswered = false;
      return query(statement, (error, result) => {
        isAnswered = true;
        callback(error, result);
      });
    };
    return connection;
  };
  try {
    await work();
  } finally {
    client.acquireConnection = acquireConnection;
    for (const [connection, query] of changed) connection.query = query;
  }
  return waits;
}
