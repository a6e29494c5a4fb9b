import type { Knex } from 'knex';
import type { ListQuery } from './list-query';

/** One page of a list and how much there is in all. */
export interface Page<T> {
  rows: T[];
  total: number;
  page: number;
  per_page: number;
}

export function pageOf<T>(rows: T[], total: number, list: ListQuery): Page<T> {
  return { rows, total, page: list.page, per_page: list.per_page };
}

export function mapPage<T, U>(page: Page<T>, map: (row: T) => U): Page<U> {
  return { ...page, rows: page.rows.map(map) };
}

/** 0 when nothing matches. */
export function pagesOf(page: { total: number; per_page: number }): number {
  return Math.ceil(page.total / page.per_page);
}

/** How many rows `query` matches, without its ORDER BY and LIMIT. One query. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const counted: unknown = await query.clone().clearSelect().clearOrder().count({ count: '*' }).first();
  return Number((counted as { count: string } | undefined)?.count ?? 0); // count(*) is a bigint, which arrives as text
}
