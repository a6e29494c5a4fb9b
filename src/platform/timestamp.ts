const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses ISO 8601 text. A date without a time is midnight UTC, and a time without an offset is UTC. Null for other text
 * and for days that do not exist.
 */
export function parseTimestamp(raw: unknown): Date | null {
  const parts = typeof raw === 'string' ? ISO_8601.exec(raw) : null;
  if (parts === null) return null;
  const [, day = '', time = '00:00', offset = 'Z'] = parts;
  const value = new Date(`${day}T${time}${normalizeOffset(offset)}`);
  const valid = isDay(day) && !Number.isNaN(value.getTime()) && value.getUTCFullYear() > 0;
  return valid ? value : null;
}

/** Returns the offset in the form that ECMAScript defines; parsing of other forms depends on the engine. */
function normalizeOffset(offset: string): string {
  return offset === 'UTC' ? 'Z' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
}

/** Returns whether the day exists. JavaScript would accept 30 February as 2 March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
