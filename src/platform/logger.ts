import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { readErrorCode, isError } from './error-code';

export interface LogOptions {
  level: string;
  /** auto: pretty when stdout is a terminal. */
  format: 'auto' | 'json' | 'pretty';
}

/** Whether this process writes its log for people rather than for machines. */
export function isPretty({ format }: Pick<LogOptions, 'format'>): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
}

/**
 * The program's log on stdout. Callers log ids, names and counts; never URLs with queries, bodies, headers or rows.
 * Errors go under `err`.
 */
export function createLogger(options: LogOptions): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeError },
  };
  if (!isPretty(options)) return pino(settings);
  return pino(settings, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }));
}

/** SQLSTATE class 22, data exceptions: their messages repeat the value, which a client sent. */
const MESSAGE_HOLDS_A_VALUE = /^22/;

/**
 * What of an error may be written down. Of a database error only what names things, never its message's values,
 * detail or parameters; causes are followed.
 */
export function describeError(error: unknown): object {
  if (!isError(error)) return { type: typeof error };
  const code = readErrorCode(error);
  const isSecretive = code !== null && MESSAGE_HOLDS_A_VALUE.test(code);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: isSecretive ? 'a value is not valid for its column' : error.message,
    ...(code !== null && { code }),
    ...pickNames(error),
    stack: frames.join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function pickNames(error: Error): Record<string, string> {
  const fields: Record<string, unknown> = { ...error };
  const kept = ['constraint', 'table', 'column', 'routine', 'syscall'].map((name) => [name, fields[name]]);
  return Object.fromEntries(kept.filter(([, value]) => typeof value === 'string')) as Record<string, string>; // filtered just now
}
