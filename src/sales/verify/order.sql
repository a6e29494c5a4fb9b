-- Invariants of orders, their line items and totals.

-- invariant: nothing_costs_less_than_nothing
-- rule: No line item and no shipment has a negative cost after its adjustments
-- table: orders
SELECT o.id, o.id AS order_id, o.number || ': ' || string_agg(part.detail, ', ') AS detail
  FROM orders o
  CROSS JOIN LATERAL (
    SELECT format('%s on line item %s of %s', adjustment_total, id, price * quantity) AS detail
      FROM line_items WHERE line_items.order_id = o.id AND price * quantity + adjustment_total < 0
    UNION ALL
    SELECT format('%s on shipment %s of %s', adjustment_total, id, cost)
      FROM shipments WHERE shipments.order_id = o.id AND cost + adjustment_total < 0) part
 GROUP BY o.id

-- invariant: no_order_costs_less_than_nothing
-- rule: No order has a negative total, also after credits for returns
-- table: orders
SELECT id, id AS order_id, format('%s: %s', number, total) AS detail FROM orders WHERE total < 0

-- invariant: adjustments_belong_to_their_order
-- rule: An adjustment belongs to a line item or shipment of its own order
-- table: adjustments
SELECT a.id, a.order_id, format('of order %s, on a part of order %s', a.order_id, part.order_id) AS detail
  FROM adjustments a
  CROSS JOIN LATERAL (
    SELECT order_id FROM line_items WHERE line_items.id = a.line_item_id
    UNION ALL SELECT order_id FROM shipments WHERE shipments.id = a.shipment_id) part
 WHERE part.order_id <> a.order_id

-- invariant: sold_lines_have_their_units
-- rule: A line item of a completed order has as many inventory units as its quantity
-- table: line_items
SELECT line.id, line.order_id,
       format('%s: quantity %s, units %s', o.number, line.quantity, coalesce(units.count, 0)) AS detail
  FROM orders o
  JOIN line_items line ON line.order_id = o.id
  LEFT JOIN (SELECT line_item_id, count(*) AS count FROM inventory_units GROUP BY line_item_id) units
    ON units.line_item_id = line.id
 WHERE o.state IN ${SOLD} AND line.quantity <> coalesce(units.count, 0)

-- invariant: sold_orders_are_stamped
-- rule: An order has completed_at and finalized units exactly if it has been completed
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s, completed at %s', o.number, o.state, o.completed_at) AS detail
  FROM orders o
 WHERE (o.completed_at IS NOT NULL) <> (o.state IN ${SOLD})
    OR EXISTS (SELECT FROM inventory_units u WHERE u.order_id = o.id AND u.pending = (o.state IN ${SOLD}))
