import { BEING_COMPLETED, selectLastId, SOLD_AND_KEPT, type Invariant } from './invariant';

/** Places that have only ever had one stock item. Units of a deleted stock item have no movements. */
const PLACES = `
  SELECT stock_location_id, variant_id, min(id) AS item_id, min(created_at) AS since
    FROM stock_items GROUP BY stock_location_id, variant_id
  HAVING count(*) = 1 AND bool_and(deleted_at IS NULL)`;

/** Invariants of stock. */
export const stockInvariants: readonly Invariant[] = [
  {
    name: 'count_is_sum_of_movements',
    rule: 'The count on hand of a stock item is the sum of its counted movements',
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
    rule: 'No more units are backordered than the count on hand of their stock item is below zero',
    table: 'stock_items',
    sql: `
      SELECT item.id, NULL::integer AS order_id,
             format('counts %s while %s units are backordered', item.count_on_hand, waiting.quantity) AS detail
        FROM stock_items item
        JOIN (SELECT s.stock_location_id, u.variant_id, count(*) AS quantity, min(u.created_at) AS since
                FROM inventory_units u
                JOIN shipments s ON s.id = u.shipment_id AND s.state <> 'canceled'
                JOIN orders o ON o.id = u.order_id AND o.state IN ${SOLD_AND_KEPT}
               WHERE u.state = 'backordered'
               GROUP BY s.stock_location_id, u.variant_id) waiting
          ON waiting.stock_location_id = item.stock_location_id AND waiting.variant_id = item.variant_id
       WHERE item.deleted_at IS NULL
         -- An item that replaces a deleted one does not take over its backorders.
         AND item.created_at <= waiting.since
         AND waiting.quantity > greatest(-item.count_on_hand, 0)`,
  },
  {
    name: 'sales_are_moved',
    rule: 'For each order, the units that its shipments took from a place are the units that it holds from there',
    table: 'stock_items',
    // An emptied shipment is deleted, but its movements are kept. With such movements only the sum can be checked.
    sql: `
      SELECT balance.item_id AS id, balance.order_id,
             format('%s: holds %s units, its shipments moved %s',
                    coalesce('order ' || balance.order_id, 'deleted shipments'), balance.held, balance.moved) AS detail
        FROM (SELECT place.item_id, entry.order_id, entry.held, entry.moved,
                     bool_or(entry.order_id IS NULL) OVER same_place AS has_gone,
                     sum(entry.held + entry.moved) OVER same_place AS difference
                FROM (SELECT stock_location_id, variant_id, order_id, sum(held) AS held, sum(moved) AS moved,
                             min(since) AS since
                        FROM (SELECT s.stock_location_id, u.variant_id, u.order_id, 1 AS held, 0 AS moved,
                                     u.created_at AS since
                                FROM inventory_units u
                                -- The units of imported shipments left before the import.
                                JOIN shipments s ON s.id = u.shipment_id AND s.state <> 'canceled' AND NOT s.is_imported
                                JOIN orders o ON o.id = u.order_id
                               WHERE o.state IN ${SOLD_AND_KEPT} OR o.completed_at IS NULL AND ${BEING_COMPLETED}
                              UNION ALL
                              SELECT i.stock_location_id, i.variant_id, s.order_id, 0, m.quantity, NULL
                                FROM stock_movements m
                                JOIN stock_items i ON i.id = m.stock_item_id
                                LEFT JOIN shipments s ON s.id = m.originator_id
                               WHERE m.originator_type = 'Store::Shipment') single
                       GROUP BY stock_location_id, variant_id, order_id) entry
                JOIN (${PLACES}) place USING (stock_location_id, variant_id)
               -- Units that were sold before the place had a stock item have no movements.
               WHERE entry.since IS NULL OR entry.since >= place.since
              WINDOW same_place AS (PARTITION BY place.item_id)) balance
       WHERE balance.held + balance.moved <> 0
         AND (NOT balance.has_gone OR balance.difference <> 0
              OR balance.order_id IS NOT NULL AND balance.held + balance.moved < 0)`,
  },
  {
    name: 'returns_are_moved',
    rule: 'The units that a received return restocked are the units that were returned with it',
    table: 'stock_items',
    sql: `
      SELECT place.item_id AS id, r.order_id,
             format('%s: %s units were returned, %s were restocked', r.number, sum(entry.held), sum(entry.moved)) AS detail
        FROM (SELECT u.return_authorization_id AS return_id, u.variant_id, 1 AS held, 0 AS moved, NULL::integer AS at
                FROM inventory_units u WHERE u.state = 'returned' AND u.return_authorization_id IS NOT NULL
              UNION ALL
              SELECT m.originator_id, i.variant_id, 0, m.quantity, i.stock_location_id
                FROM stock_movements m JOIN stock_items i ON i.id = m.stock_item_id
               WHERE m.originator_type = 'Store::ReturnAuthorization') entry
        JOIN return_authorizations r ON r.id = entry.return_id
        JOIN (${PLACES}) place
          ON place.stock_location_id = coalesce(entry.at, r.stock_location_id) AND place.variant_id = entry.variant_id
         AND place.since <= r.updated_at
       GROUP BY place.item_id, r.id
      HAVING sum(entry.held) <> sum(entry.moved)`,
  },
  {
    name: 'movements_have_their_originator',
    rule: 'The originator of a movement exists, unless it is a shipment that was emptied and deleted',
    table: 'stock_movements',
    sql: `
      SELECT m.id, NULL::integer AS order_id, format('caused by %s %s', m.originator_type, m.originator_id) AS detail
        FROM stock_movements m
       WHERE CASE m.originator_type
               WHEN 'Store::Shipment' THEN m.originator_id > ${selectLastId('shipments')}
               WHEN 'Store::ReturnAuthorization'
                 THEN NOT EXISTS (SELECT FROM return_authorizations r WHERE r.id = m.originator_id)
               WHEN 'Store::Variant' THEN NOT EXISTS (SELECT FROM variants v WHERE v.id = m.originator_id)
               ELSE m.originator_type IS NOT NULL END`,
  },
];
