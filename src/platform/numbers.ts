import { randomInt } from 'node:crypto';

/**
 * Numbers people read out, unguessable and not in sequence. They are random, not unique: the columns are, so an insert that
 * meets a taken number is repeated with the next one.
 */
const CAPITALS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const DIGITS = '0123456789';

/** `R` and 9 digits; callers ask for one digit more once half of the numbers of a length are used. */
export function orderNumber(digits = 9): string {
  return `R${randomDigits(digits)}`;
}

/** `H` and 11 digits. */
export function shipmentNumber(): string {
  return `H${randomDigits(11)}`;
}

/** `P` and 7 characters of A-Z and 0-9. */
export function paymentNumber(): string {
  return `P${randomText(7, CAPITALS_AND_DIGITS)}`;
}

/** `RA` and 9 digits. */
export function returnAuthorizationNumber(): string {
  return `RA${randomDigits(9)}`;
}

/** `length` random decimal digits, leading zeros included. */
export function randomDigits(length: number): string {
  return randomText(length, DIGITS);
}

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
