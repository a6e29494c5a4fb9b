import { type Amount, toAmount, ZERO } from '../../platform/money';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';

/** A calculated adjustment. It is compared with the stored one of the same owner and source. */
export type CalculatedAdjustment = Pick<
  AdjustmentRow,
  | 'line_item_id'
  | 'shipment_id'
  | 'source_type'
  | 'source_id'
  | 'label'
  | 'included'
  | 'eligible'
  | 'rate'
  | 'included_rates'
  | 'action_type'
  | 'percent'
> & { amount: Amount };

type Owner = Pick<AdjustmentRow, 'line_item_id' | 'shipment_id'>;

/** Builds the key of the owner of an adjustment: a line item, a shipment or the order. */
export function buildOwnerKey({ line_item_id, shipment_id }: Owner): string {
  if (line_item_id !== null) return buildLineOwnerKey(line_item_id);
  return shipment_id === null ? ORDER_OWNER_KEY : buildShipmentOwnerKey(shipment_id);
}

export const buildLineOwnerKey = (id: number): string => `line ${id}`;
export const buildShipmentOwnerKey = (id: number): string => `shipment ${id}`;
export const ORDER_OWNER_KEY = 'order';

/** Builds the key of an adjustment from its owner and source. It is unique within an order. */
export function buildAdjustmentKey(
  adjustment: Owner & Pick<AdjustmentRow, 'source_type' | 'source_id'>,
): string {
  return `${buildOwnerKey(adjustment)} ${adjustment.source_type ?? ''} ${adjustment.source_id ?? ''}`;
}

/**
 * Whether the taxes of a line item or shipment follow the rates of today: until the order is complete, and in the
 * transaction that adds it to a complete order. Afterwards its adjustments are calculated from what they keep, and so are
 * those of a shipment that is added with the cost of another one.
 */
export function isAdjustable(
  order: Pick<OrderGraph, 'completed_at'>,
  part: { is_added: boolean; cost?: string },
): boolean {
  if (order.completed_at === null) return true;
  return part.is_added && (part.cost === undefined || toAmount(part.cost) === ZERO);
}

/** Returns the owner keys of the adjustable line items and shipments. */
export function collectAdjustableOwners(order: OrderGraph): Set<string> {
  return new Set([
    ...order.line_items.filter((line) => isAdjustable(order, line)).map(({ id }) => buildLineOwnerKey(id)),
    ...order.shipments
      .filter((shipment) => isAdjustable(order, shipment))
      .map(({ id }) => buildShipmentOwnerKey(id)),
  ]);
}
