import { Logger as QueueLogger, type LogLevel } from 'graphile-worker';
import type { Logger } from 'pino';

/** Our log levels by log level of the queue, which reports each job it completes as `info`. */
const LEVELS: Record<`${LogLevel}`, 'warn' | 'debug' | 'trace'> = {
  error: 'warn',
  warning: 'warn',
  info: 'debug',
  debug: 'trace',
};

/** Creates the logger of the queue. It omits details, which contain payloads, and failures of jobs, which are events. */
export function createQueueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    if (meta?.failure !== true) log[LEVELS[level]]({ queue: true }, message);
  });
}
