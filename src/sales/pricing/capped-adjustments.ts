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
 * What a completed order was sold with stays (behaviour reference 7.5), but no discount is more than what it is on: when a
 * line has fewer pieces than were sold, or a shipment a cheaper rate, what its adjustments take off is cut to what it
 * costs now. Discounts come first, then taxes taken out of prices, the oldest first; what has nothing left to be on is
 * kept to be seen and counts for nothing. Nothing is given back when the part grows again.
 * @returns the adjustments that have to change, as they are then; none of an order that is not complete, whose
 * adjustments are calculated anew
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
    .filter((row) => row.eligible && !row.included && toAmount(row.amount) < ZERO && left.has(buildOwnerKey(row)))
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
