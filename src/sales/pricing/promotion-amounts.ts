import {
  allocate,
  multiplyByFraction,
  negate,
  roundToCurrency,
  smaller,
  subtract,
  sum,
  sumOf,
  toAmount,
  ZERO,
  type Amount,
  type Currency,
} from '../../platform/money';
import { ACTIONS, type ActionType } from '../order/action-types';

/** A discount that a promotion action offers to an order. */
export interface DiscountOffer {
  action_id: number;
  type: ActionType;
  /** A decimal string, `"12.5"` for 12.5 percent; null for other types. */
  percent: string | null;
  /** A decimal string, in `currency`; null for other types. Orders in other currencies get nothing. */
  amount: string | null;
  currency: Currency | null;
  label: string;
  /** Whether the order is eligible for the promotion. Ineligible offers are calculated too, but not counted. */
  is_eligible: boolean;
  /** Of two equal discounts the automatic one is applied, so that no coupon code is used without effect. */
  needs_code: boolean;
  /** The line items that line discounts apply to. */
  line_ids: ReadonlySet<number>;
}

/** The amounts to discount: price x quantity of every line item, the cost of every shipment. */
export interface DiscountableOrder {
  currency: Currency;
  lines: readonly { id: number; amount: Amount }[];
  shipments: readonly { id: number; cost: Amount }[];
}

/** A discount of one line item or shipment: an adjustment with source_type `Store::PromotionAction`. */
export interface Discount {
  line_item_id: number | null;
  shipment_id: number | null;
  source_id: number;
  label: string;
  action_type: ActionType;
  /** The percentage of the action as a decimal string; null for other types. */
  percent: string | null;
  /** Negative; zero only for the share of a percentage that rounds to zero. */
  amount: Amount;
  /** Only the best discount of each kind is eligible; the others are kept as ineligible adjustments. */
  eligible: boolean;
}

/**
 * Calculates the discounts of an order. Three kinds add up: the best offer of each line item, the best order-wide
 * offer, and the best offer of each shipment. All offers are returned; those that count are `eligible`.
 *
 * - Percentages apply to price x quantity (of the line item, or of all line items), rounded half up to the currency's
 *   unit.
 * - An order-wide discount is spread over the line items in proportion to their amounts after line discounts, by
 *   largest remainder.
 * - The amount of a line item or shipment never becomes negative.
 */
export function calculateDiscounts(order: DiscountableOrder, offers: readonly DiscountOffer[]): Discount[] {
  const ranked = [...offers].sort(byPreference);
  const perLine = order.lines.flatMap((line) => calculateLineDiscounts(line, ranked, order.currency));
  const counted = new Map(
    perLine.filter(({ eligible }) => eligible).map(({ line_item_id, amount }) => [line_item_id, amount]),
  );
  const left = order.lines.map(({ id, amount }) => ({ id, amount: sum(amount, counted.get(id) ?? ZERO) }));
  return [
    ...perLine,
    ...calculateOrderDiscounts(order, left, ranked),
    ...calculateShippingDiscounts(order, ranked),
  ];
}

function byPreference(one: DiscountOffer, other: DiscountOffer): number {
  return Number(one.needs_code) - Number(other.needs_code) || one.action_id - other.action_id;
}

interface DiscountCandidate {
  offer: DiscountOffer;
  /** The discount as a positive amount. */
  off: Amount;
}

/** Returns the largest eligible discount, the first one of equal ones; undefined if there is none. */
function findBest(candidates: readonly DiscountCandidate[]): DiscountCandidate | undefined {
  const [first, ...others] = candidates.filter(({ offer }) => offer.is_eligible);
  return others.reduce((best, one) => (best !== undefined && one.off > best.off ? one : best), first);
}

function calculateLineDiscounts(
  line: { id: number; amount: Amount },
  offers: readonly DiscountOffer[],
  currency: Currency,
): Discount[] {
  const candidates = offers
    .filter((offer) => offer.line_ids.has(line.id))
    .filter(({ type }) => ACTIONS[type].discounts === 'line')
    .map((offer) => ({ offer, off: smaller(calculateOffer(line.amount, offer, currency), line.amount) }))
    .filter(({ off }) => off > ZERO);
  const best = findBest(candidates);
  return candidates.map((one) =>
    buildDiscount(one, { line_item_id: line.id, shipment_id: null }, one === best),
  );
}

function calculateOrderDiscounts(
  order: DiscountableOrder,
  left: readonly { id: number; amount: Amount }[],
  offers: readonly DiscountOffer[],
): Discount[] {
  const itemTotal = sumOf(order.lines, ({ amount }) => amount);
  const limit = sumOf(left, ({ amount }) => amount);
  const candidates = offers
    .filter(({ type }) => ACTIONS[type].discounts === 'order')
    .map((offer) => ({ offer, off: smaller(calculateOffer(itemTotal, offer, order.currency), limit) }))
    .filter(({ off }) => off > ZERO);
  const best = findBest(candidates);
  return candidates.flatMap((one) => {
    const shares = spreadOverLines(
      one.off,
      left.map(({ amount }) => amount),
      order.currency,
    );
    return left.flatMap(({ id }, index) => {
      const off = shares[index] ?? ZERO;
      const share = { offer: one.offer, off };
      // A percentage keeps its empty shares: the line item may grow after completion.
      return off === ZERO && (one.offer.percent === null || one !== best)
        ? []
        : [buildDiscount(share, { line_item_id: id, shipment_id: null }, one === best)];
    });
  });
}

function calculateShippingDiscounts(order: DiscountableOrder, offers: readonly DiscountOffer[]): Discount[] {
  const shipping = offers.filter(({ type }) => ACTIONS[type].discounts === 'shipment');
  return order.shipments.flatMap(({ id, cost }) => {
    const candidates = shipping
      .map((offer) => ({ offer, off: smaller(calculateOffer(cost, offer, order.currency), cost) }))
      .filter(({ off }) => off > ZERO);
    const best = findBest(candidates);
    return candidates.map((one) => buildDiscount(one, { line_item_id: null, shipment_id: id }, one === best));
  });
}

/** Calculates the discount of an offer on this amount, without the limit of what is left of it. */
function calculateOffer(amount: Amount, offer: DiscountOffer, currency: Currency): Amount {
  switch (ACTIONS[offer.type].parameter) {
    case 'percent':
      return offer.percent === null ? ZERO : multiplyByFraction(amount, offer.percent, '100', currency);
    case 'amount':
      if (offer.amount === null || offer.currency !== currency) return ZERO;
      return roundToCurrency(toAmount(offer.amount), currency);
    case null:
      return amount;
  }
}

/**
 * Splits `off` into shares that add up to it, none larger than what is left of its line item. `off` must not exceed the
 * sum of `left`. Allocation by largest remainder exceeds it only for prices finer than the currency's unit (half a
 * yen); the excess goes to other line items.
 */
function spreadOverLines(off: Amount, left: readonly Amount[], currency: Currency): Amount[] {
  const shares = allocate(off, left, currency).map((share, index) => smaller(share, left[index] ?? ZERO));
  let missing = subtract(off, sum(...shares));
  return shares.map((share, index) => {
    const extra = smaller(missing, subtract(left[index] ?? ZERO, share));
    missing = subtract(missing, extra);
    return sum(share, extra);
  });
}

function buildDiscount(
  { offer, off }: DiscountCandidate,
  owner: Pick<Discount, 'line_item_id' | 'shipment_id'>,
  eligible: boolean,
): Discount {
  const { action_id, label, type: action_type, percent } = offer;
  return { ...owner, source_id: action_id, label, action_type, percent, amount: negate(off), eligible };
}
