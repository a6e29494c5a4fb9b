import { buildStockLock } from '../../inventory/stock-ledger';

/**
 * Locks and reads the stock items of the order with this number if its next step may complete it. The order need not
 * have been read. Send it directly after the statement that locks the order, so that nothing else changes its units.
 * Promotions are locked before stock, so it locks no stock of orders with discounts.
 * @returns all stock items of the order, by id ascending; none if the order is in another step or has discounts, or
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
