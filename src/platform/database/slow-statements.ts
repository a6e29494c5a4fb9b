import type { Logger } from 'pino';
import { slowStatements } from '../metrics/metrics';
import type { Connection } from './pooled-connection';
import { wrapStatements } from './wrapped-statements';

export interface SlowStatementOptions {
  /** Statements that take longer are logged. */
  afterMs: number;
  log: Logger;
}

/** In characters. */
const MAX_TEXT_LENGTH = 2_000;

/**
 * Logs the statements of a connection that take longer than `afterMs`, including the wait for earlier statements of the
 * connection. Logs the text with its placeholders, never the bindings.
 */
export function logSlowStatements(connection: Connection, { afterMs, log }: SlowStatementOptions): void {
  wrapStatements(connection, (send) => (statement, callback) => {
    const started = performance.now();
    send(statement, (error, result) => {
      const duration = performance.now() - started;
      if (duration > afterMs) {
        slowStatements.inc();
        const text = statement.text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
        log.warn({ duration_ms: Math.round(duration), statement: text }, 'slow statement');
      }
      callback(error, result);
    });
  });
}
