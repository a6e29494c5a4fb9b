/** How prices change: by a percentage, and perhaps to an ending such as 0.99. */
export interface PriceChange {
  /** A decimal with up to two digits, such as `-10` or `2.5`. */
  percent: string;
  /** The minor units that new prices end with, such as 99; null keeps what comes out. */
  ending: number | null;
  /** How many digits prices have after the point, at most two of which count; without them, a price has no endings. */
  digits?: number;
}

const MINOR = 100n;
const BASIS = 10_000n;

/** Returns a decimal with up to two digits in hundredths; null if the text is none. */
export function toHundredths(text: string): bigint | null {
  const [, sign = '', whole = '', fraction = ''] =
    /^([-+]?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === '') return null;
  const value = BigInt(whole) * MINOR + BigInt(fraction.padEnd(2, '0'));
  return sign === '-' ? -value : value;
}

/** Returns hundredths as a decimal with two digits. */
function toDecimal(value: bigint): string {
  return `${value / MINOR}.${String(value % MINOR).padStart(2, '0')}`;
}

/**
 * Returns the changed price, rounded half up; null if the price or the percentage is not a decimal, or if nothing is
 * left of the price. With an ending, the nearest price that has it, the lower of two.
 */
export function changePrice(price: string, { percent, ending, digits = 2 }: PriceChange): string | null {
  const [before, by] = [toHundredths(price), toHundredths(percent)];
  if (before === null || by === null) return null;
  const unit = 10n ** BigInt(Math.max(0, 2 - digits));
  const step = BASIS * unit;
  const changed = ((before * (BASIS + by) + step / 2n) / step) * unit;
  const after = ending === null || unit > 1n ? changed : toEnding(changed, BigInt(ending));
  return after <= 0n ? null : toDecimal(after);
}

function toEnding(value: bigint, ending: bigint): bigint {
  const lower = ((value - ending) / MINOR) * MINOR + ending;
  const nearest = value - lower > MINOR / 2n ? lower + MINOR : lower;
  // Below the first price that ends so.
  return value < ending ? ending : nearest;
}
