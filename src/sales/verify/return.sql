-- Invariants of returns, their units and their credits.

-- part: RECEIVED
-- Received returns with the id of their receipt in the history, which determines their order.
SELECT r.id, r.order_id, r.number, r.amount, r.amount_is_explicit, receipt.turn, receipt.at
  FROM return_authorizations r
  LEFT JOIN LATERAL (
    SELECT max(c.id) AS turn, max(c.created_at) AS at FROM state_changes c
     WHERE c.order_id = r.order_id AND c.subject_type = 'return_authorization' AND c.subject_id = r.id
       AND c.to_state = 'received') receipt ON true
 WHERE r.state = 'received'

-- part: CHANGED_SINCE
-- Whether the contents of the order of a return `r` have changed since its receipt, other than by credits.
EXISTS (SELECT FROM order_changes c
         WHERE c.order_id = r.order_id AND c.created_at > r.at
           AND c.subject_type IN ('line_item', 'shipment', 'adjustment')
           AND NOT EXISTS (SELECT FROM adjustments a
                            WHERE a.id = c.subject_id AND c.subject_type = 'adjustment'
                              AND a.source_type = 'Store::ReturnAuthorization'))

-- part: HAS_REMAINDER
-- Whether a return has credited all that the order `o` still cost. Earlier versions have not noted that.
EXISTS (SELECT FROM return_remainders remainder JOIN return_authorizations closing ON closing.id = remainder.return_authorization_id
         WHERE closing.order_id = o.id)

-- part: ITEMS
-- The values of the items of returns: as stored, and their shares of their line items. Shares add up to the line item. Earlier versions
-- have not stored which part is not taxed.
SELECT held.*, round(held.total * held.upto / held.quantity, held.digits)
           - round(held.total * (held.upto - held.units) / held.quantity, held.digits) AS share, round(held.taxed * held.upto / held.quantity, held.digits)
           - round(held.taxed * (held.upto - held.units) / held.quantity, held.digits) AS taxed_share
  FROM (SELECT item.id, item.return_authorization_id AS return_id, item.amount, item.quantity AS units,
               item.included_tax, item.additional_tax, line.quantity,
               line.price * line.quantity + line.adjustment_total AS total,
               line.price * line.quantity + line.adjustment_total - untaxed.amount AS taxed,
               CASE WHEN bool_and(item.untaxed IS NOT NULL) OVER (PARTITION BY line.id) THEN item.amount - item.untaxed END AS taxed_amount,
               ${DIGITS} AS digits,
               sum(item.quantity) OVER (PARTITION BY line.id ORDER BY received.turn, received.id) AS upto,
               bool_and(line.updated_at <= received.at AND item.price = line.price) OVER (PARTITION BY line.id) AS stands
          FROM received
          JOIN return_items item ON item.return_authorization_id = received.id
          JOIN line_items line ON line.id = item.line_item_id
          JOIN orders o ON o.id = line.order_id
         CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS amount FROM adjustments
                              WHERE line_item_id = line.id AND source_type IS NULL AND eligible AND NOT included AND NOT taxed) untaxed) held

-- invariant: returned_units_came_back
-- rule: A returned unit belongs to a received return
-- table: inventory_units
SELECT u.id, u.order_id, format('returned, its return is %s', coalesce(r.state, 'missing')) AS detail
  FROM inventory_units u LEFT JOIN return_authorizations r ON r.id = u.return_authorization_id
 WHERE u.state = 'returned' AND r.state IS DISTINCT FROM 'received'

-- invariant: received_returns_have_units
-- rule: A received return has at least one unit
-- table: return_authorizations
SELECT r.id, r.order_id, r.number || ' has no units' AS detail
  FROM return_authorizations r
 WHERE r.state = 'received'
   AND NOT EXISTS (SELECT FROM inventory_units u WHERE u.return_authorization_id = r.id)

-- invariant: returns_are_credited_once
-- rule: A received return has at most one credit, in its own order; any other return has none
-- table: return_authorizations
SELECT r.id, r.order_id, format('%s is %s and has %s credits', r.number, r.state, count(*)) AS detail
  FROM return_authorizations r
  JOIN adjustments a ON a.source_type = 'Store::ReturnAuthorization' AND a.source_id = r.id
 GROUP BY r.id
HAVING r.state <> 'received' OR count(*) > 1 OR bool_or(a.order_id <> r.order_id)

-- invariant: returns_are_credited_in_full
-- rule: The credit of a received return is its amount; if that was not given, the value of its units, up to the order total, which is checked unless the order has changed since
-- table: return_authorizations
WITH received AS MATERIALIZED (${RECEIVED})
SELECT r.id, r.order_id,
       format('%s: credited %s, its amount is %s, its units are worth %s', r.number, r.credit, r.amount, r.value) AS detail
  FROM (SELECT received.*, -coalesce(credit.amount, 0) AS credit, coalesce(item.amount, 0) AS value,
               (credit.included_tax, credit.additional_tax) IS DISTINCT FROM (item.included_tax, item.additional_tax)
                 AND credit.amount IS NOT NULL AS has_other_taxes,
               o.total - coalesce(sum(credit.amount) OVER later, 0) AS total_before
          FROM received
          JOIN orders o ON o.id = received.order_id
          LEFT JOIN (SELECT return_authorization_id, sum(amount) AS amount, sum(included_tax) AS included_tax,
                            sum(additional_tax) AS additional_tax
                       FROM return_items GROUP BY return_authorization_id) item
            ON item.return_authorization_id = received.id
          LEFT JOIN (SELECT source_id, sum(amount) AS amount, sum(included_tax) AS included_tax,
                            sum(additional_tax) AS additional_tax
                       FROM adjustments WHERE source_type = 'Store::ReturnAuthorization' GROUP BY source_id) credit
            ON credit.source_id = received.id
        WINDOW later AS (PARTITION BY received.order_id ORDER BY received.turn DESC)) r
 WHERE r.credit <> r.amount
    OR NOT r.amount_is_explicit
       AND (r.credit > r.value OR r.credit < r.value AND r.credit < r.total_before AND NOT ${CHANGED_SINCE})
    OR r.credit = r.value AND r.has_other_taxes AND r.credit <> r.total_before
       AND NOT EXISTS (SELECT FROM return_remainders WHERE return_authorization_id = r.id)

-- invariant: freight_is_credited_once
-- rule: Received returns credit no more of the freight of a shipment than it costs, unless its cost has changed since
-- table: return_freights
SELECT min(freight.id) AS id, s.order_id,
       format('%s of %s credited', sum(freight.amount), s.cost + s.adjustment_total) AS detail
  FROM return_freights freight
  JOIN shipments s ON s.id = freight.shipment_id
  JOIN return_authorizations r ON r.id = freight.return_authorization_id
 GROUP BY s.id
HAVING bool_or(r.state <> 'received' OR r.order_id <> s.order_id)
    OR sum(freight.amount) > s.cost + s.adjustment_total AND s.updated_at <= max(freight.created_at)

-- invariant: sales_given_back_have_no_tax
-- rule: A returned order that costs nothing has no tax, unless staff adjusted it by hand before an earlier version received its last return; earlier versions credited freight without its tax
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s costs nothing and has taxes of %s and %s', o.number, o.included_tax_total, o.additional_tax_total)
         AS detail
  FROM orders o
 WHERE o.state = 'returned' AND o.total = 0 AND (o.included_tax_total <> 0 OR o.additional_tax_total <> 0)
   AND (NOT EXISTS (SELECT FROM adjustments a WHERE a.order_id = o.id AND a.source_type IS NULL) OR ${HAS_REMAINDER})
   AND (o.ship_total = 0
        OR EXISTS (SELECT FROM return_freights freight JOIN shipments s ON s.id = freight.shipment_id
                    WHERE s.order_id = o.id))

-- invariant: sales_given_back_leave_nothing
-- rule: Of a returned order that costs nothing, nothing is left at any rate or without tax, in the books and on the documents, besides refunds without a return; checked for returns since remainders are noted
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s net %s and tax of %s, at the rate %s', o.number, left_over.place, left_over.net, left_over.tax,
              coalesce(trim_scale(left_over.rate)::text, 'of no tax')) AS detail
  FROM orders o
 CROSS JOIN LATERAL (
   SELECT 'booked' AS place, tax_rate_id AS source, rate, sum(base) AS net, sum(tax) AS tax
     FROM book_entries e WHERE e.order_id = o.id AND kind <> 'refund'
    GROUP BY tax_rate_id, rate
    UNION ALL
   SELECT 'documents list', (tax ->> 'source')::integer, (tax ->> 'rate')::numeric, sum((entry ->> 'net')::numeric),
          coalesce(sum((tax ->> 'amount')::numeric), 0)
     FROM jsonb_array_elements(list_documented_entries(o.id)) entry
     LEFT JOIN LATERAL jsonb_array_elements(entry -> 'taxes') tax ON true
    WHERE entry ->> 'kind' <> 'refund'
    GROUP BY 2, 3) left_over
 WHERE o.state = 'returned' AND o.total = 0 AND ${HAS_REMAINDER} AND (left_over.net <> 0 OR left_over.tax <> 0)

-- invariant: returned_units_are_worth_their_share
-- rule: A return item is worth the share of its units in their line item, and so is the part that is taxed; checked unless the line item has changed since
-- table: return_items
WITH received AS MATERIALIZED (${RECEIVED})
SELECT item.id, r.order_id,
       format('%s: %s instead of %s, taxed %s instead of %s', r.number, item.amount, item.share, item.taxed_amount,
              item.taxed_share) AS detail
  FROM (${ITEMS}) item JOIN return_authorizations r ON r.id = item.return_id
 WHERE item.amount IS NULL OR item.stands AND item.amount <> greatest(item.share, 0)
    OR item.stands AND item.taxed_amount <> item.taxed_share

-- invariant: return_items_are_their_units
-- rule: A return has an item for the units of each line item on it, with their number; it is valued when it is received
-- table: return_authorizations
SELECT r.id, r.order_id,
       format('%s: %s units of line item %s, its item has %s', r.number, coalesce(held.quantity, 0),
              coalesce(held.line_item_id, item.line_item_id), coalesce(item.quantity, 0)) AS detail
  FROM (SELECT return_authorization_id, line_item_id, count(*) AS quantity FROM inventory_units
         WHERE return_authorization_id IS NOT NULL AND line_item_id IS NOT NULL
         GROUP BY return_authorization_id, line_item_id) held
  FULL JOIN return_items item USING (return_authorization_id, line_item_id)
  JOIN return_authorizations r ON r.id = coalesce(held.return_authorization_id, item.return_authorization_id)
 WHERE coalesce(held.quantity, 0) <> coalesce(item.quantity, 0)
    OR (r.state = 'received') <> (item.amount IS NOT NULL)

-- invariant: open_returns_keep_their_order_waiting
-- rule: An order with an authorized return that has units awaits it; only completed orders have returns
-- table: return_authorizations
SELECT r.id, r.order_id, format('%s is %s, its order is %s', r.number, r.state, o.state) AS detail
  FROM return_authorizations r JOIN orders o ON o.id = r.order_id
 WHERE o.state NOT IN ${SOLD_AND_KEPT} AND r.state <> 'canceled'
    OR r.state = 'authorized' AND o.state <> 'awaiting_return'
       AND EXISTS (SELECT FROM inventory_units u WHERE u.return_authorization_id = r.id)

-- invariant: waiting_orders_have_open_returns
-- rule: An order awaits a return only while an authorized return has units
-- table: orders
SELECT o.id, o.id AS order_id, o.number || ' awaits a return, but none is open' AS detail
  FROM orders o
 WHERE o.state = 'awaiting_return'
   AND NOT EXISTS (SELECT FROM return_authorizations r JOIN inventory_units u ON u.return_authorization_id = r.id
                    WHERE r.order_id = o.id AND r.state = 'authorized')

-- invariant: returned_orders_came_back
-- rule: A returned order has returned units
-- table: orders
SELECT o.id, o.id AS order_id, o.number || ' has no returned unit' AS detail
  FROM orders o
 WHERE o.state = 'returned'
   AND NOT EXISTS (SELECT FROM inventory_units u WHERE u.order_id = o.id AND u.state = 'returned')
