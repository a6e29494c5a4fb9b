import { readErrorCode, isError } from '../error-code';
import { QUERY_TIMEOUT_MESSAGE } from './knex';
import { isStorageRefused } from './pg-errors';
import { ACQUIRE_TIMEOUT_MESSAGE } from './session-pool';

/**
 * SQLSTATE classes and codes of temporary failures: lost connection, shutdown, startup, lack of resources, a disk that fails, a locked
 * table, timeout, and a server that only reads, as after a failover.
 */
const UNAVAILABLE_STATES = /^(08|57P0[1-5]|53|58|55P03|57014|25P0[34]|25006)/;

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Messages of pg and knex errors that have no code. */
const MESSAGES = [
  QUERY_TIMEOUT_MESSAGE,
  'Connection terminated',
  ACQUIRE_TIMEOUT_MESSAGE,
  'timeout expired',
  'Client has encountered a connection error',
  'Unable to acquire a connection',
  'Cannot use a pool after calling end',
  'Client was closed',
];

/**
 * Returns whether the error means that the database is unavailable: unreachable, frozen, starting, out of connections,
 * read-only, without its disk, or too slow. The client may retry such a request later (503 with Retry-After).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code = readErrorCode(error) ?? '';
  const isSocketError = 'syscall' in error && SOCKET_CODES.has(code);
  if (isSocketError || UNAVAILABLE_STATES.test(code) || isStorageRefused(error)) return true;
  return code === '' && MESSAGES.some((message) => error.message.includes(message));
}
