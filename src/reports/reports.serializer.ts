import { writeHeader, writeRows, type CellType } from '../platform/csv/write-csv';
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

const CELL_TYPES: Readonly<Record<ColumnKind, CellType>> = {
  text: 'text',
  count: 'number',
  id: 'number',
  money: 'decimal',
  rate: 'decimal',
  flag: 'boolean',
};

/** Writes rows as CSV with a header. */
export function serializeCsv(rows: readonly Row[], columns: Columns): Buffer {
  const types = Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, CELL_TYPES[kind]]));
  return Buffer.from(writeHeader(types) + writeRows(types, rows));
}
