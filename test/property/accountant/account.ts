import { add, addBy, addRates, least, take, type Fraction } from './figures';

/** What is taxed, and at which rates: items of a tax category, or turnover without tax for a reason. */
export interface Charge {
  /** Ids of the rates with their fractions; empty if nothing is taxed. */
  rates: readonly { id: number; rate: Fraction }[];
  /** Whether the price includes these rates. */
  isIncluded: boolean;
  /** The taxes in the price are given back, because the order leaves their zone. */
  isRelieved: boolean;
  /** Why there is no tax. */
  reason: string | null;
}

/** A discount that an order was sold with. */
export interface Discount {
  percent: bigint | null;
  /** The amount of the line at the sale, and what was taken off it. */
  base: bigint;
  off: bigint;
}

/** What a part of an order costs, in whole units. */
export interface Cost {
  amount: bigint;
  off: bigint;
  /** By rate, in the order of the rates of the charge. */
  taxes: bigint[];
  included: bigint;
  additional: bigint;
  /** After discounts, taxes and adjustments of staff. */
  total: bigint;
}

/** Percentages follow the amount; flat discounts become smaller with it and never larger. */
export function follow({ percent, base, off }: Discount, amount: bigint): bigint {
  if (amount === base) return off;
  if (percent !== null) return least(take(amount, { above: percent, below: 100n }), amount);
  return least(amount > base ? off : take(off, { above: amount, below: base }), amount);
}

/** Calculates what something costs: discounts and taxed adjustments first, then taxes on the rest, then other adjustments. */
export function calculateCost(
  { amount, off, adjusted, taxed }: { amount: bigint; off: bigint; adjusted: bigint; taxed: bigint },
  charge: Charge,
): Cost {
  const discounted = amount - off + taxed;
  const all = addRates(charge.rates.map(({ rate }) => rate));
  const taxes = charge.rates.map(({ rate }) =>
    charge.isIncluded
      ? take(discounted, { above: rate.above * all.below, below: rate.below * (all.below + all.above) })
      : take(discounted, rate),
  );
  if (charge.isRelieved) {
    const relief = -add(taxes);
    return {
      amount,
      off,
      taxes: [],
      included: 0n,
      additional: relief,
      total: discounted + relief + adjusted,
    };
  }
  const tax = add(taxes);
  const [included, additional] = charge.isIncluded ? [tax, 0n] : [0n, tax];
  return { amount, off, taxes, included, additional, total: discounted + additional + adjusted };
}

/** Spreads a tax over the rates of a charge, in proportion to them, the lowest first. */
export function spreadTax(tax: bigint, { rates }: Charge): bigint[] {
  const byRate = [...rates].sort((one, other) =>
    Number(one.rate.above * other.rate.below - other.rate.above * one.rate.below),
  );
  const all = addRates(rates.map(({ rate }) => rate));
  const upTo = (count: number): bigint => {
    const { above, below } = addRates(byRate.slice(0, count).map(({ rate }) => rate));
    return take(tax, { above: above * all.below, below: below * all.above });
  };
  const shares = new Map(byRate.map(({ id }, at) => [id, upTo(at + 1) - upTo(at)]));
  return rates.map(({ id }) => shares.get(id) ?? 0n);
}

/** Net, base and tax of what is taxed at the same rates, or is untaxed for the same reason. */
export interface Bucket {
  net: bigint;
  tax: bigint;
}

/** Turnover by the ids of the rates that tax it (`3+4`), or by the reason why it is not taxed. */
export class Turnover {
  readonly buckets = new Map<string, Bucket>();

  book(key: string, net: bigint, tax: bigint): void {
    const bucket = this.buckets.get(key) ?? { net: 0n, tax: 0n };
    this.buckets.set(key, { net: bucket.net + net, tax: bucket.tax + tax });
  }

  add(other: Turnover): void {
    for (const [key, { net, tax }] of other.buckets) this.book(key, net, tax);
  }

  get total(): bigint {
    return addBy([...this.buckets.values()], ({ net, tax }) => net + tax);
  }

  /** The buckets that are not empty, as text. */
  list(): string[] {
    return [...this.buckets]
      .filter(([, { net, tax }]) => net !== 0n || tax !== 0n)
      .map(([key, { net, tax }]) => `${key}: ${net} + ${tax}`)
      .sort();
  }
}

/** Returns the key of a charge. Amounts that are no turnover of their own have none. */
export const keyOf = (charge: Charge | null): string =>
  charge === null
    ? 'none'
    : charge.rates.length > 0 && !charge.isRelieved
      ? charge.rates.map(({ id }) => id).join('+')
      : (charge.reason ?? 'none');
