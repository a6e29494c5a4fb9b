import type { Db } from '../../platform/database/knex';
import { readRevisions } from '../reference-revisions.repository';
import { INVALID, type FieldErrors } from '../../platform/errors';
import { selectCountry, selectState, type PlaceReference } from '../countries/select-place';
import { getCountries, type CountryWithStates } from './addresses.repository';

/** Returns all countries with their states, for work that has not read their revision. One statement. */
export async function loadCountries(db: Db): Promise<readonly CountryWithStates[]> {
  return getCountries(db, await readRevisions(db));
}

/**
 * Returns the ids of countries by code or name; ids are returned as they are, without a query if there are no others.
 * Unknown ones become null.
 */
export async function findCountryIds(
  db: Db,
  references: readonly PlaceReference[],
): Promise<(number | null)[]> {
  if (references.every((reference) => typeof reference === 'number')) return [...references];
  const countries = await loadCountries(db);
  return references.map((one) =>
    typeof one === 'number' ? one : (selectCountry(countries, one)?.id ?? null),
  );
}

/**
 * Returns the ids of states by abbreviation, ISO 3166-2 code or name, of the country or of all (null); ids are returned as
 * they are. Those that are unknown or not unique become null.
 */
export async function findStateIds(
  db: Db,
  references: readonly PlaceReference[],
  countryId: number | null,
): Promise<(number | null)[]> {
  if (references.every((reference) => typeof reference === 'number')) return [...references];
  const countries = (await loadCountries(db)).filter(({ id }) => countryId === null || id === countryId);
  const isos = new Map(countries.map(({ id, iso }) => [id, iso]));
  const states = countries.flatMap((country) => country.states);
  return references.map((one) =>
    typeof one === 'number'
      ? one
      : (selectState(states, one, ({ country_id }) => isos.get(country_id) ?? '')?.id ?? null),
  );
}

type Places = {
  country_id?: PlaceReference | null | undefined;
  state_id?: PlaceReference | null | undefined;
};
type PlaceIds = { country_id?: number | null; state_id?: number | null };

/**
 * Returns the attributes with ids instead of codes and names. `currentCountryId` is that of the stored record.
 * @returns errors for unknown codes and names
 */
export async function resolvePlaces<P extends Places>(
  db: Db,
  { country_id, state_id, ...rest }: P,
  currentCountryId: number | null,
): Promise<{ attributes: Omit<P, keyof Places> & PlaceIds } | { errors: FieldErrors }> {
  const [country = null] = country_id == null ? [] : await findCountryIds(db, [country_id]);
  if (country_id != null && country === null) return { errors: { country_id: [INVALID] } };
  const within = country_id === undefined ? currentCountryId : country;
  const [state = null] = state_id == null ? [] : await findStateIds(db, [state_id], within);
  if (state_id != null && state === null) return { errors: { state_id: [INVALID] } };
  return {
    attributes: {
      ...rest,
      ...(country_id !== undefined && { country_id: country }),
      ...(state_id !== undefined && { state_id: state }),
    },
  };
}
