import type { Amount } from '../../platform/money';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';

/** An adjustment the order should have; compared with those it has by what it belongs to and where it comes from. */
export type CalculatedAdjustment = Pick<
  AdjustmentRow,
  'line_item_id' | 'shipment_id' | 'source_type' | 'source_id' | 'label' | 'included' | 'eligible'
> & { amount: Amount };

type Owner = Pick<AdjustmentRow, 'line_item_id' | 'shipment_id'>;

/** Names what an adjustment belongs to: a line, a shipment or the order; as the three names below. */
export function buildOwnerKey({ line_item_id, shipment_id }: Owner): string {
  if (line_item_id !== null) return buildLineOwnerKey(line_item_id);
  return shipment_id === null ? ORDER_OWNER_KEY : buildShipmentOwnerKey(shipment_id);
}

export const buildLineOwnerKey = (id: number): string => `line ${id}`;
export const buildShipmentOwnerKey = (id: number): string => `shipment ${id}`;
export const ORDER_OWNER_KEY = 'order';

/** Names what an adjustment belongs to and where it comes from; an order has one of each. */
export function buildAdjustmentKey(adjustment: Owner & Pick<AdjustmentRow, 'source_type' | 'source_id'>): string {
  return `${buildOwnerKey(adjustment)} ${adjustment.source_type ?? ''} ${adjustment.source_id ?? ''}`;
}

/** Whether taxes and promotions of this part may still change. */
export function isAdjustable(order: Pick<OrderGraph, 'completed_at'>, part: { created_at: Date }): boolean {
  return order.completed_at === null || part.created_at > order.completed_at;
}

/** The names, as `ownerOf` gives them, of the lines and shipments that are open to change. */
export function collectAdjustableOwners(order: OrderGraph): Set<string> {
  return new Set([
    ...order.line_items.filter((line) => isAdjustable(order, line)).map(({ id }) => buildLineOwnerKey(id)),
    ...order.shipments.filter((shipment) => isAdjustable(order, shipment)).map(({ id }) => buildShipmentOwnerKey(id)),
  ]);
}
