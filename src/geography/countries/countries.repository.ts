import type { Db } from '../../platform/database/knex';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countRows, pageOf, type Page } from '../../platform/query-builder/page';

export interface CountryRow {
  id: number;
  name: string;
  iso_name: string;
  iso: string;
  iso3: string;
  numcode: number;
  states_required: boolean;
}

export async function findCountryPage(
  db: Db,
  list: ListQuery,
  search: SearchDefinition,
): Promise<Page<CountryRow>> {
  const matching = db<CountryRow>('countries').modify((query) => applyFilters(query, list, search));
  const [rows, total] = await Promise.all([
    matching
      .clone()
      .select('countries.*')
      .modify((query) => applySortAndPage(query, list, search)),
    countRows(matching),
  ]);
  return pageOf(rows, total, list);
}

export async function findCountry(db: Db, id: number): Promise<CountryRow | undefined> {
  return db<CountryRow>('countries').where({ id }).first();
}
