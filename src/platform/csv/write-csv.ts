import { stringify } from 'csv-stringify/sync';
import { formatDecimal } from '../money';
import { addGuard } from './formula-guard';

/** How the values of a column are written. Only text can be a formula. */
export type CellType = 'text' | 'number' | 'decimal' | 'boolean' | 'time';

/** The columns of a file, in order. */
export type Columns = Readonly<Record<string, CellType>>;

/** A value of a row as the database returns it. */
export type CellValue = string | number | boolean | Date | null;

/** Writes the header line. */
export function writeHeader(columns: Columns): string {
  return stringify([Object.keys(columns)]);
}

/** Writes rows. Decimals have the form of the JSON replies, times are ISO 8601 in UTC, and null is an empty cell. */
export function writeRows(
  columns: Columns,
  rows: readonly Readonly<Record<string, CellValue | undefined>>[],
): string {
  const list = Object.entries(columns);
  return stringify(rows.map((row) => list.map(([name, type]) => formatCell(row[name] ?? null, type))));
}

/** Formats one cell, guarded but not quoted. */
function formatCell(value: CellValue, type: CellType): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (type === 'decimal') return formatDecimal(String(value)) ?? '';
  return type === 'text' ? addGuard(String(value)) : String(value);
}
