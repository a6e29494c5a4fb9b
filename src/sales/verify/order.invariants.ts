import { SOLD, type Invariant } from './invariant';

/** Selects the sums of eligible adjustments that meet a condition. Credits of returns reduce the taxes. */
const ADJUSTMENT_SUMS = (whose: string): string => `
  SELECT coalesce(sum(amount) FILTER (WHERE NOT included), 0) AS adjustment_total,
         coalesce(sum(amount) FILTER (WHERE NOT included AND source_type = 'Store::PromotionAction'), 0) AS promo_total,
         coalesce(sum(amount) FILTER (WHERE included AND source_type = 'Store::TaxRate'), 0)
           - coalesce(sum(included_tax), 0) AS included_tax_total,
         coalesce(sum(amount) FILTER (WHERE NOT included AND source_type = 'Store::TaxRate'), 0)
           - coalesce(sum(additional_tax), 0) AS additional_tax_total
    FROM adjustments WHERE eligible AND ${whose}`;

const SUMS = ['adjustment_total', 'promo_total', 'included_tax_total', 'additional_tax_total'];

/** Builds `(stored, …) IS DISTINCT FROM (real, …)`. */
const compareColumns = (stored: string, columns: readonly string[]): string =>
  `(${columns.map((column) => `${stored}.${column}`).join(', ')})
     IS DISTINCT FROM (${columns.map((column) => `real.${column}`).join(', ')})`;
/** Builds the SQL of a text that lists the columns that differ. */
const describeDifferences = (stored: string, columns: readonly string[]): string =>
  `concat_ws(', ', ${columns
    .map(
      (column) =>
        `CASE WHEN ${stored}.${column} IS DISTINCT FROM real.${column}
              THEN format('${column} is %s instead of %s', ${stored}.${column}, real.${column}) END`,
    )
    .join(', ')})`;

const ORDER_SUMS = [...SUMS, 'item_total', 'ship_total', 'total', 'total_quantity'];

/** Invariants of orders, their line items and totals. */
export const orderInvariants: readonly Invariant[] = [
  {
    name: 'order_totals_are_sums',
    rule: 'The totals of an order are the sums of its line items, shipments and adjustments',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, o.number || ': ' || ${describeDifferences('o', ORDER_SUMS)} AS detail
        FROM orders o
        CROSS JOIN LATERAL (${ADJUSTMENT_SUMS('adjustments.order_id = o.id')}) adjusted
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(price * quantity), 0) AS item_total, coalesce(sum(quantity), 0) AS total_quantity
            FROM line_items WHERE line_items.order_id = o.id) lines
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(cost), 0) AS ship_total FROM shipments WHERE shipments.order_id = o.id) parcels
        CROSS JOIN LATERAL (
          SELECT adjusted.*, lines.*, parcels.*,
                 lines.item_total + parcels.ship_total + adjusted.adjustment_total AS total) real
       WHERE ${compareColumns('o', ORDER_SUMS)}`,
  },
  {
    name: 'line_totals_are_sums',
    rule: 'The totals of a line item are the sums of its adjustments',
    table: 'line_items',
    sql: `
      SELECT line.id, line.order_id, ${describeDifferences('line', SUMS)} AS detail
        FROM line_items line
        CROSS JOIN LATERAL (${ADJUSTMENT_SUMS('adjustments.line_item_id = line.id')}) real
       WHERE ${compareColumns('line', SUMS)}`,
  },
  {
    name: 'nothing_costs_less_than_nothing',
    rule: 'No line item and no shipment has a negative cost after its adjustments',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, o.number || ': ' || string_agg(part.detail, ', ') AS detail
        FROM orders o
        CROSS JOIN LATERAL (
          SELECT format('%s on line item %s of %s', adjustment_total, id, price * quantity) AS detail
            FROM line_items WHERE line_items.order_id = o.id AND price * quantity + adjustment_total < 0
          UNION ALL
          SELECT format('%s on shipment %s of %s', adjustment_total, id, cost)
            FROM shipments WHERE shipments.order_id = o.id AND cost + adjustment_total < 0) part
       GROUP BY o.id`,
  },
  {
    name: 'no_order_costs_less_than_nothing',
    rule: 'No order has a negative total, also after credits for returns',
    table: 'orders',
    sql: `
      SELECT id, id AS order_id, format('%s: %s', number, total) AS detail FROM orders WHERE total < 0`,
  },
  {
    name: 'adjustments_belong_to_their_order',
    rule: 'An adjustment belongs to a line item or shipment of its own order',
    table: 'adjustments',
    sql: `
      SELECT a.id, a.order_id, format('of order %s, on a part of order %s', a.order_id, part.order_id) AS detail
        FROM adjustments a
        CROSS JOIN LATERAL (
          SELECT order_id FROM line_items WHERE line_items.id = a.line_item_id
          UNION ALL SELECT order_id FROM shipments WHERE shipments.id = a.shipment_id) part
       WHERE part.order_id <> a.order_id`,
  },
  {
    name: 'sold_lines_have_their_units',
    rule: 'A line item of a completed order has as many inventory units as its quantity',
    table: 'line_items',
    sql: `
      SELECT line.id, line.order_id,
             format('%s: quantity %s, units %s', o.number, line.quantity, coalesce(units.count, 0)) AS detail
        FROM orders o
        JOIN line_items line ON line.order_id = o.id
        LEFT JOIN (SELECT line_item_id, count(*) AS count FROM inventory_units GROUP BY line_item_id) units
          ON units.line_item_id = line.id
       WHERE o.state IN ${SOLD} AND line.quantity <> coalesce(units.count, 0)`,
  },
  {
    name: 'sold_orders_are_stamped',
    rule: 'An order has completed_at and finalized units exactly if it has been completed',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, format('%s: %s, completed at %s', o.number, o.state, o.completed_at) AS detail
        FROM orders o
       WHERE (o.completed_at IS NOT NULL) <> (o.state IN ${SOLD})
          OR EXISTS (SELECT FROM inventory_units u WHERE u.order_id = o.id AND u.pending = (o.state IN ${SOLD}))`,
  },
];
