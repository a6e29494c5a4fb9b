import { isError, readErrorCode } from './error-code';

/** The codes of files that cannot be used, with the reason and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: 'belongs to another user (EACCES): run as that user, or change the owner of the file',
  EPERM: 'belongs to another user (EPERM): run as that user, or change the owner of the file',
  // Also a disk that a fault has made read-only, whose folders may still seem writable.
  EROFS: 'is on a disk that is read-only (EROFS): check the disk, and mount it for writing',
};

/**
 * The program cannot start for a reason that the operator can fix. The message is one line that states the problem and
 * the solution. The entry points print it without a stack trace and exit with code 1. Must not contain secrets.
 */
export class StartupError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** Explains why a file cannot be used, such as one that a start as root has created; null for other errors. */
export function explainRefusedFile(error: unknown): string | null {
  const reason = REFUSALS[readErrorCode(error) ?? ''];
  const file = isError(error) && 'path' in error ? error.path : undefined;
  return reason === undefined || typeof file !== 'string' ? null : `${file} ${reason}`;
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
