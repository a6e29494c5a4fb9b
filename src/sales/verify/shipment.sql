-- Invariants of shipments, their units and their returns.

-- part: HAS_LEFT
-- A condition: all units of shipment `s`, of which it has some, have left.
(SELECT bool_and(u.state IN ('shipped', 'returned')) FROM inventory_units u WHERE u.shipment_id = s.id)

-- part: COVERED
-- A condition: authorized payments cover what order `o` owes.
(SELECT coalesce(sum(p.amount), 0) FROM payments p WHERE p.order_id = o.id AND ${COUNTED_STATE} = 'pending')
  >= o.total - o.payment_total

-- part: STATE_BY_PAYMENT
-- The state of shipment `s` without the payments that the store has not captured yet.
CASE WHEN s.state = 'shipped' THEN 'shipped'
     WHEN o.state = 'canceled' THEN 'canceled'
     WHEN o.state NOT IN ${SOLD_AND_KEPT} THEN 'pending'
     WHEN s.state = 'canceled' AND NOT EXISTS (SELECT FROM inventory_units u WHERE u.shipment_id = s.id)
       THEN 'canceled'
     WHEN EXISTS (SELECT FROM inventory_units u WHERE u.shipment_id = s.id AND u.state = 'backordered') THEN 'pending'
     WHEN ${HAS_LEFT} THEN 'shipped'
     WHEN o.payment_state IN ('paid', 'credit_owed') THEN 'ready'
     ELSE 'unpaid' END

-- invariant: units_belong_to_their_order
-- rule: A unit belongs to a line item and a shipment of its order, and has the variant of the line item
-- table: inventory_units
SELECT u.id, u.order_id,
       format('of order %s, shipment of order %s, line item %s of order %s; variant %s, line item’s %s',
              u.order_id, s.order_id, u.line_item_id, line.order_id, u.variant_id, line.variant_id) AS detail
  FROM inventory_units u
  JOIN shipments s ON s.id = u.shipment_id
  LEFT JOIN line_items line ON line.id = u.line_item_id
 WHERE s.order_id <> u.order_id
    OR line.order_id IS DISTINCT FROM u.order_id OR line.variant_id IS DISTINCT FROM u.variant_id

-- invariant: shipped_units_have_left
-- rule: The units of a shipped shipment are shipped or returned; those of a canceled one are neither
-- table: inventory_units
SELECT u.id, u.order_id, format('%s in %s, which is %s', u.state, s.number, s.state) AS detail
  FROM inventory_units u JOIN shipments s ON s.id = u.shipment_id
 WHERE s.state IN ('shipped', 'canceled')
   AND (s.state = 'shipped') <> (u.state IN ('shipped', 'returned'))

-- invariant: shipments_hold_something
-- rule: A shipment of a completed order holds at least one unit, unless it is canceled
-- table: shipments
SELECT s.id, s.order_id, s.number || ' is empty' AS detail
  FROM shipments s JOIN orders o ON o.id = s.order_id AND o.state IN ${SOLD_AND_KEPT}
 WHERE s.state <> 'canceled' AND NOT EXISTS (SELECT FROM inventory_units u WHERE u.shipment_id = s.id)

-- invariant: canceled_shipments_hold_nothing
-- rule: A canceled shipment of an order that is not canceled has no units, and no cost and no adjustments unless the freight of another one was taxed otherwise
-- table: shipments
SELECT s.id, s.order_id, format('%s: costs %s', s.number, s.cost) AS detail
  FROM shipments s JOIN orders o ON o.id = s.order_id AND o.state IN ${SOLD_AND_KEPT}
 WHERE s.state = 'canceled'
   AND (EXISTS (SELECT FROM inventory_units u WHERE u.shipment_id = s.id)
        OR (s.cost <> 0 OR EXISTS (SELECT FROM adjustments a WHERE a.shipment_id = s.id))
           AND NOT EXISTS (SELECT FROM state_changes c
                            WHERE c.subject_type = 'shipment' AND c.subject_id = s.id AND c.to_state = 'canceled'
                              AND c.reason IN ('shipment transfer', 'shipment create')))

-- invariant: shipment_cost_is_its_rate
-- rule: The cost of a shipment is that of its selected rate, or zero without one, unless it is fixed
-- table: shipments
SELECT s.id, s.order_id, format('%s: costs %s, its rate %s', s.number, s.cost, rate.cost) AS detail
  FROM shipments s LEFT JOIN shipping_rates rate ON rate.shipment_id = s.id AND rate.selected
 WHERE s.cost <> coalesce(s.fixed_cost, rate.cost, 0)

-- invariant: shipment_totals_are_sums
-- rule: The totals of a shipment are the sums of its adjustments
-- table: shipments
SELECT s.id, s.order_id, s.number AS detail
  FROM shipments s
  LEFT JOIN adjustments a ON a.shipment_id = s.id AND a.eligible
 GROUP BY s.id
HAVING s.adjustment_total <> coalesce(sum(a.amount) FILTER (WHERE NOT a.included), 0)
    OR s.promo_total <> coalesce(sum(a.amount) FILTER (
         WHERE NOT a.included AND a.source_type = 'Store::PromotionAction'), 0)
    OR s.included_tax_total <> coalesce(sum(a.amount) FILTER (
         WHERE a.included AND a.source_type = 'Store::TaxRate'), 0)
    OR s.additional_tax_total <> coalesce(sum(a.amount) FILTER (
         WHERE NOT a.included AND a.source_type = 'Store::TaxRate'), 0)

-- invariant: shipment_states_follow
-- rule: The state of a shipment follows from its order, payment and stock; a shipped shipment stays shipped
-- table: shipments
SELECT s.id, s.order_id, format('%s: %s instead of %s', s.number, s.state, real.state) AS detail
  FROM shipments s
  JOIN orders o ON o.id = s.order_id
  LEFT JOIN stores store ON store.is_default
  CROSS JOIN LATERAL (SELECT ${STATE_BY_PAYMENT} AS state) paid
  CROSS JOIN LATERAL (
    SELECT CASE WHEN paid.state <> 'unpaid' THEN paid.state
                WHEN NOT (${COVERED}) THEN 'pending'
                -- The setting may have changed after the shipment.
                WHEN s.updated_at < store.updated_at AND s.state IN ('pending', 'ready') THEN s.state
                WHEN store.auto_capture_on_dispatch THEN 'ready'
                ELSE 'pending' END AS state) real
 WHERE s.state <> real.state

-- invariant: shipment_state_of_orders_follows
-- rule: The shipment_state of an order follows from its shipments that are not canceled; it has none before completion
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s instead of %s', o.number, coalesce(o.shipment_state, 'none'), coalesce(real.state, 'none'))
         AS detail
  FROM orders o
  CROSS JOIN LATERAL (
    SELECT count(*) AS count, count(DISTINCT s.state) AS states, min(s.state) AS one
      FROM shipments s WHERE s.order_id = o.id AND (s.state <> 'canceled' OR o.state = 'canceled')) parcels
  CROSS JOIN LATERAL (
    SELECT CASE WHEN o.completed_at IS NULL OR parcels.count = 0 THEN NULL
                WHEN o.state = 'canceled' THEN 'canceled'
                WHEN EXISTS (SELECT FROM inventory_units u WHERE u.order_id = o.id AND u.state = 'backordered') THEN 'backorder'
                WHEN parcels.states = 1 THEN parcels.one
                ELSE 'partial' END AS state) real
 WHERE o.shipment_state IS DISTINCT FROM real.state

-- invariant: imported_shipments_left_before
-- rule: An imported shipment belongs to an imported order, and its history begins with its dispatch
-- table: shipments
SELECT s.id, s.order_id, s.number AS detail
  FROM shipments s
 WHERE s.is_imported
   AND NOT (EXISTS (SELECT FROM state_changes c WHERE c.order_id = s.order_id AND c.subject_type = 'order'
                       AND c.from_state = 'cart' AND c.to_state = 'complete')
            AND EXISTS (SELECT FROM state_changes c WHERE c.order_id = s.order_id AND c.subject_type = 'shipment'
                           AND c.subject_id = s.id AND c.from_state = 'pending' AND c.to_state = 'shipped'))

-- invariant: returns_hold_their_units
-- rule: Units of a return belong to its order; they are shipped while it is authorized, and returned once it is received
-- table: inventory_units
SELECT u.id, u.order_id, format('%s on %s, which is %s', u.state, r.number, r.state) AS detail
  FROM inventory_units u JOIN return_authorizations r ON r.id = u.return_authorization_id
 WHERE r.order_id <> u.order_id
    OR (r.state, u.state) NOT IN (('authorized', 'shipped'), ('received', 'returned'))
