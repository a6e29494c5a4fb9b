import type { Db } from '../../platform/database/knex';
import { applyFilters, applySort, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';

export interface StateRow {
  id: number;
  country_id: number;
  name: string;
  abbr: string;
}

/** One page of the states, of one country or (null) of all; the whole list when no page was asked for. */
export async function findStatePage(
  db: Db,
  list: ListQuery,
  search: SearchDefinition,
  countryId: number | null,
): Promise<Page<StateRow>> {
  const matching = applyFilters(db<StateRow>('states'), list, search);
  if (countryId !== null) void matching.where('states.country_id', countryId);
  const rows = matching.clone().select('states.*');
  if (!list.isPaged) {
    const all = await applySort(rows, list, search);
    return buildPage(all, all.length, list);
  }
  const page = await applySortAndPage(rows, list, search);
  return buildPage(page, await countAll(matching, page.length, list), list);
}

/** The state of that id, of whatever country. */
export async function findState(db: Db, id: number): Promise<StateRow | undefined> {
  return db<StateRow>('states').where({ id }).first();
}

/** The states of these countries, by name. */
export async function listStatesOfCountries(db: Db, countryIds: readonly number[]): Promise<StateRow[]> {
  return db<StateRow>('states').whereIn('country_id', countryIds).orderBy(['name', 'id']);
}
