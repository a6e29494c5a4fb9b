import type { Ctx } from '../../access/context';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { CountryRow } from './countries.definition';
import { countryRecords } from './countries.repository';
import type { StateRow } from './states.definition';
import { stateRecords } from './states.repository';

/** Lists states of one country, or of all (null). An unknown country (undefined) has no states. */
export async function listStates(
  ctx: Ctx,
  list: ListQuery,
  countryId: number | null,
): Promise<{ country: CountryRow | undefined; page: Page<StateRow> }> {
  const country = countryId === null ? undefined : await countryRecords.find(ctx.db, countryId);
  const among = countryId === null ? {} : { country_id: countryId };
  return { country, page: await stateRecords.findPageOrAll(ctx.db, list, among) };
}

/** Lists the states of a country. @throws NotFound if the country does not exist */
export async function listStatesOfCountry(
  ctx: Ctx,
  countryId: number,
  list: ListQuery,
): Promise<{ country: CountryRow; page: Page<StateRow> }> {
  const country = await countryRecords.get(ctx.db, countryId);
  return { country, page: await stateRecords.findPageOrAll(ctx.db, list, { country_id: countryId }) };
}

/** Returns a state. @throws NotFound */
export async function getState(ctx: Ctx, id: number): Promise<StateRow> {
  return stateRecords.get(ctx.db, id);
}

/** Returns a state of a country. @throws NotFound, also if the state belongs to another country */
export async function getStateOfCountry(ctx: Ctx, countryId: number, id: number): Promise<StateRow> {
  return stateRecords.get(ctx.db, id, { country_id: countryId });
}
