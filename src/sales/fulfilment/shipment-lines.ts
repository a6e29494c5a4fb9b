import type { Tx } from '../../platform/database/transaction';
import type { LineItemRow } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderPatch } from '../order-updater/order-draft';
import type { UnitGroup } from './inventory-units.repository';
import { deleteLines, upsertLines } from './line-items.repository';
import { stepBack } from './restart';

/**
 * Decreases the line items whose units were removed from a shipment. Deletes line items at 0. The units must already be
 * deleted.
 * @returns the patch for `updateOrder`: an incomplete order without line items goes back to `cart`
 */
export async function lowerLines(
  tx: Tx,
  order: LockedOrderGraph,
  removed: readonly UnitGroup[],
): Promise<OrderPatch> {
  const lines = order.line_items.map((line) => ({
    ...line,
    quantity: line.quantity - countUnits(line, removed),
  }));
  const before = new Map(order.line_items.map((line) => [line.id, line.quantity]));
  const lowered = lines.filter((line) => line.quantity !== before.get(line.id));
  await upsertLines(
    tx,
    order,
    lowered.filter((line) => line.quantity > 0),
  );
  await deleteLines(
    tx,
    order,
    lowered.flatMap((line) => (line.quantity > 0 ? [] : line.id)),
  );
  const isEmpty = lines.every((line) => line.quantity <= 0);
  return isEmpty ? stepBack(order, 'back_to_cart') : {};
}

function countUnits(line: LineItemRow, groups: readonly UnitGroup[]): number {
  return groups
    .filter((group) => group.line_item_id === line.id)
    .reduce((all, group) => all + group.quantity, 0);
}
