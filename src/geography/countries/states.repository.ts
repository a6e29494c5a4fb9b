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

/** Finds states of one country, or of all (null). Returns one page, or all states if the request has no page. */
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

/** Finds a state of any country. */
export async function findState(db: Db, id: number): Promise<StateRow | undefined> {
  return db<StateRow>('states').where({ id }).first();
}

/** Lists the states of the countries, by name. */
export async function listStatesOfCountries(db: Db, countryIds: readonly number[]): Promise<StateRow[]> {
  return db<StateRow>('states').whereIn('country_id', countryIds).orderBy(['name', 'id']);
}
