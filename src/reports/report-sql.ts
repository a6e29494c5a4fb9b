import type { Basis } from './report';

/**
 * The start of a day: its midnight, or the end of the day before. Where clocks go back to midnight, as on the Azores, PostgreSQL takes the
 * second midnight; where they go forward to it, as in Greenland, the day before ends earlier than its last hour.
 */
const startOf = (day: string): string => `
  least(timezone(:zone, CAST(${day} AS timestamp)),
        timezone(:zone, ${day} - interval '1 microsecond') + interval '1 microsecond')`;

/** A condition: the time is in the period. An index on the column is used. */
export const isInPeriod = (column: string): string => `
  ${column} >= ${startOf('CAST(:from AS date)')} AND ${column} < ${startOf('(CAST(:to AS date) + 1)')}`;

/** When the entries of each basis count, and which ones do. */
const ENTRIES: Readonly<Record<Basis, { time: string; condition: string }>> = {
  // What became of the sales of a time is what their orders are today. A canceled one is nothing.
  sale: { time: 'o.completed_at', condition: `o.state <> 'canceled' AND e.kind <> 'refund'` },
  booked: { time: 'e.booked_at', condition: 'true' },
};

/** The entries of the books in the period, with the time at which they count as `at`. */
export function selectBooked(basis: Basis): string {
  const { time, condition } = ENTRIES[basis];
  return `
    booked AS (
      SELECT e.*, ${time} AS at
        FROM orders o JOIN book_entries e ON e.order_id = o.id
       WHERE ${isInPeriod(time)} AND ${condition} AND o.currency = :currency)`;
}

/** The groups of a time, by the calendar of the store: `2026-03-01`, `2026-W09` (ISO 8601), `2026-03`. */
const PERIODS = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM' } as const;

export type Period = keyof typeof PERIODS;

export const isPeriod = (group: string): group is Period => group in PERIODS;

export const selectPeriod = (period: Period, column: string): string =>
  `to_char(timezone(:zone, ${column}), '${PERIODS[period]}')`;

/** A condition: the row is that of the totals, of rows grouped by `keys`. */
export const isTotal = (keys: readonly string[]): string => `grouping("${keys[0] ?? ''}") = 1`;

/**
 * Groups the rows of `parts` by `keys`, and adds a row of their totals.
 * `sums` maps columns to the SQL that aggregates them. Groups that add up to nothing are omitted, unless `showsEmpty`.
 */
export function selectGroups(
  parts: string,
  keys: readonly string[],
  sums: Readonly<Record<string, string>>,
  { showsEmpty = false }: { showsEmpty?: boolean } = {},
): string {
  const quoted = keys.map((key) => `"${key}"`).join(', ');
  const aggregates = Object.entries(sums).map(([column, sql]) => `coalesce(${sql}, 0) AS ${column}`);
  const isSomething = showsEmpty
    ? 'true'
    : Object.values(sums)
        .map((sql) => `${sql} <> 0`)
        .join(' OR ');
  return `
    SELECT ${isTotal(keys)} AS is_total, ${quoted}, ${aggregates.join(', ')}
      FROM (${parts}) parts
     GROUP BY GROUPING SETS ((${quoted}), ())
    HAVING ${isTotal(keys)} OR ${isSomething}
     ORDER BY is_total, ${quoted}`;
}
