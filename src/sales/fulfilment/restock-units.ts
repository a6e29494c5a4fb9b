import type { OnBackordersFilled } from '../../inventory/backorders';
import { restock, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';

/**
 * Restocks units of an order. They may fill the backorders of other orders, which are updated at once; the order itself
 * is updated by its use case. The other orders must be locked before `order` (`Wanted.restocks`).
 */
export async function restockUnits(
  tx: Tx,
  order: LockedOrder,
  returned: readonly PlacedChange[],
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  const { user_id } = onBackordersFilled;
  const notify = (units: Parameters<OnBackordersFilled>[0]) => onBackordersFilled(units, order.id);
  await restock(tx, returned, Object.assign(notify, { user_id }));
}
