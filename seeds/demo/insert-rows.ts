import type { Knex } from 'knex';

/** Rows per statement. PostgreSQL allows 65,535 bindings, and the tables have fewer than 16 columns. */
const CHUNK = 4_000;

/** Inserts `rows` and returns their ids in the same order. All rows must have the same columns. */
export async function insertRows(
  tx: Knex.Transaction,
  table: string,
  rows: readonly object[],
): Promise<number[]> {
  const inserted: { id: number }[] = [];
  for (const chunk of splitIntoChunks(rows)) {
    inserted.push(...(await tx(table).insert(chunk).returning<{ id: number }[]>('id')));
  }
  return inserted.map(({ id }) => id);
}

/** Inserts `rows` into a table without an id column. */
export async function insertLinks(
  tx: Knex.Transaction,
  table: string,
  rows: readonly object[],
): Promise<void> {
  for (const chunk of splitIntoChunks(rows)) await tx(table).insert(chunk);
}

function splitIntoChunks(rows: readonly object[]): object[][] {
  const count = Math.ceil(rows.length / CHUNK);
  return Array.from({ length: count }, (_, index) => rows.slice(index * CHUNK, (index + 1) * CHUNK));
}

/** Returns the element at `index`. @throws Error if there is none */
export function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new Error(`index ${index} is out of range for a list of ${list.length}`);
  return value;
}

/** Returns the value of `key`. @throws Error with the key if there is none */
export function getValue<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined)
    throw new Error(`the demo content refers to ${String(key)} but does not define it`);
  return value;
}
