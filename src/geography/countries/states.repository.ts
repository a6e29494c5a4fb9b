import type { Db } from '../../platform/database/knex';
import { applyFilters, applySort, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import { State, type StateRow } from './states.definition';

/** States of all countries. */
export const stateRecords = createRecords(State);

/** Finds states of one country, or of all (null). Returns one page, or all states if the request has no page. */
export async function findStatePage(
  db: Db,
  list: ListQuery,
  countryId: number | null,
): Promise<Page<StateRow>> {
  const matching = applyFilters(db<StateRow>('states'), list, State.search);
  if (countryId !== null) void matching.where('states.country_id', countryId);
  const rows = matching.clone().select('states.*');
  if (!list.isPaged) {
    const all = await applySort(rows, list, State.search);
    return buildPage(all, all.length, list);
  }
  const page = await applySortAndPage(rows, list, State.search);
  return buildPage(page, await countAll(matching, page.length, list), list);
}

/** Lists the states of the countries, by name. */
export async function listStatesOfCountries(db: Db, countryIds: readonly number[]): Promise<StateRow[]> {
  return db<StateRow>('states').whereIn('country_id', countryIds).orderBy(['name', 'id']);
}
