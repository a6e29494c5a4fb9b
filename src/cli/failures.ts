import { buildErrorReply } from '../errors/error-handler';
import { findConstraintErrors } from '../errors/constraint-errors';
import { InvalidResource, type FieldErrors } from '../platform/errors';
import { explainMissingPrivilege, READ_ONLY_STATE } from '../platform/database/pg-errors';
import { explainConnectProblem } from '../platform/database/connect-problems';
import { isDatabaseUnavailable } from '../platform/database/outage';
import { isError, readErrorCode } from '../platform/error-code';
import { explainRefusedFile, StartupError } from '../platform/startup-error';

/** A command cannot be carried out; the message says why and what to do. */
export class CommandRefused extends Error {
  override get name(): string {
    return 'CommandRefused';
  }
}

/** The reported error of a command. */
export interface Failure {
  /** One line; for unexpected errors, the stack trace. */
  message: string;
  /** Messages by field, if the input is invalid. */
  errors?: FieldErrors;
}

/** Describes an error that ends a command. */
export function describeFailure(error: unknown): Failure {
  const errors = error instanceof InvalidResource ? error.errors : findConstraintErrors(error);
  if (errors !== null) return { message: formatFieldErrors(errors), errors };
  if (error instanceof StartupError || error instanceof CommandRefused) return { message: error.message };
  const refused = explainMissingPrivilege(error)?.message ?? explainRefusedFile(error);
  if (refused !== null) return { message: refused };
  if (readErrorCode(error) === READ_ONLY_STATE)
    return { message: 'the database only reads; name its primary in DATABASE_URL and retry' };
  if (isDatabaseUnavailable(error))
    return {
      message: explainConnectProblem(error) ?? 'lost the database connection; start the database and retry',
    };
  const body = buildErrorReply(error)?.body;
  if (body !== undefined && 'error' in body) return { message: body.error };
  return { message: isError(error) ? (error.stack ?? error.message) : String(error) };
}

/** Formats messages as `email is invalid, password can't be blank`. */
function formatFieldErrors(errors: FieldErrors): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) =>
      messages.map((message) => (field === 'base' ? message : `${field} ${message}`)),
    )
    .join(', ');
}
