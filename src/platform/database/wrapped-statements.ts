import type { Client } from 'pg';
import type { Connection } from './pooled-connection';

type Query = Connection['query'];

/** Makes a connection send its statements by a function that is given what sent them before. */
export function wrapStatements(connection: Client, wrap: (send: Query) => Query): void {
  // pg declares queries as promises; with a callback, as knex and this folder call it, it returns none.
  const send = connection.query.bind(connection) as unknown as Query;
  connection.query = wrap(send) as Client['query'];
}
