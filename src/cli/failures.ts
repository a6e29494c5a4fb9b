import { constraintErrors, errorReply } from '../errors/error-handler';
import { InvalidResource, type FieldErrors } from '../platform/errors';
import { explainMissingPrivilege } from '../platform/database/pg-errors';
import { isDatabaseUnavailable } from '../platform/database/outage';
import { isError } from '../platform/error-code';
import { StartupError } from '../platform/startup-error';

/** A command cannot do what it was asked for; the message is one sentence for whoever typed it. */
export class CommandRefused extends Error {
  override get name(): string {
    return 'CommandRefused';
  }
}

/** Why a command failed, as it is told. */
export interface Failure {
  /** One line, but for what nobody foresaw, which comes with its stack. */
  message: string;
  /** Messages by field, when input was refused. */
  errors?: FieldErrors;
}

/** The words for an error that ends a command. */
export function describeFailure(error: unknown): Failure {
  const errors = error instanceof InvalidResource ? error.errors : constraintErrors(error);
  if (errors !== null) return { message: inWords(errors), errors };
  if (error instanceof StartupError || error instanceof CommandRefused) return { message: error.message };
  const missing = explainMissingPrivilege(error);
  if (missing !== null) return { message: missing.message };
  if (isDatabaseUnavailable(error)) return { message: 'The database was lost: start it, and repeat this' };
  const body = errorReply(error)?.body;
  if (body !== undefined && 'error' in body) return { message: body.error };
  return { message: isError(error) ? (error.stack ?? error.message) : String(error) };
}

/** `email is invalid, password can't be blank` */
function inWords(errors: FieldErrors): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) =>
      messages.map((message) => (field === 'base' ? message : `${field} ${message}`)),
    )
    .join(', ');
}
