import { SOLD, type Invariant } from './invariant';

/** What holds of discounts (behaviour reference 7.5 and 12.3). */
export const promotionInvariants: readonly Invariant[] = [
  {
    name: 'discounts_are_counted_as_uses',
    rule: 'An order that was completed counts among the uses of every promotion that discounts it',
    table: 'adjustments',
    sql: `
      SELECT a.id, a.order_id, format('%s: %s of promotion %s', o.number, a.amount, action.promotion_id) AS detail
        FROM adjustments a
        JOIN orders o ON o.id = a.order_id
        JOIN promotion_actions action ON action.id = a.source_id
       WHERE a.source_type = 'Store::PromotionAction' AND a.eligible AND o.state IN ${SOLD}
         AND NOT EXISTS (SELECT FROM order_promotions link
                          WHERE link.order_id = o.id AND link.promotion_id = action.promotion_id AND link.used)`,
  },
  {
    name: 'discounts_lower_prices',
    rule: 'A discount lies on a line item or shipment, takes something off, and is one of its kind that counts there',
    table: 'adjustments',
    sql: `
      SELECT a.id, a.order_id, format('%s on line %s, shipment %s', a.amount, a.line_item_id, a.shipment_id) AS detail
        FROM adjustments a
        LEFT JOIN promotion_actions action ON action.id = a.source_id
       WHERE a.source_type = 'Store::PromotionAction'
         AND (a.amount >= 0 OR num_nonnulls(a.line_item_id, a.shipment_id) <> 1
              OR a.eligible AND EXISTS (
                   SELECT FROM adjustments twin JOIN promotion_actions other ON other.id = twin.source_id
                    WHERE twin.source_type = a.source_type AND twin.eligible AND twin.id <> a.id
                      AND twin.order_id = a.order_id
                      AND (twin.line_item_id, twin.shipment_id) IS NOT DISTINCT FROM (a.line_item_id, a.shipment_id)
                      AND split_part(other.type, '_', 1) = split_part(action.type, '_', 1)))`,
  },
];
