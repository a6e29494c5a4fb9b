import type { Knex } from 'knex';
import type { Db } from '../database/knex';
import { applySortAndPage } from './apply-search';
import type { SearchDefinition } from './define-search';
import { findFeedPage } from './feed-page';
import type { ListQuery } from './list-query';
import { countRows, buildPage, type Page } from './page';

interface IdRow {
  id: number;
  /** A bigint, which pg returns as text. */
  total: string;
}

/** Further columns of a statement that finds a page, by name; the same for each row. */
type Columns = Readonly<Record<string, Knex.Raw>>;

/**
 * Finds the ids of one page of `matching` (a query on `search.table` without columns) and the exact total, or of a page of the
 * feed, in one statement.
 *
 * All matches are found before they are sorted. The total requires them anyway, and a planner that expects 25 matches
 * early in sort order would not use the trigram indexes.
 */
export async function findIdPage(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<number>> {
  if (list.feed !== null) return findFeedPage(db, matching, list, { feed: list.feed, search });
  if (list.conditions.length === 0) return findPlainIdPage(db, matching, list, search);
  return readPage(await selectFound(db, matching, list, { search }), matching, list);
}

/**
 * Finds a page like `findIdPage`, and further columns in the same snapshot.
 * @returns undefined for the columns if the page is empty
 */
export async function findIdPageWith<Row>(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  { search, columns }: { search: SearchDefinition; columns: Columns },
): Promise<{ page: Page<number>; columns: Row | undefined }> {
  const rows: unknown = await selectFound(db, matching, list, { search, columns });
  const [first] = rows as Row[]; // the selected columns
  return { page: await readPage(rows, matching, list), columns: first };
}

/**
 * Finds a page like `findIdPage`, of matches that have a rank.
 * @param rank the SQL of the rank, by which `search` may sort as `found.rank`
 */
export async function findRankedIdPage(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  { search, rank }: { search: SearchDefinition; rank: string },
): Promise<Page<number>> {
  return readPage(await selectFound(db, matching, list, { search, kept: { rank } }), matching, list);
}

function selectFound(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  {
    search,
    columns = {},
    kept = {},
  }: { search: SearchDefinition; columns?: Columns; kept?: Readonly<Record<string, string>> },
): Knex.QueryBuilder {
  const id = `${search.table}.id`;
  const found = db
    .withMaterialized('found', matching.clone().select({ id, ...kept }))
    .from(search.table)
    .join('found', 'found.id', id)
    .select({ id, total: db.raw('(SELECT count(*) FROM found)'), ...columns });
  return applySortAndPage(found, list, search);
}

/**
 * Finds a page like `findIdPage`, but lets the planner choose how to search and sort. `matching` may join tables to
 * sort by.
 */
export async function findPlainIdPage(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<number>> {
  const rows = matching
    .clone()
    .select({ id: `${search.table}.id`, total: matching.clone().select(db.raw('count(*)')) });
  return readPage(await applySortAndPage(rows, list, search), matching, list);
}

async function readPage(rows: unknown, matching: Knex.QueryBuilder, list: ListQuery): Promise<Page<number>> {
  const found = rows as IdRow[]; // the columns that both statements select
  const ids = found.map((row) => row.id);
  const [first] = found;
  if (first !== undefined) return buildPage(ids, Number(first.total), list);
  if (list.page === 1) return buildPage(ids, 0, list);
  return buildPage(ids, await countRows(matching.clone()), list);
}
