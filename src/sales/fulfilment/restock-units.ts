import type { OnBackordersFilled } from '../../inventory/backorders';
import { restock, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderDraft } from '../order-updater/order-draft';
import { addUnitCounts, negateUnits } from './counted-units';
import { findUnits } from './inventory-units.repository';

/**
 * Restocks units of an order, whose other units must be stored as in its draft. They may fill the backorders of other orders,
 * which are updated at once, and those of the order itself. The other orders must be locked before it (`Wanted.restocks`).
 * @returns the draft with the units that were filled
 */
export async function restockUnits<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  returned: readonly PlacedChange[],
  onBackordersFilled: OnBackordersFilled,
): Promise<OrderDraft<Order>> {
  const { order } = draft;
  const filled: number[] = [];
  const notify: OnBackordersFilled = Object.assign(
    (units: Parameters<OnBackordersFilled>[0]) => {
      filled.push(...units.flatMap(({ id, order_id }) => (order_id === order.id ? id : [])));
      return onBackordersFilled(units, order.id);
    },
    { user_id: onBackordersFilled.user_id },
  );
  await restock(tx, returned, notify);
  if (filled.length === 0) return draft;
  const changes = (await findUnits(tx, filled)).flatMap(({ counted, ...unit }) => {
    const counts = { ...unit, quantity: 1, counted_quantity: counted ? 1 : 0 };
    return [negateUnits({ ...counts, state: 'backordered' }), { ...counts, state: 'on_hand' as const }];
  });
  return { ...draft, order: { ...order, shipments: addUnitCounts(order, changes) } };
}
