import type { Knex } from 'knex';
import type { Connection, SentStatement, Session } from './session';

/** Returns the client of knex, which acquires and releases the sessions of a pool or that of its transaction. */
export function getClient(db: Knex): Knex.Client {
  return db.client as Knex.Client; // knex declares it as any
}

/** @throws if no session is available */
export async function acquireSession(client: Knex.Client): Promise<Session> {
  return (await client.acquireConnection()) as Session; // a `SessionPool` lends them
}

/** Sends a statement and emits the events that knex emits. @throws the error of the statement, with its text */
export function sendStatement(
  client: Knex.Client,
  connection: Connection,
  statement: SentStatement,
): Promise<object[]> {
  const event = { sql: statement.text, bindings: statement.values };
  client.emit('query', event);
  return new Promise((resolve, reject) => {
    connection.query(statement, (error, result) => {
      if (error == null) return resolve(result?.rows ?? []);
      error.message = `${statement.text} - ${error.message}`;
      client.emit('query-error', error, event);
      reject(error);
    });
  });
}
