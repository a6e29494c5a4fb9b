-- Invariants of stock.

-- part: ALL_PLACES
-- Places with the stock items they have had. `is_single`: only ever one. At other places the movements of uncounted
-- sales may be missing, and units that returned to a deleted item are recorded but not counted.
SELECT stock_location_id, variant_id, min(id) AS item_id, min(created_at) AS since,
       count(*) = 1 AND bool_and(deleted_at IS NULL) AS is_single
  FROM stock_items GROUP BY stock_location_id, variant_id

-- part: PLACES
-- Places that have only ever had one stock item.
SELECT * FROM (${ALL_PLACES}) place WHERE is_single

-- part: HELD_AND_MOVED
-- For each order and place, the units that it holds from there, and the movements of its shipments there; `counted_`
-- are those that changed a count. Shipments that left before they were recorded are imported; their units never were in
-- stock.
SELECT stock_location_id, variant_id, order_id, sum(held) AS held, sum(moved) AS moved,
       sum(held) FILTER (WHERE counted) AS counted_held, sum(moved) FILTER (WHERE counted) AS counted_moved,
       min(since) FILTER (WHERE NOT counted) AS since,
       bool_or(NOT counted AND (held > 0 OR moved < 0)) AS has_uncounted
  FROM (SELECT s.stock_location_id, u.variant_id, u.order_id, 1 AS held, 0 AS moved, u.counted, u.created_at AS since
          FROM inventory_units u
          -- The units of imported shipments left before the import.
          JOIN shipments s ON s.id = u.shipment_id AND s.state <> 'canceled' AND NOT s.is_imported
          JOIN orders o ON o.id = u.order_id
         WHERE o.state IN ${SOLD_AND_KEPT} OR o.completed_at IS NULL AND ${BEING_COMPLETED}
        UNION ALL
        SELECT i.stock_location_id, i.variant_id, coalesce(s.order_id, gone.order_id), 0, m.quantity, m.counted, NULL
          FROM stock_movements m
          JOIN stock_items i ON i.id = m.stock_item_id
          LEFT JOIN shipments s ON s.id = m.originator_id
          LEFT JOIN (SELECT DISTINCT subject_id AS shipment_id, order_id FROM order_changes
                      WHERE subject_type = 'shipment') gone
            ON s.id IS NULL AND gone.shipment_id = m.originator_id
         WHERE m.originator_type = 'Store::Shipment') single
 GROUP BY stock_location_id, variant_id, order_id

-- invariant: count_is_sum_of_movements
-- rule: The count on hand of a stock item is the sum of its counted movements
-- table: stock_items
SELECT item.id, NULL::integer AS order_id,
       format('counts %s, its movements come to %s', item.count_on_hand, coalesce(moved.quantity, 0)) AS detail
  FROM stock_items item
  LEFT JOIN (SELECT stock_item_id, sum(quantity) AS quantity FROM stock_movements WHERE counted
              GROUP BY stock_item_id) moved ON moved.stock_item_id = item.id
 WHERE item.count_on_hand <> coalesce(moved.quantity, 0)

-- invariant: stock_items_are_in_the_feed
-- rule: The feed has every stock item at the time of its last change
-- table: stock_items
SELECT item.id, NULL::integer AS order_id,
       format('changed at %s, the feed says %s', item.updated_at, change.updated_at) AS detail
  FROM stock_items item
  LEFT JOIN stock_item_changes change ON change.stock_item_id = item.id
 WHERE (change.updated_at, change.stock_location_id)
       IS DISTINCT FROM (item.updated_at, item.stock_location_id)

-- invariant: backorders_are_owed
-- rule: No more units are backordered than the count on hand of their stock item is below zero
-- table: stock_items
SELECT item.id, NULL::integer AS order_id,
       format('counts %s while %s units are backordered', item.count_on_hand, waiting.quantity) AS detail
  FROM stock_items item
  JOIN (SELECT s.stock_location_id, u.variant_id, count(*) AS quantity
          FROM inventory_units u
          JOIN shipments s ON s.id = u.shipment_id AND s.state <> 'canceled'
          JOIN orders o ON o.id = u.order_id AND o.state IN ${SOLD_AND_KEPT}
         WHERE u.state = 'backordered'
         GROUP BY s.stock_location_id, u.variant_id) waiting
    ON waiting.stock_location_id = item.stock_location_id AND waiting.variant_id = item.variant_id
 WHERE item.deleted_at IS NULL
   AND waiting.quantity > greatest(-item.count_on_hand, 0)

-- invariant: sales_are_moved
-- rule: For each order, the units that its shipments took from a place are the units that it holds from there, and those that were counted are those whose sale counted
-- table: stock_items
-- An emptied shipment is deleted, but its movements are kept. The history of a sold order tells whose it was; where it
-- does not, only the sums can be checked, because units may have come from another shipment of their order.
SELECT balance.item_id AS id, balance.order_id,
       format('%s: holds %s units (%s counted), its shipments moved %s (%s counted)',
              coalesce('order ' || balance.order_id, 'deleted shipments'),
              balance.held, balance.counted_held, balance.moved, balance.counted_moved) AS detail
  FROM (SELECT place.item_id, place.is_single, entry.order_id, entry.held, entry.moved,
               coalesce(entry.counted_held, 0) AS counted_held,
               coalesce(entry.counted_moved, 0) AS counted_moved,
               bool_or(entry.has_uncounted) OVER same_place AS has_uncounted,
               bool_or(entry.order_id IS NULL) OVER same_place AS has_gone,
               sum(entry.held + entry.moved) OVER same_place AS difference,
               sum(coalesce(entry.counted_held, 0) + coalesce(entry.counted_moved, 0)) OVER same_place
                 AS counted_difference
          FROM (${HELD_AND_MOVED}) entry
          JOIN (${ALL_PLACES}) place USING (stock_location_id, variant_id)
         -- Units that were sold without tracking before the place had a stock item have no movements.
         WHERE entry.since IS NULL OR entry.since >= place.since
        WINDOW same_place AS (PARTITION BY place.item_id)) balance
 WHERE (balance.is_single OR NOT balance.has_uncounted)
   AND (balance.held + balance.moved <> 0
        AND (NOT balance.has_gone OR balance.difference <> 0)
        OR balance.is_single AND balance.counted_held + balance.counted_moved <> 0
        AND (NOT balance.has_gone OR balance.counted_difference <> 0))

-- invariant: returns_are_moved
-- rule: The units that a received return restocked are the units that were returned with it to be restocked
-- table: stock_items
SELECT place.item_id AS id, r.order_id,
       format('%s: %s units were returned, %s were restocked', r.number, sum(entry.held), sum(entry.moved)) AS detail
  FROM (SELECT u.return_authorization_id AS return_id, u.variant_id, 1 AS held, 0 AS moved, NULL::integer AS at
          FROM inventory_units u WHERE u.state = 'returned' AND u.return_authorization_id IS NOT NULL
           AND NOT EXISTS (SELECT FROM return_items item
                            WHERE item.return_authorization_id = u.return_authorization_id
                              AND item.line_item_id = u.line_item_id AND NOT item.restock)
        UNION ALL
        SELECT m.originator_id, i.variant_id, 0, m.quantity, i.stock_location_id
          FROM stock_movements m JOIN stock_items i ON i.id = m.stock_item_id
         WHERE m.originator_type = 'Store::ReturnAuthorization') entry
  JOIN return_authorizations r ON r.id = entry.return_id
  JOIN (${PLACES}) place
    ON place.stock_location_id = coalesce(entry.at, r.stock_location_id) AND place.variant_id = entry.variant_id
   AND place.since <= r.updated_at
 GROUP BY place.item_id, r.id
HAVING sum(entry.held) <> sum(entry.moved)

-- invariant: returns_count_as_sold
-- rule: Units that a received return restocked are counted if and only if their sale was
-- table: stock_items
SELECT place.item_id AS id, r.order_id,
       format('%s: %s units were counted when they were sold, %s when they returned', r.number,
              sum(entry.counted_held), sum(entry.counted_moved)) AS detail
  FROM (SELECT u.return_authorization_id AS return_id, u.variant_id, 1 AS held, u.counted::integer AS counted_held,
               0 AS moved, 0 AS counted_moved, NULL::integer AS at
          FROM inventory_units u WHERE u.state = 'returned' AND u.return_authorization_id IS NOT NULL
        UNION ALL
        SELECT m.originator_id, i.variant_id, 0, 0, m.quantity, CASE WHEN m.counted THEN m.quantity ELSE 0 END,
               i.stock_location_id
          FROM stock_movements m JOIN stock_items i ON i.id = m.stock_item_id
         WHERE m.originator_type = 'Store::ReturnAuthorization') entry
  JOIN return_authorizations r ON r.id = entry.return_id
  JOIN (${PLACES}) place
    ON place.stock_location_id = coalesce(entry.at, r.stock_location_id) AND place.variant_id = entry.variant_id
   AND place.since <= r.updated_at
 GROUP BY place.item_id, r.id
HAVING sum(entry.counted_moved) > sum(entry.counted_held)
    OR sum(entry.moved) = sum(entry.held) AND sum(entry.counted_moved) <> sum(entry.counted_held)

-- invariant: taken_over_units_were_owed
-- rule: A stock item takes over no more units than its deleted predecessor at the same place owed
-- table: stock_movements
SELECT m.id, NULL::integer AS order_id,
       format('takes over %s units of stock item %s', -m.quantity, m.originator_id) AS detail
  FROM stock_movements m
  JOIN stock_items item ON item.id = m.stock_item_id
  LEFT JOIN stock_items former
    ON former.id = m.originator_id AND former.deleted_at IS NOT NULL AND former.id <> item.id
   AND former.stock_location_id = item.stock_location_id AND former.variant_id = item.variant_id
 WHERE m.originator_type = 'Store::StockItem'
   AND (former.id IS NULL OR m.quantity >= 0
        OR -m.quantity > (SELECT coalesce(max(removed.quantity), 0) FROM stock_movements removed
                           WHERE removed.stock_item_id = former.id AND removed.action = 'removed'
                             AND removed.originator_type IS NULL))

-- invariant: movements_have_their_originator
-- rule: The originator of a movement exists, unless it is a shipment that was emptied and deleted
-- table: stock_movements
SELECT m.id, NULL::integer AS order_id, format('caused by %s %s', m.originator_type, m.originator_id) AS detail
  FROM stock_movements m
 WHERE CASE m.originator_type
         WHEN 'Store::Shipment' THEN m.originator_id > coalesce(pg_sequence_last_value(pg_get_serial_sequence('shipments', 'id')::regclass), 0)
         WHEN 'Store::ReturnAuthorization'
           THEN NOT EXISTS (SELECT FROM return_authorizations r WHERE r.id = m.originator_id)
         WHEN 'Store::StockItem' THEN NOT EXISTS (SELECT FROM stock_items i WHERE i.id = m.originator_id)
         WHEN 'Store::Variant' THEN NOT EXISTS (SELECT FROM variants v WHERE v.id = m.originator_id)
         ELSE m.originator_type IS NOT NULL END
