import type { Tx } from '../../platform/database/transaction';
import type { OrderPatch } from '../order-updater/order-draft';
import type { OrderRow } from '../order/orders.repository';
import { deleteShipmentsOfOrder } from './proposed-shipments.repository';

/**
 * Lines or the ship address of an order in checkout changed: what was proposed no longer holds (behaviour 8.7). Its
 * shipments go, and it stands at `address` again (`cart` when nothing is left in it); payments and addresses stay.
 * Does nothing to an order that has no shipments yet or is complete.
 * @returns the patch for `updateOrder`
 */
export async function restartCheckout(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'completed_at'> & { shipments: readonly unknown[] },
  hasLines: boolean,
): Promise<OrderPatch> {
  if (order.completed_at !== null || order.shipments.length === 0) return {};
  await deleteShipmentsOfOrder(tx, order.id);
  return { state: hasLines ? 'address' : 'cart' };
}
