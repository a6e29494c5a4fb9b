import type { Logger } from 'pino';
import { slowStatements } from '../metrics/metrics';
import type { Observer } from './session';

export interface SlowStatementOptions {
  /** Statements that take longer are logged. */
  afterMs: number;
  log: Logger;
}

/** In characters. */
const MAX_TEXT_LENGTH = 2_000;

/**
 * Logs the statements that take longer than `afterMs`, including the wait for earlier statements of the connection. Logs the
 * text with its placeholders, never the bindings.
 */
export function createSlowStatementLog({ afterMs, log }: SlowStatementOptions): Observer {
  return (text) => {
    const started = performance.now();
    return () => {
      const duration = performance.now() - started;
      if (duration <= afterMs) return;
      slowStatements.inc();
      const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
      log.warn({ duration_ms: Math.round(duration), statement }, 'slow statement');
    };
  };
}
