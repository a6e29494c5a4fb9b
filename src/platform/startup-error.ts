/**
 * The program cannot start, for a reason its operator can mend. The message is one line saying what is wrong and
 * what to do; the entry points print it without a stack and exit 1. Never holds a secret.
 */
export class StartupError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * Ends a program that could not start: an expected failure as its one line, anything else with its stack.
 * What was started ends with the process, or with its own hooks on exit.
 */
export function reportStartFailure(error: unknown): never {
  const text = error instanceof StartupError ? error.message : ((error as Error).stack ?? String(error)); // thrown values of ours are Errors
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
