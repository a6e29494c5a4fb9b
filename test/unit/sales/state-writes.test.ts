import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SRC = path.join(__dirname, '../../../src');
const TABLES = 'orders|payments|shipments|inventory_units|return_authorizations';

/** SQL that writes a `state` column of an existing row: `UPDATE payments SET … state = `. */
const SQL = new RegExp(
  `UPDATE\\s+(?:${TABLES})\\s+SET\\s(?:(?!\\bWHERE\\b|\\bFROM\\b)[^;\`])*?\\bstate\\s*=`,
  'i',
);
/** The same with knex: `.update({ …, state… })`. Other tables with a state column match, too. */
const KNEX = /\.update\(\s*\{[^}]*\bstate\b\s*[,:}]/;
/**
 * The same with values that are not spelled out: `tx('payments').where({ id }).update(patch)`, `.update({ ...patch })`.
 */
const KNEX_VALUES = new RegExp(
  `\\(\\s*['"\`](?:${TABLES})['"\`]\\s*\\)[^;]*?\\.(?:update|merge)\\(\\s*(?:[a-z]|\\{[^}]*\\.\\.\\.)`,
);
/** SQL whose columns are values: `UPDATE orders SET ${changes}`. */
const SQL_VALUES = new RegExp(`UPDATE\\s+(?:${TABLES})\\s+SET\\s+\\$\\{`, 'i');
/** A type assertion to the type that only the runner may create. */
const ASSERTION = /\bas (?:unknown as )?Decided\b/;

interface Source {
  file: string;
  text: string;
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file: path.posix.normalize(file), text: readFileSync(path.join(SRC, file), 'utf8') }));

const filesWith = (...patterns: RegExp[]): string[] =>
  sources.filter(({ text }) => patterns.some((pattern) => pattern.test(text))).map(({ file }) => file);

/** File names without folders. */
const names = (files: readonly string[]): string[] => files.map((file) => path.basename(file)).sort();

test('state columns are written in repositories that accept only decided states', () => {
  // The state of an import is the progress of its job; no machine decides it.
  const writers = filesWith(SQL, SQL_VALUES, KNEX, KNEX_VALUES).filter(
    (file) => !file.startsWith('exchange/'),
  );
  expect(names(writers)).toEqual([
    'inventory-units.repository.ts',
    'order-totals.repository.ts',
    'orders.repository.ts',
    'payment-operations.repository.ts',
    'return-authorizations.repository.ts',
    'unit-moves.repository.ts',
  ]);
  for (const { file, text } of sources.filter((source) => writers.includes(source.file))) {
    expect([file, /\bDecided<|\bPendingStateChange</.test(text)]).toEqual([file, true]);
  }
});

test('only the runner creates decided states', () => {
  expect(filesWith(ASSERTION)).toEqual(['platform/perform.ts']);
});

test('only the runner calls a machine', () => {
  expect(names(filesWith(/\b(?:machine|\w+Machine)\.(?:decide|getCalled)\(/))).toEqual(['perform.ts']);
});

test('orders are updated only with decided states', () => {
  const { text } = sources.find(({ file }) => file.endsWith('/orders.repository.ts')) ?? { text: '' };
  expect(text).toMatch(
    /OrderColumns = Partial<Omit<OrderRow, 'id' \| 'state' \| 'updated_at'>> & \{\s*state\?: Decided<OrderState>;/,
  );
  expect(text).toMatch(/buildOrderUpdate\([^)]*patch: OrderColumns/s);
});
