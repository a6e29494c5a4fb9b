/** The `code` of an error of Node or a library (`ENOENT`); null when it has none. */
export function errorCodeOf(error: unknown): string | null {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : null;
}
