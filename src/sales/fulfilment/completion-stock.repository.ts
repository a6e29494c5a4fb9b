import type { OrderCredentials } from '../../access/context';
import { hashToken } from '../../access/tokens';
import { buildStockLoader } from '../../inventory/availability.repository';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildStockLock } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';

const lockStock = buildStockLock({
  name: 'lock_stock_of_completion',
  places: `
    SELECT DISTINCT s.stock_location_id, u.variant_id
      FROM orders o
      JOIN inventory_units u ON u.order_id = o.id
      JOIN shipments s ON s.id = u.shipment_id
     WHERE o.number = ? AND o.state = 'confirm' AND (? OR o.user_id = ? OR o.token_hash = ?)
       AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.state = 'processing')
       AND NOT EXISTS (SELECT FROM adjustments a
                        WHERE a.order_id = o.id AND a.source_type = 'Store::PromotionAction' AND a.eligible)`,
});

/**
 * Locks and reads the stock items of the order with this number if its next step may complete it. The order need not
 * have been read. Send it directly after the statement that locks the order, so that nothing else changes its units.
 * Promotions are locked before stock, so it locks no stock of orders with discounts. Nor does it for strangers, who are
 * refused only after the order is read.
 * @returns all stock items of the order, by id ascending; none if the order is in another step or has discounts, while
 *   a gateway call for it is running, or without the order's token for others than its owner and admins
 */
export function lockStockOfCompletion(
  tx: Tx,
  number: string,
  { actor, orderToken }: OrderCredentials,
): Promise<LockedStockItem[]> {
  const userId = actor.kind === 'guest' ? null : actor.user_id;
  const tokenHash = orderToken === null ? null : hashToken(orderToken);
  return lockStock(tx, [number, actor.kind === 'admin', userId, tokenHash]);
}

/** Loads the stock of the variants of the order with this number, as `loadStockByLocation` does. */
export const loadStockOfOrder = buildStockLoader({
  name: 'stock_of_order',
  variants: `ARRAY(SELECT l.variant_id FROM line_items l JOIN orders o ON o.id = l.order_id WHERE o.number = ?)`,
});
