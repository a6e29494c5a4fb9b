import { groupBy } from '../../platform/group-by';
import { formatDecimal, toAmount, ZERO } from '../../platform/money';
import { displayMoney, type MoneyDisplay } from '../../platform/money-format';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';
import type { AdjustmentJson } from './adjustments.schema';
import { buildOwnerKey } from '../pricing/calculated-adjustments';

/**
 * Creates a function that serializes the adjustments of one owner of an order; keys are those of `buildOwnerKey`. Omits
 * taxes and discounts of zero.
 */
export function createAdjustmentSerializer(
  order: Pick<OrderGraph, 'adjustments' | 'currency' | 'money_format'>,
): (owner: string) => AdjustmentJson[] {
  const owners = groupBy(
    order.adjustments.filter(({ source_type, amount }) => source_type === null || toAmount(amount) !== ZERO),
    buildOwnerKey,
  );
  return (owner) => (owners.get(owner) ?? []).map((row) => serializeAdjustment(row, order));
}

/** Serializes an adjustment of an order that is shown so. */
export function serializeAdjustment(adjustment: AdjustmentRow, shown: MoneyDisplay): AdjustmentJson {
  return {
    id: adjustment.id,
    source_type: adjustment.source_type,
    source_id: adjustment.source_id,
    ...serializeAdjustable(adjustment),
    amount: formatDecimal(adjustment.amount),
    label: adjustment.label,
    mandatory: adjustment.mandatory,
    included: adjustment.included,
    eligible: adjustment.eligible,
    taxed: adjustment.taxed,
    locked: adjustment.closed,
    display_amount: displayMoney(adjustment.amount, shown),
    created_at: adjustment.created_at.toISOString(),
    updated_at: adjustment.updated_at.toISOString(),
  };
}

function serializeAdjustable(
  adjustment: AdjustmentRow,
): Pick<AdjustmentJson, 'adjustable_type' | 'adjustable_id'> {
  if (adjustment.line_item_id !== null) {
    return { adjustable_type: 'Store::LineItem', adjustable_id: adjustment.line_item_id };
  }
  if (adjustment.shipment_id !== null) {
    return { adjustable_type: 'Store::Shipment', adjustable_id: adjustment.shipment_id };
  }
  return { adjustable_type: 'Store::Order', adjustable_id: adjustment.order_id };
}
