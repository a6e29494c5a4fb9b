import { buildStockLock } from '../../inventory/stock-ledger';

/**
 * Locks and reads the stock items of the order with a number, if it may be completed next, before it has been read.
 * Send it behind the lock of the order: nothing else changes its units then. Promotions are locked before stock: orders
 * with discounts lock theirs after they were read, and so do orders that are recalculated because a tax rate was
 * deleted, which may get a discount. No stock of these orders is locked here.
 * @returns all stock items of the order, by id ascending; none if it is in another step, if promotions might have to be
 *   locked first, or while a gateway call is running
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
       AND NOT EXISTS (
             SELECT FROM adjustments a
              WHERE a.order_id = o.id
                AND (a.source_type = 'Store::PromotionAction' AND a.eligible
                     OR a.source_type = 'Store::TaxRate'
                        AND EXISTS (SELECT FROM tax_rates r WHERE r.id = a.source_id AND r.deleted_at IS NOT NULL)))`,
});
