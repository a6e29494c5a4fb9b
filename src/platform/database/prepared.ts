import type { Db } from './knex';

/** A statement with constant text. */
export interface PreparedStatement {
  /** Must be unique. */
  name: string;
  sql: string;
}

/** A statement for records with given ids. */
export interface PreparedForIds {
  /** Must be unique. */
  name: string;
  /** Returns the text. `ids` is the SQL of an integer array; use it once, after all other `?`. */
  sql: (ids: string) => string;
}

/** The value of a `?`; an array for `= ANY(?)` and `unnest(?)`. */
type Binding = string | number | Date | null | string[] | number[];

/**
 * Runs a prepared statement. Each connection parses it once, and PostgreSQL plans it once if the plan does not depend
 * on the values. Use it for large statements that take longer to plan than to run. They must list their columns: a
 * prepared `*` fails on open connections after a migration adds a column. Connection poolers must support prepared
 * statements (PgBouncer 1.21 or newer).
 */
export async function queryPrepared<Row>(
  db: Db,
  { name, sql }: PreparedStatement,
  bindings: readonly Binding[],
): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, [...bindings]).options({ name });
  return rows;
}

/** Common list lengths. Each is a separate statement. */
const LIST_SIZES = [1, 2, 4, 8, 16];

/**
 * Runs a prepared statement for a list of ids, which follow the other bindings. Short lists are written out and padded
 * with the last id up to the next size: PostgreSQL assumes ten elements for an array parameter and would replan shorter
 * ones each time.
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
