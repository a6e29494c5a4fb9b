import { StartupError } from '../startup-error';

/** An error of PostgreSQL, with the fields that the program uses. */
export interface PgError extends Error {
  code: string;
  constraint?: string;
  /** The function of PostgreSQL that reported the error, and the file of its source. */
  routine?: string;
  file?: string;
  /** What PostgreSQL was doing, such as `while locking tuple (0,1) in relation "orders"`. */
  where?: string;
}

/** Returns whether PostgreSQL reported the error, that is, whether it has a SQLSTATE. */
export function isPgError(error: unknown): error is PgError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}

/**
 * Returns whether the error is a deadlock, a serialization failure, or an outdated plan. Retrying the transaction is
 * safe and usually succeeds.
 */
export function isTransient(error: unknown): boolean {
  return isPgError(error) && (error.code === '40001' || error.code === '40P01' || isPlanOutdated(error));
}

/**
 * Returns whether a prepared statement failed because a migration has changed the columns that it returns ("cached plan
 * must not change result type").
 */
export function isPlanOutdated(error: unknown): boolean {
  return isPgError(error) && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

/**
 * Returns whether a statement waited too long for a lock. A queue for a row consists of two locks, and the lock timeout
 * begins again with the second one, so the statement timeout may expire first; PostgreSQL then names the tuple (in the
 * language of the server).
 */
export function isLockTimeout(error: unknown): boolean {
  if (!isPgError(error)) return false;
  return error.code === '55P03' || (error.code === '57014' && /\s\(\d+,\d+\)/.test(error.where ?? ''));
}

/** Returns whether a statement failed only because an earlier one of its transaction had failed. */
export function isTransactionAborted(error: unknown): boolean {
  return isPgError(error) && error.code === '25P02';
}

/** The SQLSTATE of a write that the server refuses: it is a standby, or its transactions are read-only. */
export const READ_ONLY_STATE = '25006';

const INSUFFICIENT_PRIVILEGE = '42501';

/** The parts of PostgreSQL that read and write its files: relations, the log of changes, the states of transactions. */
const STORAGE = /^(md|fd|buffile|xlog|slru)\.c$/;

/**
 * Returns whether the server may not write its files, as when a fault has made its disk read-only. The SQLSTATE is that of a missing
 * privilege.
 */
export function isStorageRefused(error: unknown): boolean {
  return isPgError(error) && error.code === INSUFFICIENT_PRIVILEGE && STORAGE.test(error.file ?? '');
}

/** Explains an error about a missing privilege of the database user; null for other errors. */
export function explainMissingPrivilege(error: unknown): StartupError | null {
  if (!isPgError(error) || error.code !== INSUFFICIENT_PRIVILEGE || isStorageRefused(error)) return null;
  // Knex puts the statement before the message.
  const reason = error.message.split(' - ').at(-1) ?? '';
  return new StartupError(
    `The database user may not set up the store (${reason}): run npm run migrate as the owner of the tables (docs/roles.sql), or grant it CREATE on the database and the schema`,
  );
}
