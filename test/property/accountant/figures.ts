/*
 * Exact figures of the accountant: amounts are whole numbers of the smallest unit of a currency (cents or yen), rates are
 * fractions. Nothing here comes from the program.
 */

export interface Fraction {
  above: bigint;
  below: bigint;
}

/** Reads an amount of a reply. @throws Error if it has a fraction of the smallest unit */
export function readAmount(text: unknown, digits: number): bigint {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? [];
  if (whole === '') throw new Error(`${String(text)} is no amount`);
  if (!/^0*$/.test(decimals.slice(digits))) throw new Error(`${String(text)} has more than ${digits} digits`);
  return BigInt(`${sign}${whole}${decimals.padEnd(digits, '0').slice(0, digits)}`);
}

/** Writes an amount for a request. */
export function printAmount(amount: bigint, digits: number): string {
  const [sign, text] = [
    amount < 0n ? '-' : '',
    String(amount < 0n ? -amount : amount).padStart(digits + 1, '0'),
  ];
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export function readRate(text: string): Fraction {
  const decimals = (text.split('.')[1] ?? '').length;
  return { above: BigInt(text.replace('.', '')), below: 10n ** BigInt(decimals) };
}

export function addRates(rates: readonly Fraction[]): Fraction {
  return rates.reduce(
    (all, one) => ({ above: all.above * one.below + one.above * all.below, below: all.below * one.below }),
    { above: 0n, below: 1n },
  );
}

/** Multiplies and rounds to the smallest unit, halves away from zero. */
export function take(amount: bigint, { above, below }: Fraction): bigint {
  const exact = 2n * amount * above;
  return exact < 0n ? -((-exact + below) / (2n * below)) : (exact + below) / (2n * below);
}

/** The part of a total that belongs to the first `units` of `quantity`. */
export function takeUpTo(total: bigint, units: number, quantity: number): bigint {
  return units === quantity ? total : take(total, { above: BigInt(units), below: BigInt(quantity) });
}

export const add = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);
export const addBy = <T>(items: readonly T[], of: (item: T) => bigint): bigint => add(items.map(of));
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Returns numbers from 0n to below 1, always the same for a seed. */
export function createDice(seed: number) {
  let state = seed >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(roll() * limit);
  const choose = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
  return { below, choose, isLucky: (chance: number) => roll() < chance };
}

export type Dice = ReturnType<typeof createDice>;
