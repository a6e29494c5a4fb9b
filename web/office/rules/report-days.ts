const DAY_MS = 86_400_000;

/** Longer periods have only the days with sales. */
const MOST_DAYS = 366;

/** Returns a day as text, such as `2026-11-24`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Writes a day or a month of a report as people do; another group stays as it is. */
export function nameGroup(group: string): string {
  const [, month, day] = /^(\d{4}-\d\d)(-\d\d)?$/.exec(group) ?? [];
  if (month === undefined) return group;
  // A day has no time zone.
  const date = new Date(`${month}${day ?? '-01'}T00:00:00Z`);
  const style =
    day === undefined ? ({ month: 'long', year: 'numeric' } as const) : ({ dateStyle: 'medium' } as const);
  return date.toLocaleDateString(undefined, { ...style, timeZone: 'UTC' });
}

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
  const days = Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
  return days.flatMap((day) => (known.has(day) ? rows.filter(({ group }) => group === day) : empty(day)));
}
