/**
 * The program cannot start for a reason that the operator can fix. The message is one line that states the problem and
 * the solution. The entry points print it without a stack trace and exit with code 1. Must not contain secrets.
 */
export class StartupError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * Ends a program that could not start. Prints the message of a StartupError, and the stack trace of any other error.
 */
export function reportStartFailure(error: unknown): never {
  const text = error instanceof StartupError ? error.message : ((error as Error).stack ?? String(error)); // the program throws only Errors
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
