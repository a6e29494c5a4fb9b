import { types } from 'node:util';

/** The `code` of an error of Node or a library (`ENOENT`); null when it has none. */
export function readErrorCode(error: unknown): string | null {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : null;
}

/**
 * Whether it is an Error of whatever realm: those that Node itself throws are not `instanceof` the Error of code that
 * runs in a context of its own, as tests do.
 */
export const isError = (value: unknown): value is Error => types.isNativeError(value);
