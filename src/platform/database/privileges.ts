import { StartupError } from '../startup-error';
import { isPgError } from './pg-errors';

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
