const DAY_MS = 86_400_000;

/** Longer periods have only the days with sales. */
const MOST_DAYS = 366;

/** Returns the day on which a time falls in a time zone, such as `2026-11-24`. */
export const dayIn = (timeZone: string, time: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);

const MINUTE_MS = 60_000;

/** Time zones begin their days at most so long before or after UTC. */
const MOST_AHEAD_MS = 15 * 60 * MINUTE_MS;

/** Returns when a day begins in a time zone: at midnight, or later if clocks are put forward then. */
export function startOfDay(timeZone: string, day: string): string {
  let [before, after] = [Date.parse(day) - MOST_AHEAD_MS, Date.parse(day) + MOST_AHEAD_MS];
  while (after - before > MINUTE_MS) {
    const between = before + Math.floor((after - before) / MINUTE_MS / 2) * MINUTE_MS;
    if (dayIn(timeZone, between) < day) before = between;
    else after = between;
  }
  return new Date(after).toISOString();
}

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

/** Whether the rows of a report are grouped by time. Those of taxes have a name too then. */
const isTime = (by: string): boolean => by === 'day' || by === 'month';

/** What names a row of a report. */
type NamedRow = Readonly<
  Partial<Record<'name' | 'reason' | 'group' | 'sku', string | number | boolean | null | undefined>>
>;

const REASONS: Readonly<Record<string, string>> = {
  export: 'Exports',
  exempt: 'Exempt',
  no_zone: 'Not taxable at the place of delivery',
};

/** Names the tax of a row of taxes, or why there is none; null for the rows of other reports, and of days without sales. */
export const nameTax = ({ name, reason }: NamedRow): string | null =>
  reason === undefined ? null : String(name ?? REASONS[String(reason)] ?? 'Without tax');

/** Names what a row is about: its day or month, else its tax, else its name if it has one, else its group. */
export function nameRow(row: NamedRow, { by, ungrouped }: { by: string; ungrouped: string }): string {
  // Products may be named like months.
  if (isTime(by)) return nameDays(String(row.group));
  return String(nameTax(row) ?? row.name ?? row.group ?? row.sku ?? ungrouped);
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
  const days = Array.from({ length: count }, (_, index) => addDays(from, index));
  return days.flatMap((day) => (known.has(day) ? rows.filter(({ group }) => group === day) : empty(day)));
}
