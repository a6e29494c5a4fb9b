import type { Db } from '../../platform/database/knex';
import { createRecords } from '../../platform/resource/records';
import { State, type StateRow } from './states.definition';

/** States of all countries. */
export const stateRecords = createRecords(State);

/** Lists the states of the countries, by name. */
export async function listStatesOfCountries(db: Db, countryIds: readonly number[]): Promise<StateRow[]> {
  return db<StateRow>('states').whereIn('country_id', countryIds).orderBy(['name', 'id']);
}
