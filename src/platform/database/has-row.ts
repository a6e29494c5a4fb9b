import type { Knex } from 'knex';

/** Returns whether a query selects a row. Reads at most one. */
export async function hasRow(query: Knex.QueryBuilder): Promise<boolean> {
  return (await query.first()) !== undefined;
}
