import { StartupError } from '../startup-error';

/** What PostgreSQL says of a refused statement, as far as we act on it. */
export interface PgError extends Error {
  code: string;
  constraint?: string;
}

/** Whether PostgreSQL itself refused a statement: the error carries a SQLSTATE. */
export function isPgError(error: unknown): error is PgError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}

/** Two transactions got in each other's way; doing the work again is safe and usually succeeds. */
export function isTransient(error: unknown): boolean {
  return isPgError(error) && (error.code === '40001' || error.code === '40P01');
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** What to do when the database user may not do what was tried; null when the error is another. */
export function explainMissingPrivilege(error: unknown): StartupError | null {
  if (!isPgError(error) || error.code !== INSUFFICIENT_PRIVILEGE) return null;
  // Knex puts the statement before the message.
  const reason = error.message.split(' - ').at(-1) ?? '';
  return new StartupError(
    `The database user may not set the store up (${reason}): grant it CREATE on the database and the schema`,
  );
}
