import { startStatementSpan } from '../tracing';
import type { Connection } from './pooled-connection';
import { wrapStatements } from './wrapped-statements';

/** Reports the statements of a connection as spans of the requests that send them, with their text but without values. */
export function traceStatements(connection: Connection): void {
  wrapStatements(connection, (send) => (statement, callback) => {
    const end = startStatementSpan(statement.text);
    if (end === null) return send(statement, callback);
    send(statement, (error, result) => {
      end(error);
      callback(error, result);
    });
  });
}
