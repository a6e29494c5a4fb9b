import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SRC = path.join(__dirname, '../../../src');

/** SQL or knex that writes `count_on_hand` of an existing stock item. */
const WRITES = [
  /UPDATE\s+stock_items\s+SET\s(?:(?!\bWHERE\b|\bFROM\b)[^;`])*?\bcount_on_hand\s*=/i,
  /\.(?:update|merge)\(\s*\{[^}]*\bcount_on_hand\b/,
  /\.(?:increment|decrement)\(\s*\{?\s*['"]?count_on_hand\b/,
];

test('counts are written by the ledger only', () => {
  const writers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => {
      const text = readFileSync(path.join(SRC, file), 'utf8');
      return WRITES.some((pattern) => pattern.test(text));
    });
  expect(writers.map((file) => path.basename(file))).toEqual(['stock-ledger.repository.ts']);
});
