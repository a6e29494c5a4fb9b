import { newId } from '../order/new-id';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';

/** The columns that adjustments need, and those that have defaults. */
export type NewAdjustment = Pick<
  AdjustmentRow,
  'line_item_id' | 'shipment_id' | 'source_type' | 'source_id' | 'amount' | 'label'
> &
  Partial<Omit<AdjustmentRow, 'id' | 'order_id' | 'created_at' | 'updated_at'>>;

/** Builds an adjustment that is not stored yet. It is closed if the order is complete. */
export function buildAdjustment(
  order: Pick<OrderGraph, 'id' | 'completed_at' | 'transaction_time'>,
  adjustment: NewAdjustment,
): AdjustmentRow {
  return {
    mandatory: false,
    included: false,
    eligible: true,
    closed: order.completed_at !== null,
    taxed: false,
    rate: null,
    included_rates: null,
    action_type: null,
    percent: null,
    sold_amount: null,
    sold_base: null,
    included_tax: null,
    additional_tax: null,
    ...adjustment,
    id: newId(),
    order_id: order.id,
    created_at: order.transaction_time,
    updated_at: order.transaction_time,
  };
}
