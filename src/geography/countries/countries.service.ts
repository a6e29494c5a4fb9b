import type { Ctx } from '../../access/context';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { CountryRow } from './countries.definition';
import { countryRecords } from './countries.repository';
import type { StateRow } from './states.definition';
import { listStatesOfCountries } from './states.repository';

export async function listCountries(ctx: Ctx, list: ListQuery): Promise<Page<CountryRow>> {
  return countryRecords.findPage(ctx.db, list);
}

/** Returns a country and its states, by name. @throws NotFound */
export async function getCountry(ctx: Ctx, id: number): Promise<{ country: CountryRow; states: StateRow[] }> {
  const [country, states] = await Promise.all([
    countryRecords.get(ctx.db, id),
    listStatesOfCountries(ctx.db, [id]),
  ]);
  return { country, states };
}
