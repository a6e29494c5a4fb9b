import { compareDecimals } from '../../platform/money';

/** Returns the decimal string with the opposite sign. */
export function negateDecimal(amount: string): string {
  if (isZero(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Returns whether a decimal string is zero. */
export function isZero(amount: string): boolean {
  return compareDecimals(amount, '0') === 0;
}
