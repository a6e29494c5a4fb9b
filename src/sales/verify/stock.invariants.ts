import { SOLD_AND_KEPT, type Invariant } from './invariant';

/** What holds of goods on shelves (behaviour reference 6). */
export const stockInvariants: readonly Invariant[] = [
  {
    name: 'count_is_sum_of_movements',
    rule: 'The count of a stock item is the sum of its counted movements',
    table: 'stock_items',
    sql: `
      SELECT item.id, NULL::integer AS order_id,
             format('counts %s, its movements come to %s', item.count_on_hand, coalesce(moved.quantity, 0)) AS detail
        FROM stock_items item
        LEFT JOIN (SELECT stock_item_id, sum(quantity) AS quantity FROM stock_movements WHERE counted
                    GROUP BY stock_item_id) moved ON moved.stock_item_id = item.id
       WHERE item.count_on_hand <> coalesce(moved.quantity, 0)`,
  },
  {
    name: 'backorders_are_owed',
    rule: 'No more units wait for goods than their stock item owes: what arrives goes to those who wait first',
    table: 'stock_items',
    sql: `
      SELECT item.id, NULL::integer AS order_id,
             format('counts %s while %s units wait', item.count_on_hand, waiting.quantity) AS detail
        FROM stock_items item
        JOIN (SELECT s.stock_location_id, u.variant_id, count(*) AS quantity, min(u.created_at) AS since
                FROM inventory_units u
                JOIN shipments s ON s.id = u.shipment_id AND s.state <> 'canceled'
                JOIN orders o ON o.id = u.order_id AND o.state IN ${SOLD_AND_KEPT}
               WHERE u.state = 'backordered'
               GROUP BY s.stock_location_id, u.variant_id) waiting
          ON waiting.stock_location_id = item.stock_location_id AND waiting.variant_id = item.variant_id
       WHERE item.deleted_at IS NULL
         -- An item made anew in place of a deleted one owes nothing of what the old one owed.
         AND item.created_at <= waiting.since
         AND waiting.quantity > greatest(-item.count_on_hand, 0)`,
  },
];
