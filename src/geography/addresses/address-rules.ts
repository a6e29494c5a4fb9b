import { BLANK, INVALID, type FieldErrors } from '../../platform/errors';
import { isBlank } from '../../platform/blank';

/** An address as a client wants it; null where nothing was given. Text is expected trimmed and within its length. */
export interface AddressAttributes {
  firstname: string | null;
  lastname: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  zipcode: string | null;
  phone: string | null;
  company: string | null;
  alternative_phone: string | null;
  state_id: number | null;
  /** Also what `state: {name|abbr}` gave. */
  state_name: string | null;
}

/** The country the address names, found by id or by its codes or names. */
export interface AddressCountry {
  id: number;
  iso: string;
  states_required: boolean;
  /** All of its states. */
  states: readonly { id: number; name: string; abbr: string }[];
}

/** An address fit to be stored. */
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

/** Where the form of a postal code is known (behaviour 4.9); elsewhere anything goes. By ISO 3166-1 alpha-2. */
const ZIPCODE_PATTERNS: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-\d{4})?$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
  GB: /^(GIR ?0AA|[A-PR-UWYZ]([0-9]{1,2}|[A-HK-Y][0-9]([0-9ABEHMNPRV-Y])?|[0-9][A-HJKPS-UW]) ?[0-9][ABD-HJLNP-UW-Z]{2})$/i,
};

/**
 * Checks an address and settles its state (behaviour 4.9). `country` null: none was given, or it is unknown.
 * @returns the address to store, or all errors at once, without the prefix (`bill_address.`) they get on an order.
 */
export function checkAddress(
  attributes: AddressAttributes,
  country: AddressCountry | null,
): { address: ValidAddress } | { errors: FieldErrors } {
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

/** Whether a postal code has the form its country uses; true where the form is not known. */
export function isZipcodeValid(zipcode: string, countryIso: string): boolean {
  const pattern = Object.hasOwn(ZIPCODE_PATTERNS, countryIso) ? ZIPCODE_PATTERNS[countryIso] : undefined;
  return pattern === undefined || pattern.test(zipcode.trim());
}

/** First and last name in one. */
export function buildFullName(address: { firstname: string; lastname: string }): string {
  return `${address.firstname} ${address.lastname}`.trim();
}

/** The state's abbreviation, else its name, else what was typed; null without any. */
export function buildStateText(
  state: { name: string; abbr: string } | null,
  state_name: string | null,
): string | null {
  return [state?.abbr, state?.name, state_name].find((text) => !isBlank(text ?? null)) ?? null;
}

type ResolvedState = { state_id: number | null; state_name: string | null } | { problem: string };

/** The table of behaviour 4.9. Where no state is required, only a state of another country is dropped. */
function resolveState({ state_id, state_name }: AddressAttributes, country: AddressCountry): ResolvedState {
  const own = country.states.some((state) => state.id === state_id);
  if (own) return { state_id, state_name: country.states_required ? null : state_name };
  const typed = isBlank(state_name) ? null : state_name;
  if (!country.states_required) return { state_id: null, state_name: typed };
  if (typed === null) return { problem: state_id === null ? BLANK : INVALID };
  if (country.states.length === 0) return { state_id: null, state_name: typed };
  const [match, ...others] = country.states.filter(
    ({ name, abbr }) => isSame(name, typed) || isSame(abbr, typed),
  );
  return match && others.length === 0 ? { state_id: match.id, state_name: null } : { problem: INVALID };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase();
}
