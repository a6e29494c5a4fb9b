import type { StateRow } from './states.repository';
import { serializeState } from './states.serializer';
import type { CountryRow } from './countries.repository';
import type { CountryJson, CountryWithStatesJson } from './countries.schema';

export function serializeCountry(country: CountryRow): CountryJson {
  return {
    id: country.id,
    iso_name: country.iso_name,
    iso: country.iso,
    iso3: country.iso3,
    name: country.name,
    numcode: country.numcode,
    states_required: country.states_required,
  };
}

export function serializeCountryWithStates(
  country: CountryRow,
  states: readonly StateRow[],
): CountryWithStatesJson {
  return { ...serializeCountry(country), states: states.map(serializeState) };
}
