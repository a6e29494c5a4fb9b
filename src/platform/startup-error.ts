/**
 * The program cannot start, for a reason its operator can mend. The message is one line saying what is wrong and
 * what to do; the entry points print it without a stack and exit 1. Never holds a secret.
 */
export class StartupError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}
