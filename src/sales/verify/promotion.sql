-- Invariants of promotions.

-- invariant: discounts_are_counted_as_uses
-- rule: A completed order counts as a use of every promotion that discounts it
-- table: adjustments
SELECT a.id, a.order_id, format('%s: %s of promotion %s', o.number, a.amount, action.promotion_id) AS detail
  FROM adjustments a
  JOIN orders o ON o.id = a.order_id
  JOIN promotion_actions action ON action.id = a.source_id
 WHERE a.source_type = 'Store::PromotionAction' AND a.eligible AND o.state IN ${SOLD}
   AND NOT EXISTS (SELECT FROM order_promotions link
                    WHERE link.order_id = o.id AND link.promotion_id = action.promotion_id AND link.used)

-- invariant: discounts_lower_prices
-- rule: A discount belongs to a line item or shipment, is not positive, and is the only eligible one of its kind there
-- table: adjustments
SELECT a.id, a.order_id, format('%s on line %s, shipment %s', a.amount, a.line_item_id, a.shipment_id) AS detail
  FROM adjustments a
  LEFT JOIN promotion_actions action ON action.id = a.source_id
 WHERE a.source_type = 'Store::PromotionAction'
   AND (a.amount > 0 OR num_nonnulls(a.line_item_id, a.shipment_id) <> 1
        OR a.eligible AND EXISTS (
             SELECT FROM adjustments twin JOIN promotion_actions other ON other.id = twin.source_id
              WHERE twin.source_type = a.source_type AND twin.eligible AND twin.id <> a.id
                AND twin.order_id = a.order_id
                AND (twin.line_item_id, twin.shipment_id) IS NOT DISTINCT FROM (a.line_item_id, a.shipment_id)
                AND split_part(other.type, '_', 1) = split_part(action.type, '_', 1)))

-- invariant: promotions_are_used_within_their_limit
-- rule: No more orders use a promotion than its usage limit, counted since the promotion was last changed
-- table: promotions
SELECT p.id, max(used.order_id) AS order_id,
       format('%s: %s uses, limit %s', p.name, max(used.place), p.usage_limit) AS detail
  FROM promotions p
  JOIN (SELECT link.promotion_id, link.order_id, greatest(o.completed_at, link.created_at) AS at,
               row_number() OVER (PARTITION BY link.promotion_id
                                  ORDER BY greatest(o.completed_at, link.created_at), link.order_id) AS place
          FROM order_promotions link JOIN orders o ON o.id = link.order_id
         WHERE link.used AND o.state <> 'canceled') used ON used.promotion_id = p.id
 WHERE used.place > p.usage_limit AND used.at > p.updated_at
 GROUP BY p.id

-- invariant: promotions_are_used_by_sold_orders
-- rule: An order uses promotions only if it has been completed, or while it is being completed
-- table: orders
SELECT o.id, o.id AS order_id, format('%s is %s and uses promotion %s', o.number, o.state, link.promotion_id) AS detail
  FROM order_promotions link JOIN orders o ON o.id = link.order_id
 WHERE link.used AND o.completed_at IS NULL AND NOT ${BEING_COMPLETED}
