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

export const ACTION_TYPES = [
  'order_percent',
  'order_amount',
  'line_percent',
  'line_amount',
  'free_shipping',
] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** One discount that a promotion offers an order. */
export interface DiscountOffer {
  action_id: number;
  type: ActionType;
  /** A decimal string, `"12.5"` for 12.5 percent; null for other types. */
  percent: string | null;
  /** A decimal string, in `currency`; null for other types. Orders in other currencies get nothing. */
  amount: string | null;
  currency: Currency | null;
  label: string;
  /** Whether the promotion may discount this order now. Offers that may not are reckoned too, and count for nothing. */
  is_eligible: boolean;
  /** Of two equal discounts the automatic one is taken, so that no code is used up for nothing. */
  needs_code: boolean;
  /** The lines that discounts per line are given on. */
  line_ids: ReadonlySet<number>;
}

/** What is discounted: price x quantity of every line, the cost of every shipment. */
export interface DiscountableOrder {
  currency: Currency;
  lines: readonly { id: number; amount: Amount }[];
  shipments: readonly { id: number; cost: Amount }[];
}

/** A discount of one line or shipment, as an adjustment with source_type `Store::PromotionAction`. */
export interface Discount {
  line_item_id: number | null;
  shipment_id: number | null;
  source_id: number;
  label: string;
  /** Negative. */
  amount: Amount;
  /** Only the best of each kind counts; the others are kept to be seen. */
  eligible: boolean;
}

/**
 * The discounts of an order, in three kinds that add up: the best offer of each line, the best one for the whole order,
 * and the best one of each shipment. All that is offered comes back; what counts is `eligible`.
 *
 * - Percentages are of price x quantity (of the line, or of all lines), rounded half up to the currency's unit.
 * - An order-wide discount is spread over the lines in proportion to what their own discounts left, by largest remainder.
 * - No line and no shipment ever costs less than nothing.
 */
export function calculateDiscounts(order: DiscountableOrder, offers: readonly DiscountOffer[]): Discount[] {
  const ranked = [...offers].sort(byPreference);
  const perLine = order.lines.flatMap((line) => calculateLineDiscounts(line, ranked, order.currency));
  const counted = new Map(
    perLine.filter(({ eligible }) => eligible).map(({ line_item_id, amount }) => [line_item_id, amount]),
  );
  const left = order.lines.map(({ id, amount }) => ({ id, amount: sum(amount, counted.get(id) ?? ZERO) }));
  return [...perLine, ...calculateOrderDiscounts(order, left, ranked), ...calculateShippingDiscounts(order, ranked)];
}

function byPreference(one: DiscountOffer, other: DiscountOffer): number {
  return Number(one.needs_code) - Number(other.needs_code) || one.action_id - other.action_id;
}

interface DiscountCandidate {
  offer: DiscountOffer;
  /** What it takes off, as a positive amount. */
  off: Amount;
}

/** The one that counts: of those that may, the largest; the first of equal ones. */
function findBest(reckoned: readonly DiscountCandidate[]): DiscountCandidate | undefined {
  const [first, ...others] = reckoned.filter(({ offer }) => offer.is_eligible);
  return others.reduce((best, one) => (best !== undefined && one.off > best.off ? one : best), first);
}

function calculateLineDiscounts(
  line: { id: number; amount: Amount },
  offers: readonly DiscountOffer[],
  currency: Currency,
): Discount[] {
  const reckoned = offers
    .filter((offer) => offer.line_ids.has(line.id))
    .filter(({ type }) => type === 'line_percent' || type === 'line_amount')
    .map((offer) => ({ offer, off: smaller(calculateOffer(line.amount, offer, currency), line.amount) }))
    .filter(({ off }) => off > ZERO);
  const best = findBest(reckoned);
  return reckoned.map((one) => buildDiscount(one, { line_item_id: line.id, shipment_id: null }, one === best));
}

function calculateOrderDiscounts(
  order: DiscountableOrder,
  left: readonly { id: number; amount: Amount }[],
  offers: readonly DiscountOffer[],
): Discount[] {
  const goods = sumOf(order.lines, ({ amount }) => amount);
  const limit = sumOf(left, ({ amount }) => amount);
  const reckoned = offers
    .filter(({ type }) => type === 'order_percent' || type === 'order_amount')
    .map((offer) => ({ offer, off: smaller(calculateOffer(goods, offer, order.currency), limit) }))
    .filter(({ off }) => off > ZERO);
  const best = findBest(reckoned);
  return reckoned.flatMap((one) => {
    const shares = spreadOverLines(
      one.off,
      left.map(({ amount }) => amount),
      order.currency,
    );
    return left.flatMap(({ id }, index) => {
      const off = shares[index] ?? ZERO;
      const share = { offer: one.offer, off };
      return off === ZERO ? [] : [buildDiscount(share, { line_item_id: id, shipment_id: null }, one === best)];
    });
  });
}

function calculateShippingDiscounts(order: DiscountableOrder, offers: readonly DiscountOffer[]): Discount[] {
  const free = offers.filter(({ type }) => type === 'free_shipping');
  return order.shipments.flatMap(({ id, cost }) => {
    const reckoned = cost > ZERO ? free.map((offer) => ({ offer, off: cost })) : [];
    const best = findBest(reckoned);
    return reckoned.map((one) => buildDiscount(one, { line_item_id: null, shipment_id: id }, one === best));
  });
}

/** What an offer takes off this amount, were there enough of it. */
function calculateOffer(amount: Amount, offer: DiscountOffer, currency: Currency): Amount {
  if (offer.percent !== null) return multiplyByFraction(amount, offer.percent, '100', currency);
  if (offer.amount === null || offer.currency !== currency) return ZERO;
  return roundToCurrency(toAmount(offer.amount), currency);
}

/**
 * Shares of `off` that add up to it, none larger than what its line still costs; `off` is at most the sum of these.
 * Largest remainder never takes more than there is, save from prices finer than the currency's unit (half a yen): what
 * is too much there goes to the lines that can bear it.
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
  return { ...owner, source_id: offer.action_id, label: offer.label, amount: negate(off), eligible };
}
