import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { readErrorCode, isError } from './error-code';
import { getProcessIdentity } from './process-identity';
import { getTraceFields } from './trace';

export interface LogOptions {
  level: string;
  /** auto: pretty if stdout is a terminal, otherwise json. */
  format: 'auto' | 'json' | 'pretty';
}

/** Returns whether the log is human-readable. */
export function isPretty({ format }: Pick<LogOptions, 'format'>): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
}

/**
 * Creates the program's logger, which writes to stdout; lines of JSON name the process, and lines of a request
 * its trace. Log ids, names and counts, but never URLs with queries, bodies, headers or rows. Log errors as `err`.
 */
export function createLogger(options: LogOptions): Logger {
  const settings = {
    level: options.level,
    base: getProcessIdentity(),
    mixin: getTraceFields,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeError },
  };
  if (!isPretty(options)) return pino(settings, openStdout());
  const ignore = 'pid,instance,version';
  return pino(settings, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true, ignore }));
}

/** How much of the log waits while it cannot be written, in bytes; further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;

/**
 * Opens stdout for a log. While its disk is full, the program continues, and what waits is written with the first line for which
 * there is space. By itself, the stream would end the program, and before that wait for space.
 */
function openStdout(): ReturnType<typeof pino.destination> {
  // Its `flush` waits for what is being written, which it does not without a length.
  const stdout = pino.destination({ sync: false, minLength: 1, maxLength: MAX_WAITING });
  const flushSync = stdout.flushSync.bind(stdout);
  stdout.on('error', () => (stdout.flushSync = () => undefined));
  stdout.on('drain', () => (stdout.flushSync = flushSync));
  return stdout;
}

/** SQLSTATE class 22, data exceptions. Their messages contain the value that a client sent. */
const DATA_EXCEPTION = /^22/;

/**
 * Returns the parts of an error that may be logged. Database errors are reduced to names: no values, details or
 * parameters. Includes causes.
 */
export function describeError(error: unknown): object {
  if (!isError(error)) return { type: typeof error };
  const code = readErrorCode(error);
  const hasValue = code !== null && DATA_EXCEPTION.test(code);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: hasValue ? 'a value is not valid for its column' : error.message,
    ...(code !== null && { code }),
    ...pickNames(error),
    stack: frames.join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function pickNames(error: Error): Record<string, string> {
  const fields: Record<string, unknown> = { ...error };
  const kept = ['constraint', 'table', 'column', 'routine', 'syscall'].map((name) => [name, fields[name]]);
  return Object.fromEntries(kept.filter(([, value]) => typeof value === 'string')) as Record<string, string>; // filtered above
}
