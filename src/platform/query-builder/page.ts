import type { Knex } from 'knex';
import type { FeedEnd } from './feed';
import type { ListQuery } from './list-query';

/** One page of a list, and the total number of rows. */
export interface Page<T> {
  rows: T[];
  total: number;
  page: number;
  per_page: number;
  /** Of the rows of all pages, which some lists return unless the request has `page` or `per_page`. */
  isWhole?: true;
  /** Further fields of the envelope, as `PagedReply.more` describes them. */
  more?: Readonly<Record<string, unknown>>;
  /** Of a page of a feed. */
  feed?: FeedEnd;
}

/** Builds the page that `list` requests. @param total the number of rows on all pages */
export function buildPage<T>(rows: T[], total: number, list: ListQuery): Page<T> {
  return { rows, total, page: list.page, per_page: list.per_page };
}

/** Returns the page with each row converted by `map`. */
export function mapPage<T, U>(page: Page<T>, map: (row: T) => U): Page<U> {
  return { ...page, rows: page.rows.map(map) };
}

/** Returns the number of pages; 0 if nothing matches. */
export function countPages(page: { total: number; per_page: number }): number {
  return Math.ceil(page.total / page.per_page);
}

/**
 * Returns the total number of rows of `matching`; `shown` of them are on this page. A page that is not full implies the
 * total; otherwise one query counts the rows.
 */
export async function countAll(matching: Knex.QueryBuilder, shown: number, list: ListQuery): Promise<number> {
  const before = (list.page - 1) * list.per_page;
  if (shown < list.per_page && (shown > 0 || list.page === 1)) return before + shown;
  return countRows(matching.clone().clearSelect().clearOrder());
}

/** Counts the rows of a query without columns. */
export async function countRows(matching: Knex.QueryBuilder): Promise<number> {
  const counted: unknown = await matching.count({ count: '*' }).first();
  return Number((counted as { count: string } | undefined)?.count ?? 0); // count(*) is a bigint, which pg returns as text
}
