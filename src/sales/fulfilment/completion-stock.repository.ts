import { buildStockLock } from '../../inventory/stock-ledger';

/**
 * Locks and reads the stock items of the order with a number, if it may be completed next, before it has been read.
 * Send it behind the lock of the order: nothing else changes its units then. Promotions are locked before stock, so it
 * locks no stock of orders with discounts.
 * @returns all stock items of the order, by id ascending; none if it is in another step, if it has discounts, or
 *   while a gateway call for it is running
 */
export const lockStockOfCompletion = buildStockLock({
  name: 'lock_stock_of_completion',
  places: `
    SELECT DISTINCT s.stock_location_id, u.variant_id
      FROM orders o
      JOIN inventory_units u ON u.order_id = o.id
      JOIN shipments s ON s.id = u.shipment_id
     WHERE o.number = ? AND o.state = 'confirm'
       AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.state = 'processing')
       AND NOT EXISTS (SELECT FROM adjustments a
                        WHERE a.order_id = o.id AND a.source_type = 'Store::PromotionAction' AND a.eligible)`,
});
