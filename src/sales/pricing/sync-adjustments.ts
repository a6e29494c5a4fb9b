import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { sumOf, toAmount, toDecimal } from '../../platform/money';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../order/order-totals';
import { buildPromotionAdjustments } from './order-promotions';
import { buildTaxAdjustments } from './order-taxes';
import { deleteAdjustments, insertAdjustments, updateAdjustments } from './adjustments.repository';
import { calculateCappedAdjustments } from './capped-adjustments';
import { buildAdjustmentKey, collectAdjustableOwners, buildOwnerKey, type CalculatedAdjustment } from './calculated-adjustments';

/** What is calculated; adjustments from elsewhere (returns, an admin's own) are left alone. */
const CALCULATED_SOURCES: readonly (string | null)[] = [PROMOTION_SOURCE, TAX_SOURCE];

/**
 * Makes the stored promotions and taxes of an order equal the wanted ones, taxes on what promotions left (behaviour
 * 7.5). Parts that were sold keep theirs, up to what they cost. A constant number of statements, none in a shop without
 * promotions and taxes.
 * @returns all adjustments as they are then
 */
export async function syncAdjustments(tx: Tx, unsynced: OrderGraph): Promise<AdjustmentRow[]> {
  const order = { ...unsynced, adjustments: await capAdjustments(tx, unsynced) };
  const open = collectAdjustableOwners(order);
  if (open.size === 0) return order.adjustments;
  const promotions = order.shop_has_promotions ? await buildPromotionAdjustments(tx, order) : [];
  const promotionsOf = groupBy(
    promotions.filter(({ eligible }) => eligible),
    buildOwnerKey,
  );
  const taxes = order.shop_has_taxes
    ? await buildTaxAdjustments(tx, order, (item) =>
        sumOf(promotionsOf.get(buildOwnerKey({ line_item_id: null, shipment_id: null, ...item })) ?? [], amountOf),
      )
    : [];
  const isOpenRow = (row: AdjustmentRow): boolean =>
    CALCULATED_SOURCES.includes(row.source_type) && open.has(buildOwnerKey(row));
  return saveAdjustments(tx, order, { rows: order.adjustments.filter(isOpenRow), wanted: [...promotions, ...taxes] });
}

async function capAdjustments(tx: Tx, order: OrderGraph): Promise<AdjustmentRow[]> {
  const cut = calculateCappedAdjustments(order);
  await updateAdjustments(tx, cut);
  const changes = new Map(cut.map((row) => [row.id, row]));
  return order.adjustments.map((row) => changes.get(row.id) ?? row);
}

const amountOf = ({ amount }: CalculatedAdjustment): CalculatedAdjustment['amount'] => amount;

async function saveAdjustments(
  tx: Tx,
  order: OrderGraph,
  { rows, wanted }: { rows: readonly AdjustmentRow[]; wanted: readonly CalculatedAdjustment[] },
): Promise<AdjustmentRow[]> {
  const known = new Set(rows.map(buildAdjustmentKey));
  const stored = new Map(rows.filter((row) => !row.closed).map((row) => [buildAdjustmentKey(row), row]));
  const kept = new Set(wanted.map(buildAdjustmentKey));
  const missing = wanted.filter((one) => !known.has(buildAdjustmentKey(one)));
  const changed = wanted.flatMap((one) => buildChangedRows(stored.get(buildAdjustmentKey(one)), one));
  const surplus = new Set([...stored].filter(([key]) => !kept.has(key)).map(([, row]) => row.id));

  await deleteAdjustments(tx, [...surplus]);
  await updateAdjustments(tx, changed);
  const inserted = await insertAdjustments(
    tx,
    missing.map((one) => ({ ...buildColumns(one), order_id: order.id })),
  );
  const changes = new Map(changed.map((row) => [row.id, row]));
  return [
    ...order.adjustments
      .filter((row) => !surplus.has(row.id))
      .map((row) => ({ ...row, ...changes.get(row.id) })),
    ...inserted,
  ];
}

function buildColumns(wanted: CalculatedAdjustment) {
  const { line_item_id, shipment_id, source_type, source_id, label, included, eligible, amount } = wanted;
  const source = { line_item_id, shipment_id, source_type, source_id };
  return { ...source, label, included, eligible, amount: toDecimal(amount) };
}

function buildChangedRows(row: AdjustmentRow | undefined, wanted: CalculatedAdjustment): AdjustmentRow[] {
  if (row === undefined || isUnchanged(row, wanted)) return [];
  const { label, included, eligible, amount } = wanted;
  return [{ ...row, label, included, eligible, amount: toDecimal(amount) }];
}

/** Whether a stored adjustment says what is wanted. */
export function isUnchanged(row: AdjustmentRow, wanted: CalculatedAdjustment): boolean {
  return (
    toAmount(row.amount) === wanted.amount &&
    row.label === wanted.label &&
    row.included === wanted.included &&
    row.eligible === wanted.eligible
  );
}
