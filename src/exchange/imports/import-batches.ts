import type { Readable } from 'node:stream';
import { readCsv } from '../../platform/csv/read-csv';
import type { FieldErrors } from '../../platform/errors';
import { KINDS, type Cells, type ImportKind } from './import-kinds';

/** A row of a file to write, or a row that cannot be written because of other rows of the file. */
export interface ImportRow {
  line: number;
  cells: Cells;
  /** The group that is written as a whole; null for rows that are written alone. */
  whole: string | null;
  /** By column; undefined for a row that may be written. */
  errors?: FieldErrors;
}

/** Rows to write in one transaction; rows of one group are never separated. */
const BATCH = 500;
/** A group may make a batch larger, up to this number of rows. */
const LARGEST_BATCH = 2000;
/** The largest group that is written as a whole. */
const LARGEST_WHOLE = 1000;

const TOO_LONG: FieldErrors = { base: ['has more cells than the header; quote text that has a separator'] };

/** Why the rows of a group cannot be written as a whole, by its key. */
export type BrokenGroups = ReadonlyMap<string, FieldErrors>;

/**
 * Reads a file in batches of about 500 rows, or what the kind says. Memory depends only on the number of distinct keys.
 * @throws MalformedCsv
 */
export async function* readBatches(
  kind: ImportKind,
  stream: Readable,
  broken: BrokenGroups,
): AsyncGenerator<ImportRow[]> {
  const { group, batch: size = BATCH, uniqueOf } = KINDS[kind];
  const closed = new Set<string>();
  const lines = new Map<string, number>();
  let batch: ImportRow[] = [];
  let last: string | null = null;
  for await (const { line, cells, unreadable } of readRows(stream)) {
    const key = group?.of(cells) ?? null;
    const isNext = key === null || key !== last;
    if ((batch.length >= size && isNext) || batch.length >= LARGEST_BATCH) {
      yield batch;
      batch = [];
    }
    if (isNext && last !== null) closed.add(last);
    last = key;
    const scattered = key !== null && closed.has(key) ? listScatterErrors(kind) : null;
    const errors =
      unreadable ?? broken.get(key ?? '') ?? scattered ?? findRepetition(line, uniqueOf?.(cells), lines);
    batch.push({
      line,
      cells,
      whole: group?.isWhole === true ? key : null,
      ...(errors !== null && { errors }),
    });
  }
  if (batch.length > 0) yield batch;
}

/**
 * Finds the groups of a file that cannot be written as a whole. Reads it once; none for kinds without such groups.
 * @param keep called with every row
 */
export async function findBrokenGroups(
  kind: ImportKind,
  open: () => Promise<Readable>,
  keep: () => Promise<void>,
): Promise<BrokenGroups> {
  const broken = new Map<string, FieldErrors>();
  const { group } = KINDS[kind];
  if (group?.isWhole !== true) return broken;
  const sizes = new Map<string, number>();
  let last: string | null = null;
  for await (const { cells, unreadable } of readRows(await open())) {
    await keep();
    const key = group.of(cells);
    const size = (sizes.get(key) ?? 0) + 1;
    sizes.set(key, size);
    if (size > 1 && key !== last) broken.set(key, listScatterErrors(kind));
    if (size > LARGEST_WHOLE) {
      broken.set(key, { base: [`the rows of one ${group.noun} must be at most ${LARGEST_WHOLE}`] });
    }
    if (unreadable !== null) broken.set(key, { base: [`another row of the ${group.noun} has errors`] });
    last = key;
  }
  return broken;
}

function listScatterErrors(kind: ImportKind): FieldErrors {
  const { column = 'base', noun = 'group' } = KINDS[kind].group ?? {};
  return { [column]: [`the rows of ${noun === 'order' ? 'an' : 'a'} ${noun} must follow each other`] };
}

/** Reads the rows after the header, with numbers as in other files. */
async function* readRows(
  stream: Readable,
): AsyncGenerator<{ line: number; cells: Cells; unreadable: FieldErrors | null }> {
  let isHeader = true;
  for await (const { line, cells, separator, isTooLong } of readCsv(stream)) {
    const hasCommas = separator !== ',';
    const unreadable = isTooLong ? TOO_LONG : findUnclear(cells, hasCommas);
    if (!isHeader) yield { line, cells: hasCommas ? withDecimalPoints(cells) : cells, unreadable };
    isHeader = false;
  }
}

/** The columns of all kinds that are amounts of money. */
const AMOUNTS = [
  ...['price', 'cost_price', 'tax', 'adjustment', 'order_adjustment'],
  ...['ship_total', 'ship_tax', 'paid', 'total'],
];

/** The columns of all kinds that are decimals. */
const DECIMALS = [...AMOUNTS, 'weight', 'height', 'width', 'depth', 'rate', 'ship_rate'];

/** The columns of all kinds in which three decimals make no sense. */
const NEVER_FINE = [...AMOUNTS, 'quantity', 'count_on_hand', 'adjust', 'counted'];

/** A number of which spreadsheets with decimal commas and others mean different things: `1.234`. */
const AMBIGUOUS = /^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$/;

/** The columns of all kinds that name something by a text which may consist of digits. */
const NAMES = ['sku', 'barcode', 'number', 'tracking', 'invoice_number', 'payment_reference'];

/** What spreadsheets make of a bar code: `4.00638E+12`. */
const SHORTENED = /^\s*\d[.,]\d+E\+\d+\s*$/i;

/**
 * Returns the errors of cells of which a spreadsheet has changed the meaning, or may have: numbers that may be a thousand
 * times as large as they look, and names without their last digits. Null if there are none.
 */
function findUnclear(cells: Cells, hasCommas: boolean): FieldErrors | null {
  const errors: FieldErrors = {};
  for (const name of hasCommas ? NEVER_FINE : [])
    if (AMBIGUOUS.test(cells[name] ?? ''))
      errors[name] = ['is ambiguous: write thousands without a point, and decimals after a comma'];
  for (const name of NAMES)
    if (SHORTENED.test(cells[name] ?? ''))
      errors[name] = [
        'is a number that a spreadsheet has shortened: format the column as text before you export it',
      ];
  return Object.keys(errors).length === 0 ? null : errors;
}

/** A number as spreadsheets of many countries write it, who separate cells by semicolons or tabs: `1.234,50`. */
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

/** Returns the errors of a row that repeats a text which only one row may have. */
function findRepetition(
  line: number,
  unique: { column: string; value: string } | undefined,
  lines: Map<string, number>,
): FieldErrors | null {
  if (unique === undefined) return null;
  const earlier = lines.get(unique.value);
  if (earlier === undefined) lines.set(unique.value, line);
  return earlier === undefined ? null : { [unique.column]: [`is also on line ${earlier}`] };
}
