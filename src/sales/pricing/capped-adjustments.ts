import {
  negate,
  smaller,
  subtract,
  sum,
  multiply,
  toAmount,
  toDecimal,
  ZERO,
  type Amount,
} from '../../platform/money';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';
import { TAX_SOURCE } from '../order/order-totals';
import { buildLineOwnerKey, buildOwnerKey, buildShipmentOwnerKey } from './calculated-adjustments';

type SoldOrder = Pick<OrderGraph, 'completed_at' | 'line_items' | 'shipments' | 'adjustments'>;

/**
 * Limits the negative adjustments of a completed order to the current cost of their line item or shipment. A completed
 * order keeps its adjustments, but a lower quantity or a cheaper rate may cost less than they take off.
 * Discounts are counted first, then tax refunds, oldest first. An adjustment limited to zero becomes ineligible. The limit
 * is permanent: it is not raised when the cost increases again.
 * @returns the changed adjustments; none for an incomplete order, whose adjustments are recalculated
 */
export function calculateCappedAdjustments(order: SoldOrder): AdjustmentRow[] {
  if (order.completed_at === null) return [];
  const left = new Map<string, Amount>([
    ...order.line_items.map(
      (line) => [buildLineOwnerKey(line.id), multiply(toAmount(line.price), line.quantity)] as const,
    ),
    ...order.shipments.map(({ id, cost }) => [buildShipmentOwnerKey(id), toAmount(cost)] as const),
  ]);
  return order.adjustments
    .filter(
      (row) => row.eligible && !row.included && toAmount(row.amount) < ZERO && left.has(buildOwnerKey(row)),
    )
    .sort(byPrecedence)
    .flatMap((row) => {
      const amount = toAmount(row.amount);
      const rest = left.get(buildOwnerKey(row)) ?? ZERO;
      const off = smaller(negate(amount), rest);
      left.set(buildOwnerKey(row), subtract(rest, off));
      if (sum(amount, off) === ZERO) return [];
      return [off === ZERO ? { ...row, eligible: false } : { ...row, amount: toDecimal(negate(off)) }];
    });
}

function byPrecedence(one: AdjustmentRow, other: AdjustmentRow): number {
  return (
    Number(one.source_type === TAX_SOURCE) - Number(other.source_type === TAX_SOURCE) || one.id - other.id
  );
}
