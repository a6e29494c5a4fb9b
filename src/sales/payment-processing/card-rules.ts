import { toHalfWidth } from '../../platform/half-width';
import { isStorable } from '../../platform/json-object';
import { readBoolean } from '../../platform/parameters';
import type { CardInput } from './card-input.schema';
import type { Card, CardProfile, StoredCard } from './gateways/gateway';

/** Returns whether the card becomes one of the customer's saved cards. */
export const isSaved = ({ save }: CardInput): boolean => readBoolean(save) !== false;

/** A card that is charged by its token. Blank text and null stand for what the client did not send. */
export interface TokenizedCard {
  token: string;
  card: Omit<StoredCard, 'month' | 'year'> & { month: number | null; year: number | null };
}

/**
 * Reads and checks a new card. A card is valid until the end of its month, in UTC.
 * @returns the card, or error messages for the key `Credit Card` (`payments.Credit Card` on an order)
 */
export function readCard(input: CardInput, now: Date): { card: Card } | { errors: string[] } {
  const number = readDigits(input.number).replace(/\D/g, '');
  const verification_value = readDigits(input.verification_value);
  const name = readText(input.name);
  const { month, year } = readExpiry(input);
  const errors = [
    ...(number === '' ? ["Number can't be blank"] : []),
    ...(month === null ? ['Month is not a number'] : []),
    ...(year === null ? ['Year is not a number'] : []),
    ...(verification_value === '' ? ["Verification Value can't be blank"] : []),
    ...listNameErrors(name),
  ];
  if (month === null || year === null) return { errors };
  const expiryError = findExpiryError(month, year, now);
  if (expiryError !== null) errors.push(expiryError);
  if (errors.length > 0) return { errors };
  const cc_type = readCardType(input.cc_type, number);
  return { card: { number, verification_value, name, month, year, cc_type, last_digits: number.slice(-4) } };
}

/**
 * Reads what is known of a card that paid elsewhere: it may have expired, and its number may be unknown.
 * @returns the card, or error messages for the key `Credit Card`
 */
export function readImportedCard(
  input: CardInput,
): { card: StoredCard & CardProfile } | { errors: string[] } {
  const number = readDigits(input.number).replace(/\D/g, '');
  const last_digits = (number === '' ? readDigits(input.last_digits).replace(/\D/g, '') : number).slice(-4);
  const name = readText(input.name);
  const { month, year } = readExpiry(input);
  const profiles = {
    gateway_customer_profile_id: readProfile(input.gateway_customer_profile_id),
    gateway_payment_profile_id: readProfile(input.gateway_payment_profile_id),
  };
  const isMonth = month !== null && month >= 1 && month <= 12;
  const errors = [
    ...(month === null ? ['Month is not a number'] : []),
    ...(year === null ? ['Year is not a number'] : []),
    ...(month !== null && !isMonth ? ['Card expiration is invalid'] : []),
    ...(name === '' ? [] : listNameErrors(name)),
    ...(Object.values(profiles).includes(undefined) ? ['Profile is invalid'] : []),
  ];
  if (errors.length > 0 || month === null || year === null) return { errors };
  const card = { name, month, year, last_digits, cc_type: readCardType(input.cc_type, number) };
  const { gateway_customer_profile_id = null, gateway_payment_profile_id = null } = profiles;
  return { card: { ...card, gateway_customer_profile_id, gateway_payment_profile_id } };
}

/** Returns the id of a profile, null if there is none, or undefined if it is none, such as the number of a card. */
function readProfile(value: unknown): string | null | undefined {
  const text = readText(value);
  if (text === '') return null;
  const isProfile = text.length <= 255 && isStorable(text) && !/\d{12}/.test(text.replace(/[\s-]/g, ''));
  return isProfile ? text : undefined;
}

/** Visible ASCII, and not a card number. */
const TOKEN = /^(?![\d -]{12,}$)[\x21-\x7e]{1,255}$/;

/** Returns whether the input has a token, and neither number nor verification value: then it is a tokenized card. */
export function isTokenized(input: CardInput): boolean {
  const isEntered = readText(input.number) !== '' || readText(input.verification_value) !== '';
  return !isEntered && readText(input.gateway_payment_profile_id) !== '';
}

/**
 * Reads a tokenized card. Everything but the token is optional, and checked only if it is sent; the gateway checks the
 * token when it processes the payment.
 */
export function readTokenizedCard(
  input: CardInput,
  now: Date,
): { card: TokenizedCard } | { errors: string[] } {
  const token = readText(input.gateway_payment_profile_id);
  const name = readText(input.name);
  const { month, year } = readExpiry(input);
  const sends = (value: unknown) => readText(value) !== '' || readText(input.expiry) !== '';
  const digits = readDigits(input.last_digits);
  const errors = [
    ...(TOKEN.test(token) ? [] : ['Gateway payment profile is invalid']),
    ...(month === null && sends(input.month) ? ['Month is not a number'] : []),
    ...(year === null && sends(input.year) ? ['Year is not a number'] : []),
    ...(name === '' ? [] : listNameErrors(name)),
  ];
  const expiryError = month === null || year === null ? null : findExpiryError(month, year, now);
  if (expiryError !== null) errors.push(expiryError);
  if (errors.length > 0) return { errors };
  const cc_type = readCardType(input.cc_type, '');
  const last_digits = /^\d{1,4}$/.test(digits) ? digits : '';
  return { card: { token, card: { name, month, year, cc_type, last_digits } } };
}

const LONGEST_NAME = 255;

function listNameErrors(name: string): string[] {
  if (name === '') return ["Name can't be blank"];
  if (!isStorable(name)) return ['Name is invalid'];
  return name.length > LONGEST_NAME ? [`Name is too long (maximum is ${LONGEST_NAME} characters)`] : [];
}

/**
 * Returns `Card expiration is invalid`, `Card has expired`, or null if neither applies. Year 0 is that of a tokenized
 * card whose expiry is unknown.
 */
export function findExpiryError(month: number, year: number, now: Date): string | null {
  if (year === 0) return null;
  if (month < 1 || month > 12 || year < 0 || year > 9999) return 'Card expiration is invalid';
  const monthsNow = now.getUTCFullYear() * 12 + now.getUTCMonth();
  return year * 12 + (month - 1) < monthsNow ? 'Card has expired' : null;
}

const TYPE_SYNONYMS: Readonly<Record<string, string>> = {
  mastercard: 'master',
  maestro: 'master',
  amex: 'american_express',
  dinersclub: 'diners_club',
};

/** Issuer ranges of ISO/IEC 7812; the first match wins. */
const TYPE_PATTERNS: readonly (readonly [string, RegExp])[] = [
  ['visa', /^4\d{12}(\d{3}){0,2}$/],
  ['master', /^(5[1-5]\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/],
  ['american_express', /^3[47]\d{13}$/],
  ['discover', /^6(011|4[4-9]\d|5\d\d)\d{12}$/],
  ['diners_club', /^3(0[0-5]|[689]\d)\d{11}$/],
  ['jcb', /^(2131|1800|35\d{3})\d{11}$/],
];

/** Valid names of card types. Digits are not allowed, so that a card number in this field is never stored. */
const TYPE_NAME = /^[A-Za-z_ -]{0,50}$/;

/**
 * Returns the given type with synonyms replaced; guesses it from the number if it is blank. Null if missing or unknown.
 */
export function readCardType(given: unknown, number: string): string | null {
  if (typeof given !== 'string' || !TYPE_NAME.test(given)) return null;
  const type = given.trim();
  if (type !== '') return Object.hasOwn(TYPE_SYNONYMS, type) ? (TYPE_SYNONYMS[type] ?? null) : type;
  return TYPE_PATTERNS.find(([, pattern]) => pattern.test(number))?.[0] ?? null;
}

function readExpiry(input: CardInput): { month: number | null; year: number | null } {
  const expiry = readDigits(input.expiry);
  if (expiry === '') return { month: parseInteger(input.month), year: expandYear(parseInteger(input.year)) };
  const [, month, year] =
    /^(\d{1,2})\s*\/\s*(\d{2}|\d{4})$/.exec(expiry) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(expiry) ?? [];
  return { month: parseInteger(month), year: expandYear(parseInteger(year)) };
}

/** Adds the century to a two-digit year. */
function expandYear(year: number | null): number | null {
  return year !== null && year >= 0 && year < 100 ? 2000 + year : year;
}

function parseInteger(value: unknown): number | null {
  const text = readDigits(value);
  return /^[+-]?\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Returns text of digits in ASCII: Japanese keyboards enter full-width ones. */
const readDigits = (value: unknown): string => toHalfWidth(readText(value));

function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
