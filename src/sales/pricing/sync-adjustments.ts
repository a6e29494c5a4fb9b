import type { LockedOrderGraph } from '../order/order-lock';
import { groupBy } from '../../platform/group-by';
import { type Amount, compareDecimals, sumOf, toAmount, toDecimal } from '../../platform/money';
import type { AdjustmentRow } from '../order/order-graph';
import { buildAdjustment } from './new-adjustment';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../order/order-totals';
import { buildPromotionAdjustments } from './order-promotions';
import { buildTaxAdjustments } from './order-taxes';
import { recalculateKept } from './kept-adjustments';
import type { PricingFacts } from './pricing-facts';
import { listReturnedLines } from './returned-lines';
import {
  buildAdjustmentKey,
  collectAdjustableOwners,
  buildOwnerKey,
  type CalculatedAdjustment,
} from './calculated-adjustments';

/** The sources of calculated adjustments. Others, such as credits of returns, are never changed here. */
const CALCULATED_SOURCES: readonly (string | null)[] = [PROMOTION_SOURCE, TAX_SOURCE];

/**
 * Recalculates the promotions and taxes of an order. Taxes apply to the amounts after promotions. The adjustments of a
 * completed order are calculated from what they keep; line items and shipments that the transaction adds to it get the
 * taxes of today and no promotions. Needs no facts in a shop without promotions and taxes, before units are returned.
 * @returns all adjustments of the order
 */
export function syncAdjustments(facts: PricingFacts, unsynced: LockedOrderGraph): AdjustmentRow[] {
  const order = { ...unsynced, adjustments: syncKept(facts, unsynced) };
  const adjustable = collectAdjustableOwners(order);
  if (adjustable.size === 0) return order.adjustments;
  const isOpen = order.completed_at === null;
  const promotions = isOpen && order.shop_has_promotions ? buildPromotionAdjustments(facts, order) : [];
  const manual = order.adjustments.filter(({ taxed }) => taxed);
  const taxable = [
    ...promotions.filter(({ eligible }) => eligible),
    ...manual.map((row) => ({ ...row, amount: toAmount(row.amount) })),
  ];
  const taxes = order.shop_has_taxes ? buildTaxAdjustments(facts, order, sumByPart(taxable)) : [];
  const isRecalculated = (row: AdjustmentRow): boolean =>
    CALCULATED_SOURCES.includes(row.source_type) && adjustable.has(buildOwnerKey(row));
  return replaceCalculated(order, {
    rows: order.adjustments.filter(isRecalculated),
    calculated: [...promotions, ...taxes],
  });
}

type Part = Pick<AdjustmentRow, 'line_item_id' | 'shipment_id'>;

/** Returns a function that sums the adjustments of a line item or shipment. */
export function sumByPart(
  adjustments: readonly (Part & { amount: Amount })[],
): (part: { line_item_id: number } | { shipment_id: number }) => Amount {
  const byOwner = groupBy(adjustments, buildOwnerKey);
  return (part) =>
    sumOf(
      byOwner.get(buildOwnerKey({ line_item_id: null, shipment_id: null, ...part })) ?? [],
      ({ amount }) => amount,
    );
}

function syncKept(facts: PricingFacts, order: LockedOrderGraph): AdjustmentRow[] {
  if (order.completed_at === null) return order.adjustments;
  const returned = order.adjustments.some(({ closed }) => closed) ? listReturnedLines(order) : [];
  const worths = returned.length === 0 ? [] : facts.returnedWorths({ order_id: order.id });
  const own = worths.filter(({ line_item_id }) => returned.includes(line_item_id));
  const changes = new Map(recalculateKept(order, own).map((row) => [row.id, row]));
  return changes.size === 0 ? order.adjustments : order.adjustments.map((row) => changes.get(row.id) ?? row);
}

/** Returns the adjustments of an order in which `calculated` replaces `rows`. Closed rows stay as they are. */
export function replaceCalculated(
  order: LockedOrderGraph,
  { rows, calculated }: { rows: readonly AdjustmentRow[]; calculated: readonly CalculatedAdjustment[] },
): AdjustmentRow[] {
  const known = new Set(rows.map(buildAdjustmentKey));
  const stored = new Map(rows.filter((row) => !row.closed).map((row) => [buildAdjustmentKey(row), row]));
  const kept = new Set(calculated.map(buildAdjustmentKey));
  const missing = calculated.filter((one) => !known.has(buildAdjustmentKey(one)));
  const changed = calculated.flatMap((one) => buildChangedRows(stored.get(buildAdjustmentKey(one)), one));
  const surplus = new Set([...stored].filter(([key]) => !kept.has(key)).map(([, row]) => row.id));
  if (missing.length + changed.length + surplus.size === 0) return order.adjustments;
  const changes = new Map(changed.map((row) => [row.id, row]));
  return [
    ...order.adjustments.filter((row) => !surplus.has(row.id)).map((row) => changes.get(row.id) ?? row),
    ...missing.map((one) => buildAdjustment(order, { ...one, amount: toDecimal(one.amount) })),
  ];
}

function buildChangedRows(row: AdjustmentRow | undefined, calculated: CalculatedAdjustment): AdjustmentRow[] {
  if (row === undefined || isUnchanged(row, calculated)) return [];
  const { label, included, eligible, rate, included_rates, action_type, percent, amount } = calculated;
  const terms = { rate, included_rates, action_type, percent };
  return [{ ...row, label, included, eligible, ...terms, amount: toDecimal(amount) }];
}

/** Whether a stored adjustment equals the calculated one. */
function isUnchanged(row: AdjustmentRow, calculated: CalculatedAdjustment): boolean {
  return (
    toAmount(row.amount) === calculated.amount &&
    row.label === calculated.label &&
    row.included === calculated.included &&
    row.eligible === calculated.eligible &&
    row.action_type === calculated.action_type &&
    (['rate', 'included_rates', 'percent'] as const).every((term) => isSame(row[term], calculated[term]))
  );
}

/** Compares two decimal strings by value. */
function isSame(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : compareDecimals(one, other) === 0;
}
