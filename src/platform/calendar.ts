/** The length of a day, in milliseconds. */
export const DAY_MS = 24 * 3_600_000;

export const DATE_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/**
 * Whether this is a name of the IANA time zone database, such as `Europe/Berlin`. Offsets are not names: they do not
 * follow daylight saving time, and PostgreSQL reads their sign the other way round.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether this is an existing date in the form `2026-02-28`. There is no year 0000. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Formats the day of a time in a time zone. */
export function formatDate(
  time: Date,
  { format, timeZone }: { format: DateFormat; timeZone: string },
): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(time);
  const value = (type: 'year' | 'month' | 'day'): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  return format
    .replace('YYYY', value('year').padStart(4, '0'))
    .replace('MM', value('month'))
    .replace('DD', value('day'));
}
