import type { Ctx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findCountry, type CountryRow } from './countries.repository';
import { findState, findStatePage, type StateRow } from './states.repository';
import { stateSearch } from './states.search';

/** Lists states of one country, or of all (null). An unknown country (undefined) has no states. */
export async function listStates(
  ctx: Ctx,
  list: ListQuery,
  countryId: number | null,
): Promise<{ country: CountryRow | undefined; page: Page<StateRow> }> {
  const country = countryId === null ? undefined : await findCountry(ctx.db, countryId);
  return { country, page: await findStatePage(ctx.db, list, stateSearch, countryId) };
}

/** Lists the states of a country. @throws NotFound if the country does not exist */
export async function listStatesOfCountry(
  ctx: Ctx,
  countryId: number,
  list: ListQuery,
): Promise<{ country: CountryRow; page: Page<StateRow> }> {
  const country = await findCountry(ctx.db, countryId);
  if (country === undefined) throw new NotFound();
  return { country, page: await findStatePage(ctx.db, list, stateSearch, countryId) };
}

/** Returns a state. @throws NotFound */
export async function getState(ctx: Ctx, id: number): Promise<StateRow> {
  const state = await findState(ctx.db, id);
  if (state === undefined) throw new NotFound();
  return state;
}

/** Returns a state of a country. @throws NotFound, also if the state belongs to another country */
export async function getStateOfCountry(ctx: Ctx, countryId: number, id: number): Promise<StateRow> {
  const state = await getState(ctx, id);
  if (state.country_id !== countryId) throw new NotFound();
  return state;
}
