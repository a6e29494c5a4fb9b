import type { Db } from '../../platform/database/knex';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';

export interface CountryRow {
  id: number;
  name: string;
  iso_name: string;
  iso: string;
  iso3: string;
  numcode: number;
  states_required: boolean;
}

/** Finds one page of countries without their states; up to two queries. */
export async function findCountryPage(
  db: Db,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<CountryRow>> {
  const matching = applyFilters(db<CountryRow>('countries'), list, search);
  const rows = await applySortAndPage(matching.clone().select('countries.*'), list, search);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** Finds a country without its states. */
export async function findCountry(db: Db, id: number): Promise<CountryRow | undefined> {
  return db<CountryRow>('countries').where({ id }).first();
}
