/*
 * What a line item is charged, by the rules of the shop and not by its code: amounts are cents, fractions are exact,
 * and everything is rounded once, half away from zero.
 */

export interface Fraction {
  above: bigint;
  below: bigint;
}

/** A tax of a line item: a rate that is part of the price or added to it. */
export interface TaxTerms {
  rate: Fraction;
  isIncluded: boolean;
}

export type ActionType = 'order_percent' | 'order_amount' | 'line_percent' | 'line_amount' | 'free_shipping';

/** An action of a promotion whose code was entered. */
export interface Offer {
  action_id: number;
  type: ActionType;
  /** A whole number of percent, or cents. */
  value: bigint;
  /** Whether its uses are limited. */
  isScarce: boolean;
}

/** A line item at completion, and what one promotion action took off it. */
export interface SoldDiscount {
  offer: Offer;
  /** price x quantity. */
  base: bigint;
  off: bigint;
  /** Of `base`, for percentages. */
  share: Fraction;
}

/** Reads a decimal string of at most two decimals. */
export function cents(text: string): bigint {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return BigInt(`${sign}${whole}${decimals.padEnd(2, '0')}`);
}

export const addUp = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Multiplies and rounds. */
export function takeShare(amount: bigint, { above, below }: Fraction): bigint {
  const exact = 2n * amount * above;
  return exact < 0n ? -((-exact + below) / (2n * below)) : (exact + below) / (2n * below);
}

export function calculateTax(discounted: bigint, { rate, isIncluded }: TaxTerms): bigint {
  return takeShare(discounted, isIncluded ? { above: rate.above, below: rate.below + rate.above } : rate);
}

/** Returns what an offer takes off this amount, before it is limited. */
export function calculateOffer({ type, value }: Offer, amount: bigint): bigint {
  return type.endsWith('percent') ? takeShare(amount, { above: value, below: 100n }) : value;
}

/** Returns the largest discount of the offers of one kind, at most `limit`; 0n if there is none. */
export function findBest(offers: readonly Offer[], amount: bigint, limit: bigint): bigint {
  return offers.reduce((best, offer) => most(best, least(calculateOffer(offer, amount), limit)), 0n);
}

/**
 * Returns the discount of a line item that costs `amount` now, at most `left`. Percentages follow the amount; flat ones
 * are what they were, less in proportion while the line item costs less than it was sold for.
 */
export function followAmount(
  { offer, base, off, share }: SoldDiscount,
  amount: bigint,
  left: bigint,
): bigint {
  if (amount === base) return least(off, left);
  if (offer.type.endsWith('percent')) return least(takeShare(amount, share), left);
  return least(amount > base ? off : takeShare(off, { above: amount, below: base }), left);
}

/** Returns the part of a total that belongs to the first `units` of `quantity` units. */
export function shareUpTo(total: bigint, units: number, quantity: number): bigint {
  return units === quantity ? total : takeShare(total, { above: BigInt(units), below: BigInt(quantity) });
}
