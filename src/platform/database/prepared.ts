import type { Db } from './knex';

/** A statement that is always the same text. */
export interface PreparedStatement {
  /** No other statement's. */
  name: string;
  sql: string;
}

/** A statement about records named by their ids. */
export interface PreparedForIds {
  /** No other statement's. */
  name: string;
  /** Its text; `ids` is the SQL of an integer array, to stand once and after all other `?`. */
  sql: (ids: string) => string;
}

/** A value in place of a `?`; an array for `= ANY(?)` and `unnest(?)`. */
type Binding = string | number | Date | null | string[] | number[];

/**
 * Runs a statement that each connection parses and, once PostgreSQL finds that its plan does not depend on the values,
 * plans only once: for the few large ones whose planning takes longer than their running. They must name their columns: a
 * prepared `*` fails on every open connection from the moment a migration adds a column. Poolers between the program and
 * PostgreSQL must know prepared statements (PgBouncer does since 1.21).
 */
export async function queryPrepared<Row>(
  db: Db,
  { name, sql }: PreparedStatement,
  bindings: readonly Binding[],
): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, [...bindings]).options({ name });
  return rows;
}

/** What most orders and pages hold; each is a statement of its own. */
const LIST_SIZES = [1, 2, 4, 8, 16];

/**
 * The same for a list of ids, which follow the other bindings. PostgreSQL takes an array it does not know for ten elements,
 * and would for ever plan anew for shorter ones: short lists are spelled out, the last id repeated up to the next size.
 */
export async function queryPreparedForIds<Row>(
  db: Db,
  { name, sql }: PreparedForIds,
  ids: readonly number[],
  bindings: readonly Binding[] = [],
): Promise<Row[]> {
  const last = ids.at(-1);
  if (last === undefined) return [];
  const size = LIST_SIZES.find((length) => length >= ids.length);
  if (size === undefined)
    return queryPrepared(db, { name, sql: sql('?::integer[]') }, [...bindings, [...ids]]);
  const places = Array.from({ length: size }, () => '?').join(', ');
  const padded = Array.from({ length: size }, (_, place) => ids[place] ?? last);
  return queryPrepared(db, { name: `${name}_${size}`, sql: sql(`ARRAY[${places}]::integer[]`) }, [
    ...bindings,
    ...padded,
  ]);
}
