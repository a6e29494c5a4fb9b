import type { OrderCredentials } from '../../access/context';
import { findOrdersToFill, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import { listStockChanges } from './sold-units';
import { getAuthorizedOrder } from '../order/order-access';
import { loadOrderGraph } from '../order/order-graph';
import { lockOrdersById } from '../order/order-lock';

/**
 * Locks an order, before its units are restocked, together with the orders whose backorders they may fill. All are
 * locked by id, so that two orders that fill each other's backorders do not deadlock. The other orders are an estimate,
 * because nothing is locked yet. Lock and read the order itself afterwards.
 */
export async function lockOrdersToFill(
  tx: Tx,
  orderId: number,
  returned: readonly PlacedChange[],
): Promise<void> {
  const others = await findOrdersToFill(tx, returned);
  if (others.length > 0) await lockOrdersById(tx, [orderId, ...others]);
}

/** Locks as `lockOrdersToFill` does, for all units of an order. */
export async function lockOrdersToFillByOrder(tx: Tx, orderId: number): Promise<void> {
  await lockOrdersToFill(tx, orderId, listStockChanges(await loadOrderGraph(tx, orderId)));
}

/**
 * Locks as `lockOrdersToFill` does, for all units of the order with this number. Locks nothing if the order is
 * incomplete, because its stock is not taken yet.
 * @throws NotFound, NotAuthorized
 */
export async function lockOrdersToFillByNumber(
  tx: Tx,
  credentials: OrderCredentials,
  number: string,
): Promise<void> {
  const { id, completed_at } = await getAuthorizedOrder({ ...credentials, db: tx }, number);
  if (completed_at !== null) await lockOrdersToFillByOrder(tx, id);
}
