import { toAmount } from '../../platform/money';
import { isMerged } from '../order/merged-shipment';
import type { AdjustmentRow } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { TAX_SOURCE } from '../order/order-totals';
import { buildLineOwnerKey, buildOwnerKey, buildShipmentOwnerKey } from './calculated-adjustments';
import { buildTaxAdjustments } from './order-taxes';
import { isTaxable } from './kept-adjustments';
import type { PricingFacts } from './pricing-facts';
import { replaceCalculated, sumByPart } from './sync-adjustments';

/**
 * Taxes the line items and the unshipped freight of a complete order by its address and the rates of today, also that of merged
 * shipments while units are unshipped. What has shipped keeps the taxes of its freight.
 * @returns all adjustments of the order
 */
export function retaxAdjustments(facts: PricingFacts, order: LockedOrderGraph): AdjustmentRow[] {
  const unshipped = order.shipments.filter(({ state }) => state === 'pending' || state === 'ready');
  // The units of merged shipments are in others. They have left when all have.
  const merged = unshipped.length > 0 ? order.shipments.filter((one) => isMerged(order, one)) : [];
  const shipments = [...unshipped, ...merged];
  const owners = new Set([
    ...order.line_items.map(({ id }) => buildLineOwnerKey(id)),
    ...shipments.map(({ id }) => buildShipmentOwnerKey(id)),
  ]);
  const isRetaxed = (row: AdjustmentRow): boolean =>
    row.source_type === TAX_SOURCE && owners.has(buildOwnerKey(row));
  const open = order.adjustments.map((row) => (isRetaxed(row) ? { ...row, closed: false } : row));
  const taxable = order.adjustments
    .filter(isTaxable)
    .map((row) => ({ ...row, amount: toAmount(row.amount) }));
  // The parts of an incomplete order follow the rates of today.
  const calculated = buildTaxAdjustments(
    facts,
    { ...order, shipments, completed_at: null },
    sumByPart(taxable),
  );
  const replaced = replaceCalculated(
    { ...order, adjustments: open },
    { rows: open.filter(isRetaxed), calculated },
  );
  return replaced.map((row) =>
    isRetaxed(row) ? { ...row, closed: true, sold_amount: null, sold_base: null } : row,
  );
}
