import { z } from 'zod';
import { isRecord, isScalar, toList } from '../parameters';
import type { Page } from '../query-builder/page';
import { listingNames } from './ignored-parameters';
import { JsonText } from './json-text';

const MOST_FIELDS = 100;

/** The levels of a name that are read. No reply has as many, not even with metadata. */
const MOST_LEVELS = 20;

function readNames(raw: unknown): string[] {
  const entries = isScalar(raw) ? String(raw).split(',') : (toList(raw) ?? []);
  const names = entries.filter((entry) => typeof entry === 'string').map((name) => name.trim());
  return names.filter((name) => name !== '').slice(0, MOST_FIELDS);
}

/** The parameter `fields`: a list of names, or names separated by commas. Null without names. */
export const fields = listingNames(
  z
    .preprocess((raw) => {
      const given = readNames(raw);
      return given.length === 0 ? null : given;
    }, z.array(z.string()).nullable())
    .optional()
    .meta({
      description:
        'Returns only these fields of each record, comma-separated; fields of nested records with dots, such as `variants.price`. ' +
        'Unknown ones are ignored. Counts and pages stay.',
      examples: ['id,name'],
      override: { type: 'string' },
    }),
  { read: readNames, known: null },
);

/** The fields to return of a record: null for a whole value, or those of the records in it. */
type Selection = ReadonlyMap<string, Selection | null>;

/** Returns the page with only these fields of each record, in the order of the record; all of them for null. */
export function pickFields<Row>(page: Page<Row>, names: readonly string[] | null | undefined): Page<Row> {
  if (names == null) return page;
  const selection = selectFields(names);
  return { ...page, rows: page.rows.map((row) => pickRow(row, selection)) };
}

/** Returns only these fields of a record; all of them for null. */
export function pickRecordFields<Row>(row: Row, names: readonly string[] | null | undefined): Row {
  return names == null ? row : pickRow(row, selectFields(names));
}

function selectFields(names: readonly string[]): Selection {
  const selection = new Map<string, Selection | null>();
  const inside = new Map<string, string[]>();
  for (const name of names) {
    const [first = '', ...rest] = name.split('.', MOST_LEVELS);
    if (rest.length === 0) selection.set(first, null);
    else inside.set(first, [...(inside.get(first) ?? []), rest.join('.')]);
  }
  for (const [first, nested] of inside) {
    if (!selection.has(first)) selection.set(first, selectFields(nested));
  }
  return selection;
}

function pickRow<Row>(row: Row, selection: Selection): Row {
  const record: unknown = row instanceof JsonText ? JSON.parse(row.text) : row;
  if (!isRecord(record)) return row;
  const picked = pick(record, selection);
  // The schema of the reply has all fields: the reference says that `fields` leaves some out.
  return (row instanceof JsonText ? JsonText.of(picked) : picked) as Row;
}

function pick(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((entry) => pick(entry, selection));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const nested = selection.get(name);
      return nested === undefined ? [] : [[name, nested === null ? inner : pick(inner, nested)]];
    }),
  );
}
