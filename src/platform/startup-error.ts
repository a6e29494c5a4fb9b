import { isError, readErrorCode } from './error-code';

/** Codes of errors of files that this user may not open or change. */
const REFUSALS = ['EACCES', 'EPERM'];

/**
 * The program cannot start for a reason that the operator can fix. The message is one line that states the problem and
 * the solution. The entry points print it without a stack trace and exit with code 1. Must not contain secrets.
 */
export class StartupError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** Explains that this user may not use a file, such as one that a start as root has created; null for other errors. */
export function explainRefusedFile(error: unknown): string | null {
  const code = readErrorCode(error);
  if (code === null || !REFUSALS.includes(code)) return null;
  const file = isError(error) && 'path' in error ? error.path : undefined;
  if (typeof file !== 'string') return null;
  return `${file} belongs to another user (${code}): run as that user, or change the owner of the file`;
}

/**
 * Ends a program that could not start. Prints the message of a StartupError, why a file cannot be used, and the stack trace of any other
 * error.
 */
export function reportStartFailure(error: unknown): never {
  const message = error instanceof StartupError ? error.message : explainRefusedFile(error);
  process.stderr.write(`${message ?? (error as Error).stack ?? String(error)}\n`); // the program throws only Errors
  process.exit(1);
}
