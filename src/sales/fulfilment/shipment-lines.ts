import { sumQuantities } from '../../platform/quantities';
import type { LineItemRow, OrderGraph } from '../order/order-graph';
import type { UnitGroup } from '../order/unit-moves.repository';
import { stepBack, type Restart } from './restart';

/**
 * Decreases the line items whose units are removed from a shipment. Those at 0 are removed with their adjustments. Store it
 * after the units are deleted.
 * @returns the changed records, and the patch of the order: an incomplete one without line items goes back to `cart`
 */
export function lowerLines(order: OrderGraph, removed: readonly UnitGroup[]): Restart {
  const line_items = order.line_items.flatMap((line) => {
    const quantity = line.quantity - countUnits(line, removed);
    if (quantity === line.quantity) return line;
    return quantity > 0 ? { ...line, quantity } : [];
  });
  const left = new Set(line_items.map(({ id }) => id));
  const adjustments = order.adjustments.filter(
    ({ line_item_id }) => line_item_id === null || left.has(line_item_id),
  );
  const patch = line_items.length === 0 ? stepBack(order, 'back_to_cart') : {};
  return { patch, parts: { line_items, adjustments } };
}

function countUnits(line: LineItemRow, groups: readonly UnitGroup[]): number {
  return sumQuantities(groups.filter((group) => group.line_item_id === line.id));
}
