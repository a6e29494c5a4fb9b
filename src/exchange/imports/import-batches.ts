import type { Readable } from 'node:stream';
import { readCsv } from '../../platform/csv/read-csv';
import type { FieldErrors } from '../../platform/errors';
import { KINDS, type Cells, type ImportKind } from './import-kinds';

/** A row of a file to write, or a row that cannot be written because of what is before it in the file. */
export interface ImportRow {
  line: number;
  cells: Cells;
  /** By column; undefined for a row that may be written. */
  errors?: FieldErrors;
}

/** Rows to write in one transaction; rows of one group are never separated. */
const BATCH = 500;
/** A group may make a batch larger, up to this number of rows. */
const LARGEST_BATCH = 2000;

const TOO_LONG: FieldErrors = { base: ['has more cells than the header; quote text that has a separator'] };

/**
 * Reads a file in batches of about 500 rows. Memory depends only on the number of distinct keys.
 * @throws MalformedCsv
 */
export async function* readBatches(kind: ImportKind, stream: Readable): AsyncGenerator<ImportRow[]> {
  const { groupOf, uniqueOf } = KINDS[kind];
  const closed = new Set<string>();
  const lines = new Map<string, number>();
  let batch: ImportRow[] = [];
  let group: string | null = null;
  let isHeader = true;
  for await (const { line, cells: given, separator, isTooLong } of readCsv(stream)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const cells = separator === ';' ? withDecimalPoints(given) : given;
    const key = groupOf?.(cells) ?? null;
    const isNext = key === null || key !== group;
    if ((batch.length >= BATCH && isNext) || batch.length >= LARGEST_BATCH) {
      yield batch;
      batch = [];
    }
    if (isNext && group !== null) closed.add(group);
    group = key;
    const order = findOrderErrors({ line, key, unique: uniqueOf?.(cells), closed, lines });
    batch.push({ line, cells, ...(isTooLong ? { errors: TOO_LONG } : order) });
  }
  if (batch.length > 0) yield batch;
}

/** The columns of all kinds that are decimals. */
const DECIMALS = ['price', 'cost_price', 'weight', 'height', 'width', 'depth'];

/** A number as spreadsheets of many countries write it, who separate cells by semicolons: `1.234,50`. */
const WITH_COMMA = /^\s*-?(\d+|\d{1,3}(\.\d{3})+),\d+\s*$/;

/** Returns the cells with numbers as in other files. */
function withDecimalPoints(cells: Cells): Cells {
  const changed = DECIMALS.flatMap((name): [string, string][] => {
    const cell = cells[name];
    return cell !== undefined && WITH_COMMA.test(cell)
      ? [[name, cell.replaceAll('.', '').replace(',', '.')]]
      : [];
  });
  return changed.length === 0 ? cells : { ...cells, ...Object.fromEntries(changed) };
}

interface OrderSource {
  line: number;
  key: string | null;
  unique: { column: string; value: string } | undefined;
  closed: ReadonlySet<string>;
  lines: Map<string, number>;
}

/** Returns the errors of a row that repeats an earlier one, or does not follow the rows of its group. */
function findOrderErrors({ line, key, unique, closed, lines }: OrderSource): Pick<ImportRow, 'errors'> {
  if (key !== null && closed.has(key)) {
    return { errors: { slug: ['the rows of a product must follow each other'] } };
  }
  if (unique === undefined) return {};
  const earlier = lines.get(unique.value);
  if (earlier === undefined) {
    lines.set(unique.value, line);
    return {};
  }
  return { errors: { [unique.column]: [`is also on line ${earlier}`] } };
}
