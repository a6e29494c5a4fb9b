/** Exact arithmetic on decimal text for money.ts, its only user. */

/** An exact decimal: `digits` / 10^`scale`, scale >= 0. */
export interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

const LARGEST_EXPONENT = 40;
const NUMERIC = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/;

/** Divides and rounds to the nearest integer, halves away from zero. All rounding uses this function. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError('division by zero');
  const negative = numerator < 0n !== denominator < 0n;
  const above = numerator < 0n ? -numerator : numerator;
  const below = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * above + below) / (2n * below);
  return negative ? -rounded : rounded;
}

/** Converts the digits of `exact` to another scale, rounded if that scale is smaller. */
export function rescale(exact: Exact, scale: number): bigint {
  if (exact.scale <= scale) return exact.digits * powerOfTen(scale - exact.scale);
  return divideHalfUp(exact.digits * powerOfTen(scale), powerOfTen(exact.scale));
}

/** Reads numeric text with or without exponent (|exponent| up to 40); null for other text. */
export function read(text: string): Exact | null {
  const [matched, sign, whole = '', fraction = '', exponentText] = NUMERIC.exec(text) ?? [];
  if (matched === undefined) return null;
  const exponent = Number(exponentText ?? 0);
  if (Math.abs(exponent) > LARGEST_EXPONENT) return null;
  const magnitude = BigInt(whole + fraction);
  const digits = sign === '-' ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * powerOfTen(-scale), scale: 0 };
}

/** Reads text that must be a number, like `read`. @throws RangeError */
export function readOrThrow(text: string): Exact {
  const exact = read(text);
  if (!exact) throw new RangeError(`not a decimal number: ${JSON.stringify(text).slice(0, 80)}`);
  return exact;
}

/** Formats a decimal in plain notation with at least `fewestDecimals` decimals and no other trailing zeros. */
export function print({ digits, scale }: Exact, fewestDecimals: number): string {
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale);
  const fraction = padded
    .slice(padded.length - scale)
    .replace(/0+$/, '')
    .padEnd(fewestDecimals, '0');
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Returns 10^`exponent`, for exponent >= 0. */
export function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 21 }, (_, exponent) => 10n ** BigInt(exponent));

/** Compares two integers for sorting. */
export function compare(one: bigint, other: bigint): -1 | 0 | 1 {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
