import type { Knex } from 'knex';

/** PostgreSQL takes 65,535 bindings a statement; the widest table here has fewer than 16 columns. */
const CHUNK = 4_000;

/** Inserts `rows` and answers their ids in the same order. All rows must have the same columns. */
export async function insertRows(
  tx: Knex.Transaction,
  table: string,
  rows: readonly object[],
): Promise<number[]> {
  const inserted: { id: number }[] = [];
  for (const chunk of chunksOf(rows)) {
    inserted.push(...(await tx(table).insert(chunk).returning<{ id: number }[]>('id')));
  }
  return inserted.map(({ id }) => id);
}

/** Inserts `rows` of a table that has no id of its own. */
export async function insertLinks(
  tx: Knex.Transaction,
  table: string,
  rows: readonly object[],
): Promise<void> {
  for (const chunk of chunksOf(rows)) await tx(table).insert(chunk);
}

function chunksOf(rows: readonly object[]): object[][] {
  const count = Math.ceil(rows.length / CHUNK);
  return Array.from({ length: count }, (_, index) => rows.slice(index * CHUNK, (index + 1) * CHUNK));
}

/** What is at `index`. @throws Error when nothing is: the caller's lists have come apart. */
export function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new Error(`Nothing at ${index} in a list of ${list.length}.`);
  return value;
}

/** The value of `key`. @throws Error when there is none, naming the key. */
export function need<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined)
    throw new Error(`The demo content names ${String(key)}, which it does not define.`);
  return value;
}
