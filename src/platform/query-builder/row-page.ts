import type { Knex } from 'knex';
import type { Db } from '../database/knex';
import { applySortAndPage } from './apply-search';
import type { SearchDefinition } from './define-search';
import { findFeedPage } from './feed-page';
import { findPlainIdPage } from './id-page';
import type { ListQuery } from './list-query';
import { buildPage, countAll, type Page } from './page';

/** What a page of rows is read from. */
export interface RowSource<Row> {
  /** A query on `search.table` without columns. */
  matching: Knex.QueryBuilder;
  /** Adds the columns, and the joins that only they need. */
  select: (matching: Knex.QueryBuilder) => Knex.QueryBuilder<object, Row[]>;
}

/** Selects all columns of a table, or those given. */
export const selectColumns =
  <Row>(...columns: readonly string[]) =>
  (rows: Knex.QueryBuilder) =>
    rows.select<Row[]>([...columns]);

/** Returns one page of rows and the exact total, or a page of the feed. At most two statements, or three beyond the last page. */
export async function findRowPage<Row extends { id: number }>(
  db: Db,
  { matching, select }: RowSource<Row>,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<Row>> {
  // The columns of a later page would be computed for all rows before it, so it is found by its ids.
  if (list.feed === null && list.page === 1) {
    const found = await applySortAndPage(select(matching.clone()), list, search);
    const rows = found as Row[]; // the columns that `select` adds
    return buildPage(rows, await countAll(matching, rows.length, list), list);
  }
  const page =
    list.feed === null
      ? await findPlainIdPage(db, matching, list, search)
      : await findFeedPage(db, matching, list, { feed: list.feed, search });
  const found = await select(matching.clone()).whereRaw(`${search.table}.id = ANY(?)`, [page.rows]);
  const byId = new Map((found as Row[]).map((row) => [row.id, row])); // as above
  return { ...page, rows: page.rows.flatMap((id) => byId.get(id) ?? []) };
}
