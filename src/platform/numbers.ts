import { randomInt } from 'node:crypto';

/**
 * Numbers people read out, unguessable and not in sequence. They are random, not unique: the columns are, so an insert that
 * meets a taken number is repeated with the next one.
 */
const CAPITALS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const DIGITS = '0123456789';

/** `R` and 9 digits; callers ask for one digit more once half of the numbers of a length are used. */
export function generateOrderNumber(digits = 9): string {
  return `R${generateDigits(digits)}`;
}

/** `H` and 11 digits. */
export function generateShipmentNumber(): string {
  return `H${generateDigits(11)}`;
}

/** `P` and 7 characters of A-Z and 0-9. */
export function generatePaymentNumber(): string {
  return `P${generateText(7, CAPITALS_AND_DIGITS)}`;
}

/** `RA` and 9 digits. */
export function generateReturnAuthorizationNumber(): string {
  return `RA${generateDigits(9)}`;
}

/** `length` random decimal digits, leading zeros included. */
export function generateDigits(length: number): string {
  return generateText(length, DIGITS);
}

function generateText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
