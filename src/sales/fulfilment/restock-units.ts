import type { OnBackordersFilled } from '../../inventory/backorders';
import { restock, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';

/**
 * Returns units of an order to stock, where other orders may wait for them. Those are brought up to date at once, the
 * order itself by its use case. Lock those others before `order` (lock-filled-orders.ts).
 */
export async function restockUnits(
  tx: Tx,
  order: LockedOrder,
  goods: readonly PlacedChange[],
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  await restock(tx, goods, (units) => onBackordersFilled(units, order.id));
}
