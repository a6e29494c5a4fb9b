import { BLANK, INVALID, type FieldErrors } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { toHalfWidth, toPostalCode } from '../../platform/half-width';
import { selectState } from '../countries/select-place';

/** The lines of an address, without its country and state. */
export const ADDRESS_LINES = [
  'firstname',
  'lastname',
  'address1',
  'address2',
  'city',
  'zipcode',
  'phone',
  'company',
  'alternative_phone',
] as const;

/** The attributes of an address in a request; null if missing. Text must be trimmed and within its maximum length. */
export interface AddressAttributes extends Record<(typeof ADDRESS_LINES)[number], string | null> {
  state_id: number | null;
  /** Also the value of `state: {name|abbr}`. */
  state_name: string | null;
}

/** The country of an address, found by id, code or name. */
export interface AddressCountry {
  id: number;
  iso: string;
  states_required: boolean;
  /** All of its states. */
  states: readonly { id: number; name: string; abbr: string }[];
}

/** An address that can be stored. */
export interface ValidAddress extends AddressAttributes {
  firstname: string;
  lastname: string;
  address1: string;
  city: string;
  zipcode: string;
  phone: string;
  country_id: number;
}

const REQUIRED = ['firstname', 'lastname', 'address1', 'city', 'phone', 'zipcode'] as const;

/** The format of postal codes by ISO 3166-1 alpha-2 code. Other countries accept any text. */
const ZIPCODE_PATTERNS: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-\d{4})?$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
  GB: /^(GIR ?0AA|[A-PR-UWYZ]([0-9]{1,2}|[A-HK-Y][0-9]([0-9ABEHMNPRV-Y])?|[0-9][A-HJKPS-UW]) ?[0-9][ABD-HJLNP-UW-Z]{2})$/i,
};

/**
 * Checks an address and resolves its state. `country` is null if it is missing or unknown. Full-width characters of postal
 * codes and phone numbers are converted to ASCII.
 * @returns the address to store, or all errors, without the prefix for orders (`bill_address.`)
 */
export function checkAddress(
  entered: AddressAttributes,
  country: AddressCountry | null,
): { address: ValidAddress } | { errors: FieldErrors } {
  const attributes = {
    ...entered,
    zipcode: entered.zipcode === null ? null : toPostalCode(entered.zipcode),
    phone: entered.phone === null ? null : toHalfWidth(entered.phone),
    alternative_phone: entered.alternative_phone === null ? null : toHalfWidth(entered.alternative_phone),
  };
  const errors: FieldErrors = {};
  for (const field of REQUIRED) {
    if (isBlank(attributes[field])) errors[field] = [BLANK];
  }
  if (!country) return { errors: { ...errors, country: [BLANK] } };

  const { zipcode } = attributes;
  if (!isBlank(zipcode) && !isZipcodeValid(zipcode ?? '', country.iso)) errors['zipcode'] = [INVALID];
  const state = resolveState(attributes, country);
  if ('problem' in state) errors['state'] = [state.problem];
  if (Object.keys(errors).length > 0 || 'problem' in state) return { errors };
  const { firstname, lastname, address1, city, phone } = attributes;
  return {
    address: {
      ...attributes,
      firstname: firstname ?? '',
      lastname: lastname ?? '',
      address1: address1 ?? '',
      city: city ?? '',
      zipcode: zipcode ?? '',
      phone: phone ?? '',
      country_id: country.id,
      ...state,
    },
  };
}

/** Returns whether a postal code has the format of its country; true if the format is unknown. */
export function isZipcodeValid(zipcode: string, countryIso: string): boolean {
  const pattern = Object.hasOwn(ZIPCODE_PATTERNS, countryIso) ? ZIPCODE_PATTERNS[countryIso] : undefined;
  return pattern === undefined || pattern.test(zipcode.trim());
}

/** Returns the first and last name as one text. */
export function buildFullName(address: { firstname: string; lastname: string }): string {
  return `${address.firstname} ${address.lastname}`.trim();
}

/** Returns the state's abbreviation, or else its name, or else the entered name; null if there is none. */
export function buildStateText(
  state: { name: string; abbr: string } | null,
  state_name: string | null,
): string | null {
  return [state?.abbr, state?.name, state_name].find((text) => !isBlank(text ?? null)) ?? null;
}

type ResolvedState = { state_id: number | null; state_name: string | null } | { problem: string };

/** Resolves the state. If no state is required, a state of another country is ignored. */
function resolveState({ state_id, state_name }: AddressAttributes, country: AddressCountry): ResolvedState {
  const isKnown = country.states.some((state) => state.id === state_id);
  if (isKnown) return { state_id, state_name: country.states_required ? null : state_name };
  const entered = isBlank(state_name) ? null : state_name;
  if (!country.states_required) return { state_id: null, state_name: entered };
  if (entered === null) return { problem: state_id === null ? BLANK : INVALID };
  if (country.states.length === 0) return { state_id: null, state_name: entered };
  const found = selectState(country.states, entered, () => country.iso);
  return found === null ? { problem: INVALID } : { state_id: found.id, state_name: null };
}
