-- Invariants of the completion, cancellation and dispatch of orders.

-- part: COMPLETIONS
-- The completion of each order; `is_checkout` if it was completed by the checkout, not by an import.
SELECT DISTINCT ON (order_id) order_id, id, created_at AS at, from_state <> 'cart' AS is_checkout
  FROM state_changes
 WHERE subject_type = 'order' AND to_state = 'complete' AND from_state IN ('cart', 'address', 'delivery', 'payment', 'confirm')
 ORDER BY order_id, id

-- invariant: sold_orders_were_completed
-- rule: The history of every completed order contains its completion; that of an open order does not
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s, completion %s', o.number, o.state, completion.id) AS detail
  FROM orders o LEFT JOIN (${COMPLETIONS}) completion ON completion.order_id = o.id
 WHERE (o.completed_at IS NOT NULL) <> (completion.id IS NOT NULL)

-- invariant: sold_orders_name_their_buyer
-- rule: An order that was completed by the checkout has an e-mail address, a bill address and a ship address
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: e-mail %s, bill address %s, ship address %s', o.number, o.email, o.bill_address_id, o.ship_address_id)
         AS detail
  FROM orders o JOIN (${COMPLETIONS}) completion ON completion.order_id = o.id AND completion.is_checkout
 WHERE coalesce(o.email, '') = '' OR num_nulls(o.bill_address_id, o.ship_address_id) > 0

-- invariant: completions_are_dated
-- rule: completed_at of an order matches its history to the day, and is not in the future
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s, in the history %s', o.number, o.completed_at, completion.at) AS detail
  FROM orders o LEFT JOIN (${COMPLETIONS}) completion ON completion.order_id = o.id AND completion.is_checkout
 WHERE o.completed_at > clock_timestamp() + interval '1 day'
    OR o.completed_at NOT BETWEEN completion.at - interval '1 day' AND completion.at + interval '1 day'

-- invariant: cancellations_are_stamped
-- rule: An order has a time of cancellation exactly while it is canceled
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s, canceled at %s', o.number, o.state, o.canceled_at) AS detail
  FROM orders o
 WHERE (o.canceled_at IS NOT NULL) <> (o.state = 'canceled')

-- invariant: shipments_left_when_they_say
-- rule: shipped_at of a shipment matches its history to the day; that of an imported one, or of its last unit, is earlier, but not than the sale
-- table: shipments
SELECT s.id, s.order_id, format('%s: %s, in the history %s', s.number, s.shipped_at, c.created_at) AS detail
  FROM shipments s
  JOIN state_changes c ON c.order_id = s.order_id AND c.subject_type = 'shipment' AND c.subject_id = s.id
                      AND c.to_state = 'shipped'
 WHERE s.shipped_at > c.created_at + interval '1 day'
    OR s.shipped_at < c.created_at - interval '1 day' AND NOT s.is_imported
       AND (s.shipped_at IS DISTINCT FROM s.unit_shipped_at OR s.shipped_at < s.created_at - interval '1 day')

-- invariant: risky_orders_are_marked
-- rule: An order that was completed with a failed payment is considered risky until it is approved
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: considered risky %s, approved at %s', o.number, o.considered_risky, o.approved_at)
         AS detail
  FROM orders o
 WHERE o.approved_at IS NOT NULL AND o.considered_risky
    OR o.approved_at IS NULL AND NOT o.considered_risky AND o.completed_at IS NOT NULL
       AND EXISTS (SELECT FROM state_changes failure JOIN (${COMPLETIONS}) completion USING (order_id)
                    WHERE failure.order_id = o.id AND failure.subject_type = 'payment'
                      AND failure.to_state = 'failed' AND failure.id < completion.id AND completion.is_checkout
                      -- A late charge that was returned is void.
                      AND NOT EXISTS (SELECT FROM state_changes later
                                       WHERE later.order_id = failure.order_id AND later.subject_type = 'payment'
                                         AND later.subject_id = failure.subject_id AND later.from_state = 'failed'
                                         AND later.id < completion.id AND later.id > failure.id))

-- invariant: units_of_open_orders_stay
-- rule: No unit of an order that was not completed is shipped or returned
-- table: inventory_units
SELECT u.id, u.order_id, format('%s in order %s, which is %s', u.state, o.number, o.state) AS detail
  FROM inventory_units u JOIN orders o ON o.id = u.order_id
 WHERE o.state NOT IN ${SOLD} AND (u.state IN ('shipped', 'returned') OR u.return_authorization_id IS NOT NULL)
