import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { lockKnownOrder } from '../order/order-lock';
import { updateOrder } from './order-updater';

/**
 * Brings orders up to date whose backordered units were filled: their shipments may become ready (behaviour 6.4). The
 * orders are locked already, and their units are on hand.
 */
export async function updateFilledOrders(
  tx: Tx,
  filled: Pick<FilledBackorders, 'order_ids' | 'user_id'>,
): Promise<void> {
  const cause = { user_id: filled.user_id, reason: 'Backordered goods arrived' };
  for (const id of filled.order_ids) {
    const order = await lockKnownOrder(tx, id);
    // One whose payment is at a gateway stands still: its completion brings it up to date.
    if (order.completed_at !== null) await updateOrder(tx, order, cause);
  }
}
