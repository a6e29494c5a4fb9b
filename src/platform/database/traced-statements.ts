import type { Client } from 'pg';
import { startStatementSpan } from '../tracing';
import type { Connection } from './pooled-connection';

/** Reports the statements of a connection as spans of the requests that send them, with their text but without values. */
export function traceStatements(connection: Client): void {
  // As in connection.ts, whose function is called here.
  const send = connection.query.bind(connection) as unknown as Connection['query'];
  const query: Connection['query'] = (statement, callback) => {
    const end = startStatementSpan(statement.text);
    if (end === null) return send(statement, callback);
    send(statement, (error, result) => {
      end(error);
      callback(error, result);
    });
  };
  connection.query = query as Client['query'];
}
