import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';

const RECORD_SALE = {
  name: 'record_retaxed_sale',
  sql: `SELECT record_sale(?, NULL, 0, false)`,
};

/**
 * Documents and books an order that was taxed anew. Rates of the same percentage change none of the totals that triggers
 * follow. Call it after the order is saved, and last, because documents take numbers. Nothing waits for it.
 */
export function recordRetaxedSale(tx: Tx, order: LockedOrder): void {
  tx.write(RECORD_SALE, [order.id]);
}
