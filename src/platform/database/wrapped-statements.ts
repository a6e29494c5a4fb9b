import type { Connection } from './pooled-connection';

type Query = Connection['query'];

/** Makes a connection send its statements by a function that is given what sent them before. */
export function wrapStatements(connection: Connection, wrap: (send: Query) => Query): void {
  connection.query = wrap(connection.query.bind(connection));
}
