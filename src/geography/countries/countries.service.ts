import type { Ctx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { listStatesOfCountries, type StateRow } from './states.repository';
import { findCountry, findCountryPage, type CountryRow } from './countries.repository';
import { countrySearch } from './countries.search';

export async function listCountries(ctx: Ctx, list: ListQuery): Promise<Page<CountryRow>> {
  return findCountryPage(ctx.db, list, countrySearch);
}

/** Returns a country and its states, by name. @throws NotFound */
export async function getCountry(ctx: Ctx, id: number): Promise<{ country: CountryRow; states: StateRow[] }> {
  const [country, states] = await Promise.all([findCountry(ctx.db, id), listStatesOfCountries(ctx.db, [id])]);
  if (country === undefined) throw new NotFound();
  return { country, states };
}
