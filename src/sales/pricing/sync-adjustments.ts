import type { LockedOrderGraph } from '../order/order-lock';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { compareDecimals, sumOf, toAmount, toDecimal } from '../../platform/money';
import type { AdjustmentRow } from '../order/order-graph';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../order/order-totals';
import { buildPromotionAdjustments } from './order-promotions';
import { buildTaxAdjustments } from './order-taxes';
import { deleteAdjustments, insertAdjustments, updateAdjustments } from './adjustments.repository';
import { recalculateKept } from './kept-adjustments';
import {
  buildAdjustmentKey,
  collectAdjustableOwners,
  buildOwnerKey,
  type CalculatedAdjustment,
} from './calculated-adjustments';

/** The sources of calculated adjustments. Others, such as credits of returns, are never changed here. */
const CALCULATED_SOURCES: readonly (string | null)[] = [PROMOTION_SOURCE, TAX_SOURCE];

/**
 * Recalculates the promotions and taxes of an order and writes the differences. Taxes apply to the amounts after
 * promotions. The adjustments of a completed order are calculated from what they keep; line items and shipments that
 * the transaction adds to it get the taxes of today and no promotions. A constant number of statements, none in a shop
 * without promotions and taxes.
 * @returns all adjustments of the order, as stored now
 */
export async function syncAdjustments(tx: Tx, unsynced: LockedOrderGraph): Promise<AdjustmentRow[]> {
  const order = { ...unsynced, adjustments: await syncKept(tx, unsynced) };
  const adjustable = collectAdjustableOwners(order);
  if (adjustable.size === 0) return order.adjustments;
  const isOpen = order.completed_at === null;
  const promotions = isOpen && order.shop_has_promotions ? await buildPromotionAdjustments(tx, order) : [];
  const promotionsByOwner = groupBy(
    promotions.filter(({ eligible }) => eligible),
    buildOwnerKey,
  );
  const taxes = order.shop_has_taxes
    ? await buildTaxAdjustments(tx, order, (item) =>
        sumOf(
          promotionsByOwner.get(buildOwnerKey({ line_item_id: null, shipment_id: null, ...item })) ?? [],
          ({ amount }) => amount,
        ),
      )
    : [];
  const isRecalculated = (row: AdjustmentRow): boolean =>
    CALCULATED_SOURCES.includes(row.source_type) && adjustable.has(buildOwnerKey(row));
  return saveAdjustments(tx, order, {
    rows: order.adjustments.filter(isRecalculated),
    calculated: [...promotions, ...taxes],
  });
}

async function syncKept(tx: Tx, order: LockedOrderGraph): Promise<AdjustmentRow[]> {
  if (order.completed_at === null) return order.adjustments;
  const changed = recalculateKept(order);
  const changes = await updateAdjustments(tx, order, changed);
  return order.adjustments.map((row) => changes.get(row.id) ?? row);
}

async function saveAdjustments(
  tx: Tx,
  order: LockedOrderGraph,
  { rows, calculated }: { rows: readonly AdjustmentRow[]; calculated: readonly CalculatedAdjustment[] },
): Promise<AdjustmentRow[]> {
  const known = new Set(rows.map(buildAdjustmentKey));
  const stored = new Map(rows.filter((row) => !row.closed).map((row) => [buildAdjustmentKey(row), row]));
  const kept = new Set(calculated.map(buildAdjustmentKey));
  const missing = calculated.filter((one) => !known.has(buildAdjustmentKey(one)));
  const changed = calculated.flatMap((one) => buildChangedRows(stored.get(buildAdjustmentKey(one)), one));
  const surplus = new Set([...stored].filter(([key]) => !kept.has(key)).map(([, row]) => row.id));

  await deleteAdjustments(tx, order, [...surplus]);
  const changes = await updateAdjustments(tx, order, changed);
  const closed = order.completed_at !== null;
  const inserted = await insertAdjustments(
    tx,
    order,
    missing.map((one) => ({ ...one, amount: toDecimal(one.amount), closed })),
  );
  return [
    ...order.adjustments
      .filter((row) => !surplus.has(row.id))
      .map((row) => ({ ...row, ...changes.get(row.id) })),
    ...inserted,
  ];
}

function buildChangedRows(row: AdjustmentRow | undefined, calculated: CalculatedAdjustment): AdjustmentRow[] {
  if (row === undefined || isUnchanged(row, calculated)) return [];
  const { label, included, eligible, rate, included_rates, action_type, percent, amount } = calculated;
  const terms = { rate, included_rates, action_type, percent };
  return [{ ...row, label, included, eligible, ...terms, amount: toDecimal(amount) }];
}

/** Whether a stored adjustment equals the calculated one. */
export function isUnchanged(row: AdjustmentRow, calculated: CalculatedAdjustment): boolean {
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
