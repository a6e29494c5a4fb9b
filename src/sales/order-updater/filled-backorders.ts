import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { lockKnownOrder } from '../order/order-lock';
import { updateOrder } from './order-updater';

/**
 * Updates the orders whose backorders were filled, after their units were put on hand: their shipments may become ready
 *.
 */
export async function updateFilledOrders(
  tx: Tx,
  filled: Pick<FilledBackorders, 'order_ids' | 'user_id'>,
): Promise<void> {
  const cause = { user_id: filled.user_id, reason: 'Backordered items arrived' };
  for (const id of filled.order_ids) {
    const order = await lockKnownOrder(tx, id);
    // An order being completed is updated when its gateway call has finished.
    if (order.completed_at !== null) await updateOrder(tx, order, cause);
  }
}
