import { CURRENCY_BINDINGS, selectRoundingDigits, type Invariant } from './invariant';

/**
 * A condition: adjustment `a` can be compared with the current cost of its line item or shipment `part`. Completed orders
 * keep their amounts when the part changes later. If adjustments stored the rate and the price they were calculated
 * from, this condition and those on `updated_at` of rates and actions would not be needed.
 */
const PART_STANDS = `
  (o.completed_at IS NULL OR part.updated_at <= greatest(o.completed_at, a.updated_at))`;

/** The line item or shipment of adjustment `a`. */
const PART = `
  CROSS JOIN LATERAL (
    SELECT price * quantity AS price, updated_at FROM line_items WHERE id = a.line_item_id
    UNION ALL SELECT cost, updated_at FROM shipments WHERE id = a.shipment_id) part`;

/** Values from the other adjustments of the same part: its discounts, and the rates that its price includes. */
const SIBLINGS = `
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(other.amount) FILTER (
             WHERE other.source_type = 'Store::PromotionAction' AND other.eligible), 0) AS discount,
           coalesce(sum(r.amount) FILTER (WHERE r.included_in_price), 0) AS included_rates,
           bool_and(r.id IS NULL OR r.updated_at <= other.created_at) AS rates_stand
      FROM adjustments other
      LEFT JOIN tax_rates r ON other.source_type = 'Store::TaxRate' AND r.id = other.source_id
     WHERE other.line_item_id = a.line_item_id OR other.shipment_id = a.shipment_id) siblings`;

/** Invariants of taxes and discounts. */
export const adjustmentInvariants: readonly Invariant[] = [
  {
    name: 'adjustments_are_made_once',
    rule: 'A line item, a shipment or an order has at most one adjustment of each source',
    table: 'adjustments',
    sql: `
      SELECT min(a.id) AS id, a.order_id, format('%s of %s %s', count(*), a.source_type, a.source_id) AS detail
        FROM adjustments a
       WHERE a.source_type IS NOT NULL
       GROUP BY a.order_id, a.line_item_id, a.shipment_id, a.source_type, a.source_id
      HAVING count(*) > 1`,
  },
  {
    name: 'taxes_are_what_their_rate_gives',
    rule: 'A tax is its rate times the discounted price; checked unless rate, line item or shipment have changed since',
    table: 'adjustments',
    sql: `
      SELECT a.id, a.order_id, format('%s: %s instead of %s', a.label, a.amount, due.amount) AS detail
        FROM adjustments a
        JOIN orders o ON o.id = a.order_id
        JOIN tax_rates rate ON rate.id = a.source_id AND rate.deleted_at IS NULL
        ${PART}
        ${SIBLINGS}
        CROSS JOIN LATERAL (
          SELECT CASE WHEN rate.included_in_price AND NOT a.included THEN -1 ELSE 1 END
                 * round((part.price + siblings.discount) * rate.amount
                         / (1 + CASE WHEN rate.included_in_price THEN siblings.included_rates ELSE 0 END),
                         ${selectRoundingDigits('o.currency')}) AS amount) due
       WHERE a.source_type = 'Store::TaxRate' AND a.eligible
         AND rate.updated_at <= a.created_at AND siblings.rates_stand AND ${PART_STANDS}
         AND (a.amount <> due.amount OR a.included AND NOT rate.included_in_price)`,
    bindings: CURRENCY_BINDINGS,
  },
  {
    name: 'discounts_are_what_their_action_gives',
    rule: 'A discount of a line item or shipment is the amount of its action; checked unless they have changed since',
    table: 'adjustments',
    sql: `
      SELECT a.id, a.order_id, format('%s: %s instead of %s', a.label, a.amount, due.amount) AS detail
        FROM adjustments a
        JOIN orders o ON o.id = a.order_id
        JOIN promotion_actions action ON action.id = a.source_id
        ${PART}
        CROSS JOIN LATERAL (
          SELECT -least(part.price, CASE action.type
                   WHEN 'line_percent' THEN round(part.price * action.percent / 100, ${selectRoundingDigits('o.currency')})
                   WHEN 'line_amount' THEN round(action.amount, ${selectRoundingDigits('o.currency')})
                   ELSE part.price END) AS amount) due
       WHERE a.source_type = 'Store::PromotionAction' AND a.eligible
         AND action.type IN ('line_percent', 'line_amount', 'free_shipping')
         AND action.updated_at <= a.created_at AND ${PART_STANDS}
         AND a.amount <> due.amount`,
    bindings: CURRENCY_BINDINGS,
  },
  {
    name: 'order_discounts_are_what_their_action_gives',
    rule: 'The shares of a discount on a whole order add up to the amount of its action; a completed order may have lost some',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, format('%s: %s instead of %s', o.number, -shared.amount, due.amount) AS detail
        FROM (SELECT a.order_id, a.source_id, sum(a.amount) AS amount, min(a.created_at) AS since,
                     max(a.updated_at) AS upto
                FROM adjustments a
               WHERE a.source_type = 'Store::PromotionAction' AND a.eligible AND a.line_item_id IS NOT NULL
               GROUP BY a.order_id, a.source_id) shared
        JOIN orders o ON o.id = shared.order_id
        JOIN promotion_actions action
          ON action.id = shared.source_id AND action.type IN ('order_percent', 'order_amount')
         AND action.updated_at <= shared.since
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(line.price * line.quantity), 0) AS price, count(*) AS count, max(line.updated_at) AS at,
                 coalesce(sum(line.price * line.quantity), 0) + coalesce(sum((
                   SELECT sum(own.amount) FROM adjustments own JOIN promotion_actions act ON act.id = own.source_id
                    WHERE own.line_item_id = line.id AND own.source_type = 'Store::PromotionAction' AND own.eligible
                      AND act.type IN ('line_percent', 'line_amount'))), 0) AS left
            FROM line_items line WHERE line.order_id = o.id) lines
        CROSS JOIN LATERAL (
          SELECT least(lines.left, round(CASE action.type WHEN 'order_percent' THEN lines.price * action.percent / 100
                                                          ELSE action.amount END, ${selectRoundingDigits('o.currency')})) AS amount,
                 power(10::numeric, -${selectRoundingDigits('o.currency')}) * lines.count AS tolerance) due
       WHERE CASE WHEN o.completed_at IS NULL THEN -shared.amount <> due.amount
                  WHEN action.type = 'order_amount' THEN -shared.amount > action.amount
                  ELSE lines.at <= greatest(o.completed_at, shared.upto)
                       AND -shared.amount > due.amount + due.tolerance END`,
    bindings: CURRENCY_BINDINGS,
  },
];
