import type { FieldErrors } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { selectCountry, selectState } from '../countries/select-place';
import { ADDRESS_LINES, checkAddress, type AddressAttributes } from './address-rules';
import type { AddressRow, AddressValues, CountryWithStates } from './addresses.repository';
import type { AddressInput } from './addresses.schema';
import { loadCountries } from './resolve-places';

/** A valid address for `insertAddress` or `updateAddress`, or all its errors. */
export type ResolvedAddress = { address: AddressValues } | { errors: FieldErrors };

/**
 * Finds the country and the state of an address and checks it by the address rules. If `current` is set, the input
 * changes that address, and missing fields keep their values. Writes nothing; one query.
 * @returns the address, or errors by field; see `prefixErrors` for addresses in other records
 */
export async function resolveAddress(
  db: Db,
  input: AddressInput,
  current: AddressRow | null = null,
): Promise<ResolvedAddress> {
  const [resolved] = resolveAddresses(await loadCountries(db), [{ input, current }]);
  if (resolved === undefined) throw new Error('one address gives one result');
  return resolved;
}

/** Resolves several addresses, in order, like `resolveAddress`, among these countries. */
export function resolveAddresses(
  countries: readonly CountryWithStates[],
  wanted: readonly AddressChange[],
): ResolvedAddress[] {
  return wanted.map((change) => {
    const country = findCountry(countries, change);
    const { input, current } = change;
    return checkAddress(buildAttributes(input, current, country), country);
  });
}

interface AddressChange {
  input: AddressInput;
  current: AddressRow | null;
}

const isFilled = (value: string | null | undefined): value is string =>
  value !== undefined && value !== null && value !== '';

/** Returns the country that the input names, else that of the current address; null if it is missing or unknown. */
function findCountry(
  countries: readonly CountryWithStates[],
  { input: { country_id, country }, current }: AddressChange,
): CountryWithStates | null {
  if (country_id !== undefined) return country_id === null ? null : selectCountry(countries, country_id);
  if (country === undefined) return selectCountry(countries, current?.country_id ?? 0);
  const name = [country.iso, country.iso3, country.iso_name, country.name].find(isFilled);
  return name === undefined ? null : selectCountry(countries, name);
}

function buildAttributes(
  input: AddressInput,
  current: AddressRow | null,
  country: CountryWithStates | null,
): AddressAttributes {
  const values = {
    ...input,
    firstname: input.firstname ?? input.first_name,
    lastname: input.lastname ?? input.last_name,
  };
  const lines = ADDRESS_LINES.map((name) => {
    const value = values[name];
    return [name, value === undefined ? (current?.[name] ?? null) : value === '' ? null : value] as const;
  });
  return {
    // Object.fromEntries loses the types of the keys.
    ...(Object.fromEntries(lines) as Record<(typeof ADDRESS_LINES)[number], string | null>),
    ...buildStateAttributes(input, current, country),
  };
}

/**
 * Returns the state of the input. If the input has no state and the country does not change, returns the current state.
 */
function buildStateAttributes(
  input: AddressInput,
  current: AddressRow | null,
  country: CountryWithStates | null,
): Pick<AddressAttributes, 'state_id' | 'state_name'> {
  const isNamed = input.state_id !== undefined || input.state_name !== undefined || input.state !== undefined;
  if (!isNamed && current !== null && current.country_id === country?.id) {
    return { state_id: current.state_id, state_name: current.state_name };
  }
  const names = [input.state_name, input.state?.name, input.state?.abbr];
  const state_name = names.find(isFilled) ?? null;
  if (typeof input.state_id !== 'string') return { state_id: input.state_id ?? null, state_name };
  const found = selectState(country?.states ?? [], input.state_id, () => country?.iso ?? '');
  return { state_id: found?.id ?? null, state_name: state_name ?? (found === null ? input.state_id : null) };
}
