import type { Knex } from 'knex';

/**
 * Restricts an update to rows that differ from `values`, which must not be empty. Other rows keep their `updated_at`, and are no change
 * for feeds and events: a program that writes back what an event told it would never end.
 */
export function whereChanged(
  query: Knex.QueryBuilder,
  values: Readonly<Record<string, unknown>>,
): Knex.QueryBuilder {
  const names = Object.keys(values);
  const list = (place: string) => names.map(() => place).join(', ');
  return query.whereRaw(`(${list('??')}) IS DISTINCT FROM (${list('?')})`, [
    ...names,
    // The values of columns, which the update binds, too.
    ...(Object.values(values) as Knex.RawBinding[]),
  ]);
}
