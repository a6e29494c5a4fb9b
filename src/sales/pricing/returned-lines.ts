import {
  type Amount,
  type Currency,
  compareDecimals,
  getSmallestUnit,
  multiply,
  multiplyByFraction,
  negate,
  subtract,
  sum,
  sumDecimals,
  sumOf,
  toAmount,
  ZERO,
} from '../../platform/money';
import { sumQuantities } from '../../platform/quantities';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../order/order-totals';
import type { ReturnedWorth } from './returned-worths.repository';

/** An adjustment with the amount that it is to have. */
export interface RatedAdjustment {
  row: AdjustmentRow;
  amount: Amount;
}

/** Lists the line items of an order of which nothing is left but units that have come back. */
export function listReturnedLines({
  line_items,
  shipments,
}: Pick<OrderGraph, 'line_items' | 'shipments'>): number[] {
  const returned = shipments.flatMap(({ units }) => units).filter(({ state }) => state === 'returned');
  if (returned.length === 0) return [];
  return line_items.flatMap(({ id, quantity }) => {
    const own = returned.filter(({ line_item_id }) => line_item_id === id);
    return sumQuantities(own) === quantity ? [id] : [];
  });
}

/**
 * Lets a line item of which only returned units are left cost what returns have credited for them. Their credit is a share
 * of what was sold, which may differ by the rounding from what as many units cost: the largest discount takes the difference,
 * and the taxes are those credited, in proportion to their rates; without a discount, what was credited beyond the price.
 * A flat discount of a line item that had been raised may differ by more: of five units that were returned two, it is two fifths.
 * Other differences that rounding does not explain stay, such as those of another price.
 */
export function matchReturned(
  rated: readonly RatedAdjustment[],
  line: { price: Amount; amount: Amount; worth: ReturnedWorth },
  currency: Currency,
): readonly RatedAdjustment[] {
  const { worth } = line;
  if (worth.price === null || toAmount(worth.price) !== line.price) return rated;
  const discounts = rated.filter(({ row }) => row.source_type === PROMOTION_SOURCE);
  const taxes = rated.filter(({ row }) => row.source_type === TAX_SOURCE);
  const beyondPrice = subtract(toAmount(worth.amount), line.amount);
  const additional = discounts.length === 0 ? beyondPrice : toAmount(worth.additional_tax);
  const goals = [
    { own: discounts, goal: subtract(beyondPrice, additional), spread: addToLargest },
    {
      own: taxes.filter(({ row }) => row.included),
      goal: toAmount(worth.included_tax),
      spread: spreadByRate,
    },
    { own: taxes.filter(({ row }) => !row.included), goal: additional, spread: spreadByRate },
  ];
  const isFlat = discounts.some(({ row }) => row.percent === null);
  const limit = multiply(getSmallestUnit(currency), rated.length + 1);
  const isExplained = goals.every(({ own, goal }) => {
    const difference = subtract(goal, sumAmounts(own));
    const isSmall = difference <= limit && negate(difference) <= limit;
    return difference === ZERO || (canMove(own) && (isFlat || isSmall));
  });
  if (!isExplained) return rated;
  const matched = goals.flatMap(({ own, goal, spread }) => spread(own, goal, currency));
  const isSurcharge = matched.some(
    ({ row, amount }) => row.source_type === PROMOTION_SOURCE && amount > ZERO,
  );
  return isSurcharge ? rated : matched;
}

/** Whether adjustments of one kind can take a difference. Taxes of 0 percent, or of rates above and below it, have no proportion. */
function canMove(rated: readonly RatedAdjustment[]): boolean {
  if (rated.some(({ row }) => row.source_type === PROMOTION_SOURCE)) return true;
  const signs = new Set(rated.map((tax) => Math.sign(compareDecimals(rateOf(tax), '0'))));
  return signs.has(1) !== signs.has(-1);
}

const rateOf = ({ row }: RatedAdjustment): string => row.rate ?? '0';

const sumAmounts = (rated: readonly RatedAdjustment[]): Amount => sumOf(rated, ({ amount }) => amount);

function addToLargest(discounts: readonly RatedAdjustment[], goal: Amount): readonly RatedAdjustment[] {
  const difference = subtract(goal, sumAmounts(discounts));
  if (difference === ZERO) return discounts;
  const largest = discounts.reduce((one, other) => (other.amount < one.amount ? other : one));
  return discounts.map((one) => (one === largest ? { ...one, amount: sum(one.amount, difference) } : one));
}

function spreadByRate(
  taxes: readonly RatedAdjustment[],
  goal: Amount,
  currency: Currency,
): readonly RatedAdjustment[] {
  if (goal === sumAmounts(taxes)) return taxes;
  const byRate = [...taxes].sort(
    (one, other) => compareDecimals(rateOf(one), rateOf(other)) || one.row.id - other.row.id,
  );
  const rates = sumDecimals(...byRate.map(rateOf));
  const shareUpTo = (count: number): Amount =>
    multiplyByFraction(goal, sumDecimals(...byRate.slice(0, count).map(rateOf)), rates, currency);
  return byRate.map((one, at) => ({ ...one, amount: subtract(shareUpTo(at + 1), shareUpTo(at)) }));
}
