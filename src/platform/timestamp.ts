const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

/**
 * ISO 8601 text to a time; a bare date is midnight UTC, a time without an offset is UTC. Null when it is neither, or names
 * a day its month does not have.
 */
export function parseTimestamp(raw: unknown): Date | null {
  const parts = typeof raw === 'string' ? ISO_8601.exec(raw) : null;
  if (parts === null) return null;
  const [, day = '', time = '00:00', offset = 'Z'] = parts;
  const value = new Date(`${day}T${time}${normalizeOffset(offset)}`);
  const valid = isDay(day) && !Number.isNaN(value.getTime()) && value.getUTCFullYear() > 0;
  return valid ? value : null;
}

/** As ECMAScript has it: with a colon. What it has not is left to a parser that differs between engines. */
function normalizeOffset(offset: string): string {
  return offset === 'UTC' ? 'Z' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
}

/** JavaScript would read 30 February as 2 March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
