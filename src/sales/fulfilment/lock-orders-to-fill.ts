import type { OrderCredentials } from '../../access/context';
import { findOrdersToFill, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import { listStockChanges } from './sold-units';
import { getAuthorizedOrder } from '../order/order-access';
import { loadOrderGraph } from '../order/order-graph';
import { lockOrdersById } from '../order/order-lock';

/**
 * Before goods of an order go back on their shelves: locks it together with the orders whose backorders they may fill,
 * by id, so that two orders that give each other goods do not meet halfway. A guess, as nothing is locked yet; lock and
 * read the order itself afterwards.
 */
export async function lockOrdersToFill(
  tx: Tx,
  orderId: number,
  goods: readonly PlacedChange[],
): Promise<void> {
  const others = await findOrdersToFill(tx, goods);
  if (others.length > 0) await lockOrdersById(tx, [orderId, ...others]);
}

/** The same for all that an order holds. */
export async function lockOrdersToFillByOrder(tx: Tx, orderId: number): Promise<void> {
  await lockOrdersToFill(tx, orderId, listStockChanges(await loadOrderGraph(tx, orderId)));
}

/** The same for the order in the path; one that is not complete has taken no goods. @throws NotFound, NotAuthorized */
export async function lockOrdersToFillByNumber(tx: Tx, caller: OrderCredentials, number: string): Promise<void> {
  const { id, completed_at } = await getAuthorizedOrder({ ...caller, db: tx }, number);
  if (completed_at !== null) await lockOrdersToFillByOrder(tx, id);
}
