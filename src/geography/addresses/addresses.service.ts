import type { FieldErrors } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { checkAddress, type AddressAttributes } from './address-rules';
import {
  findCountryWithStates,
  type AddressRow,
  type AddressValues,
  type CountryKey,
  type CountryWithStates,
} from './addresses.repository';
import type { AddressInput } from './addresses.schema';

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
  const country = await findCountry(db, { input, current });
  return checkAddress(buildAttributes(input, current, country?.id ?? null), country);
}

/** Resolves several addresses, in order, like `resolveAddress`, among these countries. */
export function resolveAddresses(
  countries: readonly CountryWithStates[],
  wanted: readonly AddressChange[],
): ResolvedAddress[] {
  return wanted.map((change) => {
    const country = selectCountry(countries, getCountryReference(change));
    const { input, current } = change;
    return checkAddress(buildAttributes(input, current, country?.id ?? null), country);
  });
}

function selectCountry(
  countries: readonly CountryWithStates[],
  [key, value]: readonly [CountryKey, number | string | null],
): CountryWithStates | null {
  if (value === null) return null;
  const wanted = String(value).toLowerCase();
  return countries.find((country) => String(country[key]).toLowerCase() === wanted) ?? null;
}

interface AddressChange {
  input: AddressInput;
  current: AddressRow | null;
}

async function findCountry(db: Db, change: AddressChange): Promise<CountryWithStates | null> {
  const [key, value] = getCountryReference(change);
  return value === null ? null : findCountryWithStates(db, key, value);
}

function getCountryReference({
  input,
  current,
}: AddressChange): readonly [CountryKey, number | string | null] {
  return findCountryReference(input) ?? ['id', current?.country_id ?? null];
}

const isFilled = (value: string | number | null | undefined): value is string | number =>
  value !== undefined && value !== null && value !== '';

/** Returns how the input identifies its country; null if it does not. */
function findCountryReference(input: AddressInput): readonly [CountryKey, number | string | null] | null {
  if (input.country_id !== undefined) return ['id', input.country_id];
  const { country } = input;
  if (country === undefined) return null;
  for (const key of ['iso', 'iso3', 'iso_name', 'name'] as const) {
    const value = country[key];
    if (isFilled(value)) return [key, value];
  }
  return ['id', null];
}

function buildAttributes(
  input: AddressInput,
  current: AddressRow | null,
  countryId: number | null,
): AddressAttributes {
  const values = {
    ...input,
    firstname: input.firstname ?? input.first_name,
    lastname: input.lastname ?? input.last_name,
  };
  const field = (name: PlainField): string | null => {
    const value = values[name];
    return value === undefined ? (current?.[name] ?? null) : value === '' ? null : value;
  };
  return {
    firstname: field('firstname'),
    lastname: field('lastname'),
    address1: field('address1'),
    address2: field('address2'),
    city: field('city'),
    zipcode: field('zipcode'),
    phone: field('phone'),
    company: field('company'),
    alternative_phone: field('alternative_phone'),
    ...buildStateAttributes(input, current, countryId),
  };
}

type PlainField = Exclude<keyof AddressAttributes, 'state_id' | 'state_name'>;

/**
 * Returns the state of the input. If the input has no state and the country does not change, returns the current state.
 */
function buildStateAttributes(
  input: AddressInput,
  current: AddressRow | null,
  countryId: number | null,
): Pick<AddressAttributes, 'state_id' | 'state_name'> {
  const isNamed = input.state_id !== undefined || input.state_name !== undefined || input.state !== undefined;
  if (!isNamed && current !== null && current.country_id === countryId) {
    return { state_id: current.state_id, state_name: current.state_name };
  }
  const names = [input.state_name, input.state?.name, input.state?.abbr];
  return { state_id: input.state_id ?? null, state_name: names.find(isFilled) ?? null };
}
