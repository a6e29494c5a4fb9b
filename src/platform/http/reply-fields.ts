import { z } from 'zod';
import { isRecord, isScalar, toList } from '../parameters';
import type { Page } from '../query-builder/page';
import { listingNames } from './ignored-parameters';
import { JsonText } from './json-text';

const MOST_FIELDS = 100;

function readNames(raw: unknown): string[] {
  const entries = isScalar(raw) ? String(raw).split(',') : (toList(raw) ?? []);
  const names = entries.filter((entry) => typeof entry === 'string').map((name) => name.trim());
  return names.filter((name) => name !== '').slice(0, MOST_FIELDS);
}

/** The parameter `fields` of a list: a list of names, or names separated by commas. Null without names. */
export const fields = listingNames(
  z
    .preprocess((raw) => {
      const given = readNames(raw);
      return given.length === 0 ? null : given;
    }, z.array(z.string()).nullable())
    .optional()
    .meta({
      description:
        'Returns only these fields of each record, comma-separated; unknown ones are ignored. Counts and pages stay.',
      examples: ['id,name'],
      override: { type: 'string' },
    }),
  { read: readNames, known: null },
);

/** Returns the page with only these fields of each record, in the order of the record; all of them for null. */
export function pickFields<Row>(page: Page<Row>, names: readonly string[] | null | undefined): Page<Row> {
  return names == null ? page : { ...page, rows: page.rows.map((row) => pickRow(row, names)) };
}

function pickRow<Row>(row: Row, names: readonly string[]): Row {
  const record: unknown = row instanceof JsonText ? JSON.parse(row.text) : row;
  if (!isRecord(record)) return row;
  const picked = Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
  // The schema of the list has all fields: the reference says that `fields` leaves some out.
  return (row instanceof JsonText ? JsonText.of(picked) : picked) as Row;
}
