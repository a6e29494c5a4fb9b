import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { lockOrderOf } from '../order/order-lock';
import { updateOrder } from './order-updater';

/**
 * Brings orders up to date that got goods they waited for: their shipments may turn ready (behaviour 6.4). What
 * inventory calls, as `Deps.onBackordersFilled`; the orders are locked already, and their units are on hand.
 */
export async function updateFilledOrders(tx: Tx, filled: FilledBackorders): Promise<void> {
  const cause = { user_id: filled.user_id, reason: 'Backordered goods arrived' };
  for (const id of filled.order_ids) {
    const order = await lockOrderOf(tx, id);
    // One whose payment is at a gateway stands still: its completion brings it up to date.
    if (order.completed_at !== null) await updateOrder(tx, order, cause);
  }
}
