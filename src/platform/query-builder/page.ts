import type { Knex } from 'knex';
import type { ListQuery } from './list-query';

/** One page of a list and how much there is in all. */
export interface Page<T> {
  rows: T[];
  total: number;
  page: number;
  per_page: number;
}

/** The page that `list` asked for. @param total how many rows there are on all pages */
export function buildPage<T>(rows: T[], total: number, list: ListQuery): Page<T> {
  return { rows, total, page: list.page, per_page: list.per_page };
}

/** The same page of what `map` makes of each row. */
export function mapPage<T, U>(page: Page<T>, map: (row: T) => U): Page<U> {
  return { ...page, rows: page.rows.map(map) };
}

/** 0 when nothing matches. */
export function countPages(page: { total: number; per_page: number }): number {
  return Math.ceil(page.total / page.per_page);
}

/**
 * How many rows `matching` has in all, given that this page shows `shown` of them. A page that is not full tells
 * it already; otherwise one query counts, without joins, sorts or limits.
 */
export async function countAll(matching: Knex.QueryBuilder, shown: number, list: ListQuery): Promise<number> {
  const before = (list.page - 1) * list.per_page;
  if (shown < list.per_page && (shown > 0 || list.page === 1)) return before + shown;
  return countRows(matching.clone().clearSelect().clearOrder());
}

/** How many rows a query without columns finds. Runs it. */
export async function countRows(matching: Knex.QueryBuilder): Promise<number> {
  const counted: unknown = await matching.count({ count: '*' }).first();
  return Number((counted as { count: string } | undefined)?.count ?? 0); // count(*) is a bigint, which arrives as text
}
