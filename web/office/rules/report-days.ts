const DAY_MS = 86_400_000;

/** Longer periods have only the days with sales. */
const MOST_DAYS = 366;

/** Returns the day on which a time falls in a time zone, such as `2026-11-24`. */
export const dayIn = (timeZone: string, time: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);

/** Returns the day that many days after another. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** Writes a day or a month, such as `2026-11`, as people do. */
export function nameDays(group: string): string {
  const [, month, day] = /^(\d{4}-\d\d)(-\d\d)?$/.exec(group) ?? [];
  if (month === undefined) return group;
  // A day has no time zone.
  const date = new Date(`${month}${day ?? '-01'}T00:00:00Z`);
  const style =
    day === undefined ? ({ month: 'long', year: 'numeric' } as const) : ({ dateStyle: 'medium' } as const);
  return date.toLocaleDateString(undefined, { ...style, timeZone: 'UTC' });
}

/** Writes a group of a report by day, month or something else, such as products, whose names may look like months. */
export const nameGroup = (group: string, by: string): string =>
  by === 'day' || by === 'month' ? nameDays(group) : group;

/**
 * Adds the days of a period that a report leaves out because nothing happened.
 * @param rows of a day in `group`, in this order; several of one day stay
 * @param empty the row of a day without anything
 */
export function fillDays<Row extends { group?: unknown }>(
  rows: readonly Row[],
  { from, to }: { from: string; to: string },
  empty: (day: string) => Row,
): Row[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  if (!(count > 0 && count <= MOST_DAYS)) return [...rows];
  const known = new Set(rows.map(({ group }) => group));
  const days = Array.from({ length: count }, (_, index) => addDays(from, index));
  return days.flatMap((day) => (known.has(day) ? rows.filter(({ group }) => group === day) : empty(day)));
}
