/**
 * Money and exact decimals. Rows and JSON hold decimal strings (`"19.99"`), rules hold `Amount` (bigint hundredths);
 * `toAmount` and `toDecimal` cross between the two. Every rounding of the shop is one function, `divideHalfUp`,
 * reached only through this file: half up, away from zero for negatives (0.005 becomes 0.01, -0.005 becomes -0.01).
 * No float is ever involved.
 */
import { compare, divideHalfUp, powerOfTen, print, read, readOrThrow, rescale } from './exact-decimal';

declare const amountBrand: unique symbol;

/**
 * An amount of money in hundredths of the currency's main unit (`1999n` is 19.99), for every currency alike: yen too are
 * held in hundredths, and `roundToCurrency` keeps them whole. Made by `toAmount`, `sum`, `times` and their like only.
 */
export type Amount = bigint & { readonly [amountBrand]: 'Amount' };

/** ISO 4217 code in capitals, for example `USD`. */
export type Currency = string;

const HUNDREDTHS = 2;
const LONGEST_NUMBER = 64;

// The brand exists for the compiler only, so this is the one place that puts it on.
const amountOf = (hundredths: bigint): Amount => hundredths as Amount;

export const ZERO: Amount = amountOf(0n);

/**
 * Reads a decimal string of a row, of validated input or of `roundMoney`.
 * @throws RangeError when it is no number or holds more than two decimals; input is rounded by `roundMoney` first.
 */
export function toAmount(decimalString: string): Amount {
  const exact = readOrThrow(decimalString);
  const hundredths = rescale(exact, HUNDREDTHS);
  if (hundredths * powerOfTen(exact.scale) !== exact.digits * powerOfTen(HUNDREDTHS)) {
    throw new RangeError(`not a whole number of hundredths: ${decimalString}`);
  }
  return amountOf(hundredths);
}

/** Prints an amount for SQL and JSON alike, in the form of `decimal`: `"0.0"`, `"5.0"`, `"19.99"`, `"-12.5"`. */
export function toDecimal(amount: Amount): string {
  return print({ digits: amount, scale: HUNDREDTHS }, 1);
}

/** The sum of any number of amounts; nothing given is zero. */
export function sum(...amounts: readonly Amount[]): Amount {
  return amountOf(amounts.reduce<bigint>((total, amount) => total + amount, 0n));
}

/** `sum` over what `amountFor` reads from each item. */
export function sumOf<Item>(items: readonly Item[], amountFor: (item: Item) => Amount): Amount {
  return amountOf(items.reduce<bigint>((total, item) => total + amountFor(item), 0n));
}

/** `from` minus `amount`. */
export function subtract(from: Amount, amount: Amount): Amount {
  return amountOf(from - amount);
}

/** The same amount with the opposite sign. */
export function negate(amount: Amount): Amount {
  return amountOf(0n - amount);
}

/**
 * `amount` times a whole number, exact.
 * @throws RangeError when `quantity` is no safe integer.
 */
export function multiply(amount: Amount, quantity: number): Amount {
  if (!Number.isSafeInteger(quantity)) throw new RangeError(`not a whole number: ${quantity}`);
  return amountOf(amount * BigInt(quantity));
}

/** The smaller of two amounts. */
export function smaller(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

/** The larger of two amounts. */
export function larger(one: Amount, other: Amount): Amount {
  return one > other ? one : other;
}

/** Order of two amounts for `Array.prototype.sort`. */
export function compareAmounts(one: Amount, other: Amount): -1 | 0 | 1 {
  return compare(one, other);
}

/**
 * Rounds to what the currency can pay: whole yen, cents, and hundredths where a currency has three digits.
 * Amounts in USD come back unchanged.
 */
export function roundToCurrency(amount: Amount, currency: Currency): Amount {
  return roundQuotient(amount, 1n, currency);
}

/**
 * `amount` x `numerator` / `denominator` (decimal strings), rounded once, to the currency's unit: the tax inside a price
 * is `multiplyByFraction(price, rate, sumDecimals('1', rate), currency)`, 12.5 percent is `(amount, '12.5', '100')`.
 * @throws RangeError when the denominator is zero.
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

/** `amount` / `divisor` (a decimal string), rounded to the currency's unit. @throws RangeError for a zero divisor. */
export function divide(amount: Amount, divisor: string, currency: Currency): Amount {
  return multiplyByFraction(amount, '1', divisor, currency);
}

/**
 * Splits `amount` in proportion to `weights` so that the parts add up to it exactly (largest remainder; of equal
 * remainders the earlier weight wins). Parts are whole units of the currency when `amount` is. Weights that are all zero
 * share equally. Works for negative amounts: the parts of -x are the negated parts of x.
 * @throws RangeError for a negative weight, or when there is something to split and nobody to take it.
 */
export function allocate(amount: Amount, weights: readonly bigint[], currency: Currency): Amount[] {
  if (weights.some((weight) => weight < 0n)) throw new RangeError('weights cannot be negative');
  if (weights.length === 0) {
    if (amount !== 0n) throw new RangeError('nobody to allocate the amount to');
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
 * Prints any SQL numeric the way JSON shows decimals (behaviour 4.1): no grouping, no exponent, the shortest form with at
 * least one decimal. Exact for any number of digits; null stays null.
 * @throws RangeError when the text is no number (a bug: rows hold numbers).
 */
export function formatDecimal(value: string): string;
export function formatDecimal(value: string | null): string | null;
export function formatDecimal(value: string | null): string | null {
  return value === null ? null : print(readOrThrow(value), 1);
}

/**
 * Reads a number from a request, exactly. Takes finite numbers, bigints and numeric text with or without exponent
 * (`5`, `"5.00"`, `".5"`, `"-1e3"`), surrounding blanks ignored.
 * @returns plain decimal text without needless zeros (`"5"`, `"0.5"`, `"-1000"`), ready for SQL and `roundMoney`; null
 * for everything else: other types, empty text, NaN, Infinity, hexadecimal, |exponent| over 40, more than 64 characters before or after.
 */
export function parseDecimal(input: unknown): string | null {
  if (typeof input !== 'string' && typeof input !== 'number' && typeof input !== 'bigint') return null;
  const text = String(input).trim();
  const exact = text.length <= LONGEST_NUMBER ? read(text) : null;
  const plain = exact && print(exact, 0);
  return plain !== null && plain.length <= LONGEST_NUMBER ? plain : null;
}

/**
 * Rounds an amount that somebody names to what the currency can pay, half up: whole yen, cents, and hundredths where a
 * currency has three digits. Whatever is sold, paid or given back goes through here or `roundToCurrency`. The answer is in the
 * form of `decimal`.
 * @throws RangeError
 */
export function roundMoney(decimalString: string, currency: Currency): string {
  return roundDecimal(decimalString, Math.min(HUNDREDTHS, findFractionDigits(currency)));
}

/** The same to any number of decimals, for rates and for amounts of no currency. @throws RangeError */
export function roundDecimal(decimalString: string, decimals: number): string {
  return print({ digits: rescale(readOrThrow(decimalString), decimals), scale: decimals }, 1);
}

/** Exact order of two decimal strings: `compareDecimals('1.10', '1.1')` is 0. @throws RangeError */
export function compareDecimals(one: string, other: string): -1 | 0 | 1 {
  const [left, right] = [readOrThrow(one), readOrThrow(other)];
  return compare(left.digits * powerOfTen(right.scale), right.digits * powerOfTen(left.scale));
}

/** Exact sum of decimal strings, for rates: `sumDecimals('1', '0.05', '0.0975')` is `"1.1475"`. @throws RangeError */
export function sumDecimals(...values: readonly string[]): string {
  const exacts = values.map(readOrThrow);
  const scale = Math.max(0, ...exacts.map((exact) => exact.scale));
  return print({ digits: exacts.reduce((all, exact) => all + rescale(exact, scale), 0n), scale }, 0);
}

/** A rate as a percentage in the form of `decimal`: `"0.05"` is `"5.0"`, `"0.0825"` is `"8.25"`. @throws RangeError */
export function formatPercent(rate: string): string {
  const { digits, scale } = readOrThrow(rate);
  return print({ digits: digits * 100n, scale }, 1);
}

const SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  CAD: '$',
  AUD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  BRL: 'R$',
};

/**
 * Formats an amount for people (behaviour 4.1): `$1,234.50`, `-$12.00`, `¥1,235`, `CHF10.00`. Digits as the currency
 * defines them (ISO 4217), rounded half up for display only; what rounds to zero has no sign.
 * @throws RangeError when the text is no number.
 */
export function displayMoney(decimalString: string, currency: Currency): string {
  const scale = findFractionDigits(currency);
  const digits = rescale(readOrThrow(decimalString), scale);
  const [whole = '0', fraction] = print({ digits: digits < 0n ? -digits : digits, scale }, scale).split('.');
  const amount = grouped.format(BigInt(whole)) + (fraction === undefined ? '' : `.${fraction}`);
  return `${digits < 0n ? '-' : ''}${SYMBOLS[currency] ?? currency}${amount}`;
}

/** How `displayMoney` writes a currency, for clients that format amounts themselves (behaviour 12.2). */
export function buildMoneyFormat(currency: Currency) {
  return {
    symbol: SYMBOLS[currency] ?? currency,
    symbol_position: 'before',
    no_cents: findFractionDigits(currency) === 0,
    decimal_mark: '.',
    thousands_separator: ',',
  };
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const digitsByCurrency = new Map<Currency, number>();

/** Digits after the point by ISO 4217 as Intl knows it; 2 for a code Intl cannot read. */
function findFractionDigits(currency: Currency): number {
  const known = digitsByCurrency.get(currency);
  if (known !== undefined) return known;
  const digits = /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits ?? HUNDREDTHS)
    : HUNDREDTHS;
  // Codes come from rows, and rows may hold anything: the cache stays as small as the list of real currencies.
  if (digitsByCurrency.size < 500) digitsByCurrency.set(currency, digits);
  return digits;
}

/** The smallest step of the currency in hundredths; never finer than a hundredth, as amounts are not. */
function calculateUnit(currency: Currency): bigint {
  return powerOfTen(Math.max(0, HUNDREDTHS - findFractionDigits(currency)));
}

/** `numerator` / `denominator` hundredths, rounded once to the currency's unit. */
function roundQuotient(numerator: bigint, denominator: bigint, currency: Currency): Amount {
  const unit = calculateUnit(currency);
  return amountOf(divideHalfUp(numerator, denominator * unit) * unit);
}
