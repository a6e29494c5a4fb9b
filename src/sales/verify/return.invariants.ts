import { CURRENCY_BINDINGS, SOLD_AND_KEPT, selectRoundingDigits, type Invariant } from './invariant';

/** Received returns with the id of their receipt in the history, which determines their order. */
const RECEIVED = `
  SELECT r.id, r.order_id, r.number, r.amount, receipt.turn, receipt.at
    FROM return_authorizations r
    LEFT JOIN LATERAL (
      SELECT max(c.id) AS turn, max(c.created_at) AS at FROM state_changes c
       WHERE c.order_id = r.order_id AND c.subject_type = 'return_authorization' AND c.subject_id = r.id
         AND c.to_state = 'received') receipt ON true
   WHERE r.state = 'received'`;

/** For each received return, the cost of its units after the adjustments of their line items. Shares add up to the line item. */
const SHARES = `
  SELECT held.return_id, sum(round(held.total * held.upto / held.quantity, held.unit)
                           - round(held.total * (held.upto - held.units) / held.quantity, held.unit)) AS amount
    FROM (SELECT tally.return_id, tally.units, line.quantity, line.price * line.quantity + line.adjustment_total AS total,
                 ${selectRoundingDigits('o.currency')} AS unit,
                 sum(tally.units) OVER (PARTITION BY line.id ORDER BY tally.turn, tally.return_id) AS upto
            FROM (SELECT received.id AS return_id, received.turn, u.line_item_id, count(*) AS units
                    FROM received JOIN inventory_units u ON u.return_authorization_id = received.id
                   GROUP BY received.id, received.turn, u.line_item_id) tally
            JOIN line_items line ON line.id = tally.line_item_id
            JOIN orders o ON o.id = line.order_id) held
   GROUP BY held.return_id`;

/** Invariants of returns, their units and their credits. */
export const returnInvariants: readonly Invariant[] = [
  {
    name: 'returned_units_came_back',
    rule: 'A returned unit belongs to a received return, or was returned individually after it was shipped',
    table: 'inventory_units',
    // A unit that was returned individually has two counted updates: shipped, then returned.
    sql: `
      SELECT u.id, u.order_id, format('returned without a return, version %s', u.lock_version) AS detail
        FROM inventory_units u
       WHERE u.state = 'returned' AND u.return_authorization_id IS NULL AND u.lock_version < 2`,
  },
  {
    name: 'received_returns_have_units',
    rule: 'A received return has at least one unit',
    table: 'return_authorizations',
    sql: `
      SELECT r.id, r.order_id, r.number || ' has no units' AS detail
        FROM return_authorizations r
       WHERE r.state = 'received'
         AND NOT EXISTS (SELECT FROM inventory_units u WHERE u.return_authorization_id = r.id)`,
  },
  {
    name: 'returns_are_credited_once',
    rule: 'A received return has at most one credit, in its own order; any other return has none',
    table: 'return_authorizations',
    sql: `
      SELECT r.id, r.order_id, format('%s is %s and has %s credits', r.number, r.state, count(*)) AS detail
        FROM return_authorizations r
        JOIN adjustments a ON a.source_type = 'Store::ReturnAuthorization' AND a.source_id = r.id
       GROUP BY r.id
      HAVING r.state <> 'received' OR count(*) > 1 OR bool_or(a.order_id <> r.order_id)`,
  },
  {
    name: 'returns_are_credited_in_full',
    rule: 'The credit of a received return is its amount, or without one the share of its units, up to the order total',
    table: 'return_authorizations',
    // A share is checked only if no line item has changed since the receipt, as earlier costs are not stored.
    sql: `
      WITH received AS MATERIALIZED (${RECEIVED})
      SELECT r.id, r.order_id,
             format('%s: credited %s, its amount is %s, its units cost %s', r.number, r.credit, r.amount, r.share) AS detail
        FROM (SELECT received.*, -coalesce(credit.amount, 0) AS credit, coalesce(share.amount, 0) AS share,
                     o.total - coalesce(sum(credit.amount) OVER later, 0) AS total_before,
                     NOT EXISTS (SELECT FROM line_items line
                                  WHERE line.order_id = o.id AND line.updated_at > received.at) AS lines_stand
                FROM received
                JOIN orders o ON o.id = received.order_id
                LEFT JOIN (${SHARES}) share ON share.return_id = received.id
                LEFT JOIN (SELECT source_id, sum(amount) AS amount FROM adjustments
                            WHERE source_type = 'Store::ReturnAuthorization' GROUP BY source_id) credit
                  ON credit.source_id = received.id
              WINDOW later AS (PARTITION BY received.order_id ORDER BY received.turn DESC)) r
       WHERE CASE WHEN r.amount > 0 THEN r.credit <> r.amount
                  WHEN NOT r.lines_stand THEN false
                  ELSE r.credit > r.share OR (r.credit < r.share AND r.credit < r.total_before) END`,
    bindings: CURRENCY_BINDINGS,
  },
  {
    name: 'open_returns_keep_their_order_waiting',
    rule: 'An order with an authorized return that has units awaits it; only completed orders have returns',
    table: 'return_authorizations',
    sql: `
      SELECT r.id, r.order_id, format('%s is %s, its order is %s', r.number, r.state, o.state) AS detail
        FROM return_authorizations r JOIN orders o ON o.id = r.order_id
       WHERE o.state NOT IN ${SOLD_AND_KEPT} AND r.state <> 'canceled'
          OR r.state = 'authorized' AND o.state <> 'awaiting_return'
             AND EXISTS (SELECT FROM inventory_units u WHERE u.return_authorization_id = r.id)`,
  },
  {
    name: 'returned_orders_came_back',
    rule: 'A returned order has returned units',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, o.number || ' has no returned unit' AS detail
        FROM orders o
       WHERE o.state = 'returned'
         AND NOT EXISTS (SELECT FROM inventory_units u WHERE u.order_id = o.id AND u.state = 'returned')`,
  },
];
