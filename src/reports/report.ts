/** The kind of a column: what a reply contains, and whether totals add it up. */
export type ColumnKind =
  /** Text or null. */
  | 'text'
  /** A whole number, added up in the totals. */
  | 'count'
  /** An amount of money, added up in the totals. */
  | 'money'
  /** The id of a record. */
  | 'id'
  /** A fraction, such as a tax rate. */
  | 'rate'
  | 'flag';

/**
 * What a period selects: the sales that were completed in it, as they are today; or what was booked in it, whenever the order was
 * completed.
 */
export const BASES = ['sale', 'booked'] as const;
export type Basis = (typeof BASES)[number];

/** A report: its columns, and the SQL of its rows for each grouping. */
export interface Report {
  name: string;
  summary: string;
  description: string;
  /** The first one is the default. Empty if the report has only one grouping. */
  groups: readonly string[];
  /** Whether it covers a period: `from` and `to` apply. */
  has_period: boolean;
  columns: (group: string) => Readonly<Record<string, ColumnKind>>;
  /**
   * Returns a statement that selects the columns, grouped with a row of totals, which has `is_total`. It is exact: SQL
   * numerics only. Its named bindings are those of `ReportScope`.
   */
  sql: (group: string, basis: Basis) => string;
}

/** What a report covers. */
export interface ReportScope {
  /** Days in the time zone `zone`, inclusive: `2026-03-01`, or `-infinity` and `infinity`. */
  from: string;
  to: string;
  zone: string;
  /** Orders in other currencies are not counted, because their amounts cannot be added. */
  currency: string;
}

/** The value of a cell as the driver returns it: counts are bigints, which it returns as text. */
export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;
