import { stringify } from 'csv-stringify/sync';
import { formatDecimal } from '../platform/money';
import type { Cell, ColumnKind, Row } from './report';

type Columns = Readonly<Record<string, ColumnKind>>;

/** Serializes the columns of a row: counts as numbers, amounts and rates as decimal strings. */
export function serializeRow(row: Row, columns: Columns): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, serializeCell(row[name] ?? null, kind)]),
  );
}

/** Serializes the totals: the columns that are added up. */
export function serializeTotals(row: Row, columns: Columns): Record<string, Cell> {
  const added = Object.entries(columns).filter(([, kind]) => kind === 'count' || kind === 'money');
  return serializeRow(row, Object.fromEntries(added));
}

function serializeCell(cell: Cell, kind: ColumnKind): Cell {
  if (cell === null) return null;
  if (kind === 'count') return Number(cell);
  return kind === 'money' || kind === 'rate' ? formatDecimal(String(cell)) : cell;
}

/**
 * Writes rows as CSV with a header. Texts that a spreadsheet would run as a formula get a leading `'`; numbers never do.
 */
export function serializeCsv(rows: readonly Row[], columns: Columns): Buffer {
  const lines = rows.map((row) =>
    Object.entries(serializeRow(row, columns)).map(([name, cell]) =>
      columns[name] === 'text' && typeof cell === 'string' ? escapeFormula(cell) : cell,
    ),
  );
  const cast = { boolean: (value: boolean) => String(value) };
  return Buffer.from(stringify([Object.keys(columns), ...lines], { cast }));
}

function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
