import type { Db } from './knex';

/** A statement that is always the same text. */
export interface PreparedStatement {
  /** No other statement's. */
  name: string;
  sql: string;
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
