import type { Db } from '../../platform/database/knex';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countRows } from '../../platform/query-builder/page';
import type { ExportSource } from './export-sources';

function selectRecords(db: Db, { search, restrict }: ExportSource, list: ListQuery) {
  const matching = applyFilters(db(search.table), list, search);
  return restrict === undefined ? matching : restrict(matching);
}

/** Returns the ids of the matching records after `after`, ascending, at most `size`. One statement. */
export async function findNextIds(
  db: Db,
  source: ExportSource,
  { list, after, size }: { list: ListQuery; after: number; size: number },
): Promise<number[]> {
  const id = `${source.search.table}.id`;
  return selectRecords(db, source, list).where(id, '>', after).orderBy(id).limit(size).pluck<number[]>(id);
}

/** Counts the matching records. */
export async function countRecords(db: Db, source: ExportSource, list: ListQuery): Promise<number> {
  return countRows(selectRecords(db, source, list));
}
