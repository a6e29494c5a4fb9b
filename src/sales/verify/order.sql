-- Invariants of orders, their line items and totals.

-- part: ADJUSTMENT_SUMS
-- The sums of eligible adjustments; a condition on whose follows. Credits of returns reduce the taxes.
SELECT coalesce(sum(amount) FILTER (WHERE NOT included), 0) AS adjustment_total,
       coalesce(sum(amount) FILTER (WHERE NOT included AND source_type = 'Store::PromotionAction'), 0) AS promo_total,
       coalesce(sum(amount) FILTER (WHERE included AND source_type = 'Store::TaxRate'), 0)
         - coalesce(sum(included_tax), 0) AS included_tax_total,
       coalesce(sum(amount) FILTER (WHERE NOT included AND source_type = 'Store::TaxRate'), 0)
         - coalesce(sum(additional_tax), 0) AS additional_tax_total
  FROM adjustments WHERE eligible

-- invariant: order_totals_are_sums
-- rule: The totals of an order are the sums of its line items, shipments and adjustments
-- table: orders
SELECT o.id, o.id AS order_id, o.number || ': ' || concat_ws(', ',
           CASE WHEN o.adjustment_total IS DISTINCT FROM real.adjustment_total
                THEN format('adjustment_total is %s instead of %s', o.adjustment_total, real.adjustment_total) END,
           CASE WHEN o.promo_total IS DISTINCT FROM real.promo_total
                THEN format('promo_total is %s instead of %s', o.promo_total, real.promo_total) END,
           CASE WHEN o.included_tax_total IS DISTINCT FROM real.included_tax_total
                THEN format('included_tax_total is %s instead of %s', o.included_tax_total, real.included_tax_total) END,
           CASE WHEN o.additional_tax_total IS DISTINCT FROM real.additional_tax_total
                THEN format('additional_tax_total is %s instead of %s', o.additional_tax_total, real.additional_tax_total) END,
           CASE WHEN o.item_total IS DISTINCT FROM real.item_total
                THEN format('item_total is %s instead of %s', o.item_total, real.item_total) END,
           CASE WHEN o.ship_total IS DISTINCT FROM real.ship_total
                THEN format('ship_total is %s instead of %s', o.ship_total, real.ship_total) END,
           CASE WHEN o.total IS DISTINCT FROM real.total
                THEN format('total is %s instead of %s', o.total, real.total) END,
           CASE WHEN o.total_quantity IS DISTINCT FROM real.total_quantity
                THEN format('total_quantity is %s instead of %s', o.total_quantity, real.total_quantity) END) AS detail
  FROM orders o
  CROSS JOIN LATERAL (${ADJUSTMENT_SUMS} AND adjustments.order_id = o.id) adjusted
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(price * quantity), 0) AS item_total, coalesce(sum(quantity), 0) AS total_quantity
      FROM line_items WHERE line_items.order_id = o.id) lines
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(cost), 0) AS ship_total FROM shipments WHERE shipments.order_id = o.id) parcels
  CROSS JOIN LATERAL (
    SELECT adjusted.*, lines.*, parcels.*,
           lines.item_total + parcels.ship_total + adjusted.adjustment_total AS total) real
 WHERE (o.adjustment_total, o.promo_total, o.included_tax_total, o.additional_tax_total, o.item_total, o.ship_total, o.total, o.total_quantity)
       IS DISTINCT FROM (real.adjustment_total, real.promo_total, real.included_tax_total, real.additional_tax_total, real.item_total, real.ship_total, real.total, real.total_quantity)

-- invariant: line_totals_are_sums
-- rule: The totals of a line item are the sums of its adjustments
-- table: line_items
SELECT line.id, line.order_id, concat_ws(', ',
           CASE WHEN line.adjustment_total IS DISTINCT FROM real.adjustment_total
                THEN format('adjustment_total is %s instead of %s', line.adjustment_total, real.adjustment_total) END,
           CASE WHEN line.promo_total IS DISTINCT FROM real.promo_total
                THEN format('promo_total is %s instead of %s', line.promo_total, real.promo_total) END,
           CASE WHEN line.included_tax_total IS DISTINCT FROM real.included_tax_total
                THEN format('included_tax_total is %s instead of %s', line.included_tax_total, real.included_tax_total) END,
           CASE WHEN line.additional_tax_total IS DISTINCT FROM real.additional_tax_total
                THEN format('additional_tax_total is %s instead of %s', line.additional_tax_total, real.additional_tax_total) END) AS detail
  FROM line_items line
  CROSS JOIN LATERAL (${ADJUSTMENT_SUMS} AND adjustments.line_item_id = line.id) real
 WHERE (line.adjustment_total, line.promo_total, line.included_tax_total, line.additional_tax_total)
       IS DISTINCT FROM (real.adjustment_total, real.promo_total, real.included_tax_total, real.additional_tax_total)

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
