import { types } from 'node:util';

/** Returns the `code` of an error (`ENOENT`); null if it has none. */
export function readErrorCode(error: unknown): string | null {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : null;
}

/** Returns null if the file or folder does not exist. Files may be removed at any time. */
export async function returnNullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Returns whether the value is an Error of any realm. Errors thrown by Node are not `instanceof` the Error of code in a
 * separate context, such as tests.
 */
export const isError = (value: unknown): value is Error => types.isNativeError(value);
