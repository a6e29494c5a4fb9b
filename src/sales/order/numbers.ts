import { randomInt } from 'node:crypto';

/**
 * Public numbers of records, random and not guessable. They are not necessarily unique: if the insert violates the
 * unique constraint, retry with another number.
 */
const CAPITALS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const DIGITS = '0123456789';

/** Generates `R` and 9 digits. Use more digits once half of the numbers of a length are taken. */
export function generateOrderNumber(digits = 9): string {
  return `R${generateDigits(digits)}`;
}

/** Generates `H` and 11 digits. */
export function generateShipmentNumber(): string {
  return `H${generateDigits(11)}`;
}

/** Generates `P` and 7 characters of A-Z and 0-9. */
export function generatePaymentNumber(): string {
  return `P${generateText(7, CAPITALS_AND_DIGITS)}`;
}

/** Generates `RA` and 9 digits. */
export function generateReturnAuthorizationNumber(): string {
  return `RA${generateDigits(9)}`;
}

const UNREACHABLE = /^(mine|current|\.{1,2})$|\.json$/i;

/**
 * Whether the path of a record with this number leads to it, and not to another endpoint, whatever the case of its
 * letters.
 */
export function isReachableNumber(number: string): boolean {
  return !UNREACHABLE.test(number);
}

/** Generates `length` random decimal digits, which may start with zeros. */
export function generateDigits(length: number): string {
  return generateText(length, DIGITS);
}

function generateText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
