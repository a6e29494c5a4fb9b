import { groupBy } from '../../platform/group-by';
import {
  type Amount,
  type Currency,
  compareDecimals,
  divideDecimals,
  larger,
  multiply,
  multiplyByFraction,
  negate,
  smaller,
  sum,
  sumOf,
  toAmount,
  toDecimal,
  ZERO,
} from '../../platform/money';
import { ACTIONS } from '../order/action-types';
import type { AdjustmentRow, KeptTerms, OrderGraph } from '../order/order-graph';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../order/order-totals';
import { buildLineOwnerKey, buildOwnerKey, buildShipmentOwnerKey } from './calculated-adjustments';
import { matchReturned, type RatedAdjustment } from './returned-lines';
import type { ReturnedWorth } from './returned-worths.repository';
import { calculateTax } from './tax-rules';

/*
 * The adjustments of a completed order follow its line items and shipments by what they kept at completion; no rate or
 * promotion is looked up. Every amount depends only on the kept terms, on the line item or shipment as it is now, and on
 * what returns have credited of it, so that a change and its reversal restore the amount to the cent.
 */

type PricedOrder = Pick<OrderGraph, 'currency' | 'line_items' | 'shipments' | 'adjustments'>;

/** The decimal digits of a kept percentage. */
export const PERCENT_DIGITS = 10;

/** An adjustment at completion: what its later amounts are calculated from. */
export type ClosedAdjustment = Pick<AdjustmentRow, 'id'> &
  Pick<KeptTerms, 'percent' | 'sold_amount' | 'sold_base'>;

/**
 * Calculates what the discounts of an order keep at its completion: their amount, that of their line item or shipment,
 * and for percentages the percentage of it. A percentage of the order is spread over the line items after their own
 * discounts, so its share may be another percentage of a line item.
 */
export function closeDiscounts(order: PricedOrder): ClosedAdjustment[] {
  const amounts = calculatePartAmounts(order);
  const discounts = order.adjustments.filter(({ source_type }) => source_type === PROMOTION_SOURCE);
  return discounts.map((row) => {
    const base = amounts.get(buildOwnerKey(row)) ?? ZERO;
    return {
      id: row.id,
      percent: calculatePercentOfPart(row, base, { order, discounts, amounts }),
      sold_amount: row.amount,
      sold_base: toDecimal(base),
    };
  });
}

function calculatePercentOfPart(
  row: AdjustmentRow,
  base: Amount,
  {
    order,
    discounts,
    amounts,
  }: { order: PricedOrder; discounts: readonly AdjustmentRow[]; amounts: ReadonlyMap<string, Amount> },
): string | null {
  const action = row.action_type === null ? undefined : ACTIONS[row.action_type];
  if (action?.parameter === null) return '100';
  if (row.percent === null || action?.discounts !== 'order' || base === ZERO) return row.percent;
  const left = order.line_items.map(({ id }) => {
    const owner = buildLineOwnerKey(id);
    const own = discounts.filter((one) => one.eligible && isOfLine(one) && buildOwnerKey(one) === owner);
    return {
      owner,
      amount: sum(
        amounts.get(owner) ?? ZERO,
        sumOf(own, ({ amount }) => toAmount(amount)),
      ),
    };
  });
  const rest = left.find(({ owner }) => owner === buildOwnerKey(row))?.amount ?? ZERO;
  const itemTotal = sumOf(order.line_items, ({ id }) => amounts.get(buildLineOwnerKey(id)) ?? ZERO);
  const restTotal = sumOf(left, ({ amount }) => amount);
  if (restTotal === ZERO) return row.percent;
  const share = divideDecimals([row.percent, itemTotal, rest], [restTotal, base], PERCENT_DIGITS);
  const limit = divideDecimals(['100', rest], [base], PERCENT_DIGITS);
  return compareDecimals(share, limit) > 0 ? limit : share;
}

/**
 * Calculates the discounts and taxes of a completed order on its line items and shipments as they are now. A percentage
 * and a tax follow the amount both ways. A flat discount is its amount at completion, reduced in proportion while the
 * line item or shipment costs less than then. Eligibility does not change. Discounts never exceed the amount. `worths` are
 * those of line items of which only returned units are left.
 * @returns the adjustments whose amounts change
 */
export function recalculateKept(order: PricedOrder, worths: readonly ReturnedWorth[] = []): AdjustmentRow[] {
  const owners = groupBy(
    order.adjustments.filter(({ closed, eligible }) => closed && eligible),
    buildOwnerKey,
  );
  const returned = new Map(worths.map((worth) => [buildLineOwnerKey(worth.line_item_id), worth]));
  const prices = new Map(order.line_items.map(({ id, price }) => [buildLineOwnerKey(id), toAmount(price)]));
  return [...calculatePartAmounts(order)].flatMap(([owner, amount]) => {
    const rows = owners.get(owner) ?? [];
    const rated = calculatePart(rows, amount, order.currency);
    const [price, worth] = [prices.get(owner), returned.get(owner)];
    // Manual adjustments do not follow the units, so a share of them is more than rounding. The worth of returned
    // units contains only the taxed ones, so these and others do not cancel out.
    const manual = rows.filter(({ source_type }) => source_type === null);
    const isManual = [true, false].some(
      (taxed) =>
        sumOf(
          manual.filter((row) => row.taxed === taxed),
          (row) => toAmount(row.amount),
        ) !== ZERO,
    );
    const due =
      price === undefined || worth === undefined || isManual
        ? rated
        : matchReturned(rated, { price, amount, worth }, order.currency);
    return due.flatMap(({ row, amount: now }) =>
      toAmount(row.amount) === now ? [] : [{ ...row, amount: toDecimal(now) }],
    );
  });
}

function calculatePart(
  rows: readonly AdjustmentRow[],
  amount: Amount,
  currency: Currency,
): RatedAdjustment[] {
  let left = amount;
  const discounts = rows.filter(({ source_type }) => source_type === PROMOTION_SOURCE).sort(byPrecedence);
  const discounted = discounts.map((row) => {
    const off = larger(ZERO, smaller(calculateKeptDiscount(row, amount, currency), left));
    left = sum(left, negate(off));
    return { row, amount: negate(off) };
  });
  left = sum(
    left,
    sumOf(
      rows.filter((row) => row.taxed),
      (row) => toAmount(row.amount),
    ),
  );
  const taxed = rows.flatMap((row) => {
    const { source_type, rate, included_rates } = row;
    if (source_type !== TAX_SOURCE || rate === null || included_rates === null) return [];
    return [
      { row, amount: readKeptTax(row, left) ?? calculateTax(left, { rate, included_rates }, currency) },
    ];
  });
  return [...discounted, ...taxed];
}

/** Whether an adjustment changes what is taxed: discounts, and manual adjustments that staff want taxed. */
export function isTaxable({ source_type, eligible, taxed }: AdjustmentRow): boolean {
  return eligible && (source_type === PROMOTION_SOURCE || taxed);
}

/** Returns the tax that a shipment kept when it took over the cost of another one; null if it costs something else now. */
function readKeptTax({ sold_amount, sold_base }: AdjustmentRow, taxable: Amount): Amount | null {
  return sold_amount !== null && sold_base !== null && toAmount(sold_base) === taxable
    ? toAmount(sold_amount)
    : null;
}

/** Returns a discount as a positive amount. */
function calculateKeptDiscount(row: AdjustmentRow, amount: Amount, currency: Currency): Amount {
  const sold = negate(toAmount(row.sold_amount ?? row.amount));
  const base = row.sold_base === null ? amount : toAmount(row.sold_base);
  if (amount === base) return sold;
  if (row.percent !== null) return multiplyByFraction(amount, row.percent, '100', currency);
  return amount > base ? sold : multiplyByFraction(sold, toDecimal(amount), toDecimal(base), currency);
}

/** Calculates the amounts before adjustments, by owner key: price x quantity of line items, the cost of shipments. */
function calculatePartAmounts({ line_items, shipments }: PricedOrder): Map<string, Amount> {
  return new Map([
    ...line_items.map(
      (line) => [buildLineOwnerKey(line.id), multiply(toAmount(line.price), line.quantity)] as const,
    ),
    ...shipments.map(({ id, cost }) => [buildShipmentOwnerKey(id), toAmount(cost)] as const),
  ]);
}

/** Discounts of line items come before those of the order, which are spread over what these leave. */
function byPrecedence(one: AdjustmentRow, other: AdjustmentRow): number {
  return Number(isOfLine(other)) - Number(isOfLine(one)) || one.id - other.id;
}

function isOfLine({ action_type }: AdjustmentRow): boolean {
  return action_type !== null && ACTIONS[action_type].discounts === 'line';
}
