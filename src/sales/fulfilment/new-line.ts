import { newId } from '../order/new-id';
import { describeAddition, type LineItemRow } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';

export interface NewLine {
  variant_id: number;
  quantity: number;
  price: string;
  /** Whether an admin sets the price. Once set, the mark remains. */
  price_is_agreed?: boolean | undefined;
}

/** Builds a line item that is not stored yet. */
export function buildLine(order: LockedOrderGraph, line: NewLine): LineItemRow {
  const { variant_id, quantity, price, price_is_agreed = false } = line;
  return {
    id: newId(),
    order_id: order.id,
    variant_id,
    quantity,
    price,
    promo_total: '0.00',
    adjustment_total: '0.00',
    included_tax_total: '0.00',
    additional_tax_total: '0.00',
    price_is_agreed,
    metadata: {},
    public_metadata: {},
    ...describeAddition(order),
  };
}
