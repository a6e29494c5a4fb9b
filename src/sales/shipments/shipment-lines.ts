import { InvalidResource, NotFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { MAX_UNITS } from '../fulfilment/proposal';
import { deleteLines, upsertLines } from '../fulfilment/line-items.repository';
import { findSellableVariants } from '../fulfilment/sellable-variants.repository';
import { MAX_LINES } from '../order-input/order-contents';
import { rejectCanceled } from '../order/sold-order-policy';
import type { LineItemRow } from '../order/order-graph';
import type { OrderPatch } from '../order-updater/order-draft';
import { stepBack } from '../fulfilment/restart';
import type { UnitGroup } from '../fulfilment/inventory-units.repository';
import type { Demand } from '../fulfilment/supply';
import type { ViewContext } from '../../catalog/product/product-view';
import type { LockedOrderGraph } from '../order/order-lock';

/**
 * Increases the quantity of a variant's line item, or creates one at the variant's price, before its
 * units are added to a shipment. Adds no units itself.
 * @returns the id of the line item
 * @throws NotFound if the variant cannot be sold; InvalidResource if the order is canceled or would become too large
 */
export async function raiseLine(
  tx: Tx,
  order: LockedOrderGraph,
  { variant_id, quantity }: Demand,
  viewer: ViewContext,
): Promise<number> {
  rejectCanceled(order);
  const wanted = { ids: [variant_id], skus: [] };
  const [variant] = await findSellableVariants(tx, viewer, wanted, order.currency);
  if (variant === undefined) throw new NotFound();
  const line = order.line_items.find((one) => one.variant_id === variant_id);
  const price = line?.price ?? variant.price;
  if (price === null) throw new InvalidResource({ price: ["can't be blank"] });
  if (line === undefined && order.line_items.length >= MAX_LINES) {
    throw new InvalidResource({ line_items: [`must be at most ${MAX_LINES}`] });
  }
  const room = MAX_UNITS - order.line_items.reduce((all, one) => all + one.quantity, 0);
  if (quantity > room) {
    throw new InvalidResource({ quantity: [`must be less than or equal to ${Math.max(0, room)}`] });
  }
  const total = (line?.quantity ?? 0) + quantity;
  const ids = await upsertLines(tx, order, [{ variant_id, quantity: total, price }]);
  const id = ids.get(variant_id);
  if (id === undefined) throw new Error(`the line of variant ${variant_id} was not stored`);
  return id;
}

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
  return isEmpty ? stepBack(tx, order, 'back_to_cart') : {};
}

function countUnits(line: LineItemRow, groups: readonly UnitGroup[]): number {
  return groups
    .filter((group) => group.line_item_id === line.id)
    .reduce((all, group) => all + group.quantity, 0);
}
