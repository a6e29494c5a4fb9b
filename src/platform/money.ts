/**
 * Money and exact decimals. Rows and JSON use decimal strings (`"19.99"`), rules use `Amount` (bigint hundredths);
 * `toAmount` and `toDecimal` convert between them. All rounding uses `divideHalfUp` through this file: halves away from
 * zero (0.005 becomes 0.01, -0.005 becomes -0.01). Floats are never used.
 */
import {
  compare,
  divideHalfUp,
  type Exact,
  powerOfTen,
  print,
  read,
  readOrThrow,
  rescale,
} from './exact-decimal';
import { toHalfWidth } from './half-width';

declare const amountBrand: unique symbol;

/**
 * An amount of money in hundredths of the currency's main unit (`1999n` is 19.99). This applies to all currencies: yen
 * are also counted in hundredths, and `roundToCurrency` keeps them whole. Only the functions of this file create
 * amounts.
 */
export type Amount = bigint & { readonly [amountBrand]: 'Amount' };

/** ISO 4217 code in capitals, for example `USD`. */
export type Currency = string;

const HUNDREDTHS = 2;
const LONGEST_NUMBER = 64;

// The brand exists only at compile time, and is applied only here.
const amountOf = (hundredths: bigint): Amount => hundredths as Amount;

export const ZERO: Amount = amountOf(0n);

/**
 * Converts a decimal string of a row, of validated input or of `roundMoney`.
 * @throws RangeError if it is not a number or has more than two decimals; round input with `roundMoney` first
 */
export function toAmount(decimalString: string): Amount {
  const exact = readOrThrow(decimalString);
  if (exact.scale === HUNDREDTHS) return amountOf(exact.digits);
  const hundredths = rescale(exact, HUNDREDTHS);
  if (hundredths * powerOfTen(exact.scale) !== exact.digits * powerOfTen(HUNDREDTHS)) {
    throw new RangeError(`not a whole number of hundredths: ${decimalString}`);
  }
  return amountOf(hundredths);
}

/**
 * Converts an amount to text for SQL and JSON, in the form of `formatDecimal`: `"0.0"`, `"5.0"`, `"19.99"`, `"-12.5"`.
 */
export function toDecimal(amount: Amount): string {
  return print({ digits: amount, scale: HUNDREDTHS }, 1);
}

/** Adds the amounts; zero if there are none. */
export function sum(...amounts: readonly Amount[]): Amount {
  return amountOf(amounts.reduce<bigint>((total, amount) => total + amount, 0n));
}

/** Adds the amounts that `amountFor` returns for the items. */
export function sumOf<Item>(items: readonly Item[], amountFor: (item: Item) => Amount): Amount {
  return amountOf(items.reduce<bigint>((total, item) => total + amountFor(item), 0n));
}

/** Returns `from` minus `amount`. */
export function subtract(from: Amount, amount: Amount): Amount {
  return amountOf(from - amount);
}

/** Returns the amount with the opposite sign. */
export function negate(amount: Amount): Amount {
  return amountOf(0n - amount);
}

/**
 * Multiplies an amount by a whole number, exactly.
 * @throws RangeError if `quantity` is not a safe integer
 */
export function multiply(amount: Amount, quantity: number): Amount {
  if (!Number.isSafeInteger(quantity)) throw new RangeError(`not a whole number: ${quantity}`);
  return amountOf(amount * BigInt(quantity));
}

/** Returns the smaller of two amounts. */
export function smaller(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

/** Returns the larger of two amounts. */
export function larger(one: Amount, other: Amount): Amount {
  return one > other ? one : other;
}

/** Compares two amounts for `Array.prototype.sort`. */
export function compareAmounts(one: Amount, other: Amount): -1 | 0 | 1 {
  return compare(one, other);
}

/**
 * Rounds to the smallest unit of the currency: whole yen, cents, and hundredths if the currency has three decimals.
 * Amounts in USD are returned unchanged.
 */
export function roundToCurrency(amount: Amount, currency: Currency): Amount {
  return roundQuotient(amount, 1n, currency);
}

/** Returns the smallest amount of the currency: a cent, one yen, a hundredth if the currency has three decimals. */
export function getSmallestUnit(currency: Currency): Amount {
  return amountOf(calculateUnit(currency));
}

/**
 * Multiplies `amount` by `numerator` / `denominator` (decimal strings) and rounds once, to the currency's unit. The tax
 * included in a price is `multiplyByFraction(price, rate, sumDecimals('1', rate), currency)`; 12.5 percent is
 * `(amount, '12.5', '100')`.
 * @throws RangeError if the denominator is zero
 */
export function multiplyByFraction(
  amount: Amount,
  numerator: string,
  denominator: string,
  currency: Currency,
): Amount {
  const above = readOrThrow(numerator);
  const below = readOrThrow(denominator);
  return roundQuotient(
    amount * above.digits * powerOfTen(below.scale),
    below.digits * powerOfTen(above.scale),
    currency,
  );
}

/**
 * Splits `amount` in proportion to `weights`. The parts add up to it exactly (largest remainder method; of equal
 * remainders, the earlier weight wins). Parts are whole units of the currency if `amount` is. Weights that are all zero
 * share equally. The parts of -x are the negated parts of x.
 * @throws RangeError if a weight is negative, or if there are no weights and `amount` is not zero
 */
export function allocate(amount: Amount, weights: readonly bigint[], currency: Currency): Amount[] {
  if (weights.some((weight) => weight < 0n)) throw new RangeError('weights cannot be negative');
  if (weights.length === 0) {
    if (amount !== 0n) throw new RangeError('no weights to allocate the amount to');
    return [];
  }
  if (amount < 0n) return allocate(negate(amount), weights, currency).map(negate);

  const unit = amount % calculateUnit(currency) === 0n ? calculateUnit(currency) : 1n;
  const units = amount / unit;
  const total = weights.reduce((all, weight) => all + weight, 0n);
  const shares = total === 0n ? weights.map(() => 1n) : weights;
  const whole = total === 0n ? BigInt(weights.length) : total;

  const parts = shares.map((share) => (units * share) / whole);
  let left = units - parts.reduce((all, part) => all + part, 0n);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (units * share) % whole }))
    .sort((one, other) => compare(other.remainder, one.remainder) || one.index - other.index);
  const extra = new Set<number>();
  for (const { index } of byRemainder) {
    if (left === 0n) break;
    extra.add(index);
    left -= 1n;
  }
  return parts.map((part, index) => amountOf((extra.has(index) ? part + 1n : part) * unit));
}

/**
 * Formats an SQL numeric for JSON: no grouping, no exponent, the shortest form with at least one decimal.
 * Exact for any number of digits; null remains null.
 * @throws RangeError if the text is not a number, which is a bug
 */
export function formatDecimal(value: string): string;
export function formatDecimal(value: string | null): string | null;
export function formatDecimal(value: string | null): string | null {
  if (value === null) return null;
  if (HUNDREDTHS_TEXT.test(value)) return value.endsWith('0') ? value.slice(0, -1) : value;
  return print(readOrThrow(value), 1);
}

/** Amounts that are not negative, as PostgreSQL returns them. */
const HUNDREDTHS_TEXT = /^(?:0|[1-9]\d*)\.\d\d$/;

/**
 * Reads a number from a request, exactly. Accepts finite numbers, bigints and numeric text with or without exponent
 * (`5`, `"5.00"`, `".5"`, `"-1e3"`), also full-width (`"５"`). Surrounding whitespace is ignored.
 * @returns plain decimal text without redundant zeros (`"5"`, `"0.5"`, `"-1000"`), ready for SQL and `roundMoney`; null
 * for everything else: other types, empty text, NaN, Infinity, hexadecimal, |exponent| over 40, input or result over 64
 * characters
 */
export function parseDecimal(input: unknown): string | null {
  if (typeof input !== 'string' && typeof input !== 'number' && typeof input !== 'bigint') return null;
  const text = toHalfWidth(String(input)).trim();
  const exact = text.length <= LONGEST_NUMBER ? read(text) : null;
  const plain = exact && print(exact, 0);
  return plain !== null && plain.length <= LONGEST_NUMBER ? plain : null;
}

/**
 * Rounds a decimal string half up to the smallest unit of the currency: whole yen, cents, and hundredths if the
 * currency has three decimals. All amounts that are charged, paid or refunded are rounded here or by `roundToCurrency`.
 * The result has the form of `formatDecimal`.
 * @throws RangeError
 */
export function roundMoney(decimalString: string, currency: Currency): string {
  return roundDecimal(decimalString, countDecimals(currency));
}

/**
 * Rounds a decimal string half up to a number of decimals, for rates and for amounts without a currency.
 * @throws RangeError
 */
export function roundDecimal(decimalString: string, decimals: number): string {
  return print({ digits: rescale(readOrThrow(decimalString), decimals), scale: decimals }, 1);
}

/** Compares two decimal strings by value: `compareDecimals('1.10', '1.1')` is 0. @throws RangeError */
export function compareDecimals(one: string, other: string): -1 | 0 | 1 {
  const [left, right] = [readOrThrow(one), readOrThrow(other)];
  return compare(left.digits * powerOfTen(right.scale), right.digits * powerOfTen(left.scale));
}

/** Adds decimal strings exactly, for rates: `sumDecimals('1', '0.05', '0.0975')` is `"1.1475"`. @throws RangeError */
export function sumDecimals(...values: readonly string[]): string {
  const exacts = values.map(readOrThrow);
  const scale = Math.max(0, ...exacts.map((exact) => exact.scale));
  return print({ digits: exacts.reduce((all, exact) => all + rescale(exact, scale), 0n), scale }, 0);
}

/**
 * Divides the product of `above` by the product of `below` and rounds once, half up, to a number of decimals. Values
 * are decimal strings or amounts.
 * @throws RangeError if the divisor is zero
 */
export function divideDecimals(
  above: readonly (string | Amount)[],
  below: readonly (string | Amount)[],
  decimals: number,
): string {
  const numerator = multiplyExactly(above);
  const denominator = multiplyExactly(below);
  const digits = divideHalfUp(
    numerator.digits * powerOfTen(denominator.scale + decimals),
    denominator.digits * powerOfTen(numerator.scale),
  );
  return print({ digits, scale: decimals }, 0);
}

function multiplyExactly(values: readonly (string | Amount)[]): Exact {
  return values
    .map((value) => (typeof value === 'string' ? readOrThrow(value) : { digits: value, scale: HUNDREDTHS }))
    .reduce((one, other) => ({ digits: one.digits * other.digits, scale: one.scale + other.scale }));
}

/** Formats a rate as a percentage: `"0.05"` is `"5.0"`, `"0.0825"` is `"8.25"`. @throws RangeError */
export function formatPercent(rate: string): string {
  const { digits, scale } = readOrThrow(rate);
  return print({ digits: digits * 100n, scale }, 1);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is the code of a currency, in upper case (ISO 4217, from Intl). */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

const digitsByCurrency = new Map<Currency, number>();

/** Returns the number of decimals of a currency (ISO 4217, from Intl); 2 for codes that are unknown to Intl. */
export function findFractionDigits(currency: Currency): number {
  const known = digitsByCurrency.get(currency);
  if (known !== undefined) return known;
  const digits = /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits ?? HUNDREDTHS)
    : HUNDREDTHS;
  // Rows may contain any code; the limit keeps the cache small.
  if (digitsByCurrency.size < 500) digitsByCurrency.set(currency, digits);
  return digits;
}

/** Returns the number of decimals of amounts in this currency: 0 or 2. */
function countDecimals(currency: Currency): number {
  return Math.min(HUNDREDTHS, findFractionDigits(currency));
}

/** Returns the smallest unit of the currency in hundredths; at least 1. */
function calculateUnit(currency: Currency): bigint {
  return powerOfTen(Math.max(0, HUNDREDTHS - findFractionDigits(currency)));
}

/** Returns `numerator` / `denominator` hundredths, rounded once to the currency's unit. */
function roundQuotient(numerator: bigint, denominator: bigint, currency: Currency): Amount {
  const unit = calculateUnit(currency);
  return amountOf(divideHalfUp(numerator, denominator * unit) * unit);
}
