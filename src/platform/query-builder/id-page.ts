import type { Knex } from 'knex';
import type { Db } from '../database/knex';
import { applySortAndPage } from './apply-search';
import type { SearchDefinition } from './define-search';
import type { ListQuery } from './list-query';
import { countRows, buildPage, type Page } from './page';

interface IdRow {
  id: number;
  /** A bigint, which arrives as text. */
  total: string;
}

/**
 * The ids of one page of `matching` (a query on `search.table` without columns) and the exact total, in one statement.
 *
 * A search is run to its end before anything is sorted: the total needs that anyway, and a planner that hopes to meet
 * 25 matches soon while walking in sort order would pass the trigram indexes by.
 */
export async function findIdPage(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<number>> {
  if (list.conditions.length === 0) return findPlainIdPage(db, matching, list, search);
  const id = `${search.table}.id`;
  const found = db
    .withMaterialized('found', matching.clone().select(id))
    .from(search.table)
    .join('found', 'found.id', id)
    .select({ id, total: db.raw('(SELECT count(*) FROM found)') });
  return readPage(await applySortAndPage(found, list, search), matching, list);
}

/** The same, leaving it to the planner in which order to search and sort; `matching` may join what it is sorted by. */
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
  const found = rows as IdRow[]; // what both statements above select
  const ids = found.map((row) => row.id);
  const [first] = found;
  if (first !== undefined) return buildPage(ids, Number(first.total), list);
  if (list.page === 1) return buildPage(ids, 0, list);
  return buildPage(ids, await countRows(matching.clone()), list);
}
