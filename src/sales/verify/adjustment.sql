-- Invariants of taxes and discounts.

-- part: PART
-- The line item or shipment of adjustment `a`.
CROSS JOIN LATERAL (
  SELECT price * quantity AS price FROM line_items WHERE id = a.line_item_id
  UNION ALL SELECT cost FROM shipments WHERE id = a.shipment_id) part

-- part: TAXABLE
-- The sum of the discounts and of the taxed manual adjustments on the same line item or shipment.
CROSS JOIN LATERAL (
  SELECT coalesce(sum(other.amount), 0) AS amount
    FROM adjustments other
   WHERE (other.source_type = 'Store::PromotionAction' AND other.eligible OR other.taxed)
     AND (other.line_item_id = a.line_item_id OR other.shipment_id = a.shipment_id)) taxable

-- part: DISCOUNT
-- The sum of the discounts on the same line item or shipment.
CROSS JOIN LATERAL (
  SELECT coalesce(sum(other.amount), 0) AS amount
    FROM adjustments other
   WHERE other.source_type = 'Store::PromotionAction' AND other.eligible
     AND (other.line_item_id = a.line_item_id OR other.shipment_id = a.shipment_id)) discount

-- part: COSTS_WHAT_WAS_CREDITED
-- Whether only returned units are left of the line item of adjustment `a`, and it costs what returns have credited for them. That may
-- differ from what as many units cost by the rounding, or by a flat discount of a line item that had been raised.
((abs(a.amount - CAST(due.amount AS numeric)) <= 2 * power(CAST(10 AS numeric), -${DIGITS})
    OR EXISTS (SELECT FROM adjustments flat
                WHERE flat.line_item_id = a.line_item_id AND flat.source_type = 'Store::PromotionAction' AND flat.eligible
                  AND flat.percent IS NULL))
    AND EXISTS (SELECT FROM line_items line JOIN return_items item ON item.line_item_id = line.id AND item.amount IS NOT NULL
                 WHERE line.id = a.line_item_id
                 GROUP BY line.id
                HAVING sum(item.quantity) = line.quantity AND bool_and(item.price = line.price)
                   AND (line.price * line.quantity + line.adjustment_total, line.included_tax_total)
                       = (sum(item.amount), sum(item.included_tax))
                   -- Without a discount, the tax is what was credited beyond the price.
                   AND (line.promo_total = 0 OR line.additional_tax_total = sum(item.additional_tax)))) IS TRUE

-- invariant: adjustments_are_made_once
-- rule: A line item, a shipment or an order has at most one adjustment of each source
-- table: adjustments
SELECT min(a.id) AS id, a.order_id, format('%s of %s %s', count(*), a.source_type, a.source_id) AS detail
  FROM adjustments a
 WHERE a.source_type IS NOT NULL
 GROUP BY a.order_id, a.line_item_id, a.shipment_id, a.source_type, a.source_id,
          CASE WHEN a.source_id IS NULL THEN a.rate END
HAVING count(*) > 1

-- invariant: sold_adjustments_are_closed
-- rule: The adjustments of completed orders are closed, and no others: closed ones follow what was sold
-- table: adjustments
SELECT a.id, a.order_id,
       format('%s is %s, %s', a.label, CASE WHEN a.closed THEN 'closed' ELSE 'open' END, o.number) AS detail
  FROM adjustments a JOIN orders o ON o.id = a.order_id
 WHERE a.closed <> (o.completed_at IS NOT NULL)

-- invariant: taxes_are_what_their_rate_gives
-- rule: A tax is the rate that it keeps times the discounted and adjusted price, the sum that its merged shipment keeps, or what returns have credited
-- table: adjustments
SELECT a.id, a.order_id, format('%s: %s instead of %s', a.label, a.amount, due.amount) AS detail
  FROM adjustments a
  JOIN orders o ON o.id = a.order_id
  ${PART}
  ${TAXABLE}
  CROSS JOIN LATERAL (
    SELECT CASE WHEN part.price + taxable.amount = a.sold_base THEN a.sold_amount
                ELSE round((part.price + taxable.amount) * a.rate / (1 + a.included_rates),
                           ${DIGITS}) END AS amount) due
 WHERE a.source_type = 'Store::TaxRate' AND a.eligible
   AND (a.amount IS DISTINCT FROM due.amount OR a.included AND a.rate < 0)
   AND NOT ${COSTS_WHAT_WAS_CREDITED}

-- invariant: discounts_are_what_they_keep
-- rule: A discount of a completed order is what it keeps of its action gives for its line item or shipment as it is now, or what returns have credited
-- table: adjustments
SELECT a.id, a.order_id, format('%s: %s instead of %s', a.label, a.amount, due.amount) AS detail
  FROM adjustments a
  JOIN orders o ON o.id = a.order_id
  ${PART}
  ${DISCOUNT}
  CROSS JOIN LATERAL (
    SELECT -round(CASE WHEN part.price = a.sold_base THEN -a.sold_amount
                      WHEN a.percent IS NOT NULL THEN part.price * a.percent / 100
                      WHEN part.price > a.sold_base THEN -a.sold_amount
                      ELSE -a.sold_amount * part.price / a.sold_base END,
                 ${DIGITS}) AS amount) due
 WHERE a.source_type = 'Store::PromotionAction' AND a.eligible AND o.completed_at IS NOT NULL
   -- Several discounts together take no more than the whole price.
   AND (due.amount IS NULL OR a.amount < due.amount
        OR a.amount > due.amount AND part.price + discount.amount > 0)
   AND NOT ${COSTS_WHAT_WAS_CREDITED}

-- invariant: discounts_are_what_their_action_gives
-- rule: A discount of a line item or shipment is, before changes of a completed order, the amount of its action
-- table: adjustments
SELECT a.id, a.order_id, format('%s: %s instead of %s', a.label, first.amount, due.amount) AS detail
  FROM adjustments a
  JOIN orders o ON o.id = a.order_id
  LEFT JOIN promotion_actions action ON action.id = a.source_id AND action.updated_at <= a.created_at
  ${PART}
  CROSS JOIN LATERAL (
    SELECT coalesce(a.sold_amount, a.amount) AS amount, coalesce(a.sold_base, part.price) AS base) first
  CROSS JOIN LATERAL (
    SELECT -least(first.base, CASE
             WHEN a.action_type IN ${PERCENT_ACTIONS}
               THEN round(first.base * a.percent / 100, ${DIGITS})
             WHEN a.action_type IN ${AMOUNT_ACTIONS}
               THEN round(action.amount, ${DIGITS})
             -- A shipment that took over the cost of another one keeps the part of it that was free.
             WHEN a.closed AND a.percent < 100
               THEN round(first.base * a.percent / 100, ${DIGITS})
             ELSE first.base END) AS amount) due
 WHERE a.source_type = 'Store::PromotionAction' AND a.eligible
   AND a.action_type NOT IN ${ORDER_ACTIONS}
   AND CASE WHEN a.action_type IN ${AMOUNT_ACTIONS}
              THEN action.id IS NOT NULL AND first.amount < due.amount
            ELSE first.amount <> due.amount END

-- invariant: order_discounts_are_what_their_action_gives
-- rule: The shares of a discount on a whole order add up to the amount of its action; a completed order may have lost some
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s instead of %s', o.number, -shared.amount, due.amount) AS detail
  FROM (SELECT a.order_id, a.source_id, sum(coalesce(a.sold_amount, a.amount)) AS amount, min(a.created_at) AS since
          FROM adjustments a
         WHERE a.source_type = 'Store::PromotionAction' AND a.eligible AND a.line_item_id IS NOT NULL
         GROUP BY a.order_id, a.source_id) shared
  JOIN orders o ON o.id = shared.order_id
  JOIN promotion_actions action
    ON action.id = shared.source_id AND action.type IN ${ORDER_ACTIONS}
   AND action.updated_at <= shared.since
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(line.price * line.quantity), 0) AS price,
           coalesce(sum(line.price * line.quantity), 0) + coalesce(sum((
             SELECT sum(own.amount) FROM adjustments own
              WHERE own.line_item_id = line.id AND own.source_type = 'Store::PromotionAction' AND own.eligible
                AND own.action_type IN ${LINE_ACTIONS})), 0) AS left
      FROM line_items line WHERE line.order_id = o.id) lines
  CROSS JOIN LATERAL (
    SELECT least(lines.left, round(CASE WHEN action.percent IS NOT NULL THEN lines.price * action.percent / 100
                                          ELSE action.amount END, ${DIGITS})) AS amount) due
 WHERE CASE WHEN o.completed_at IS NULL THEN -shared.amount <> due.amount
            WHEN action.amount IS NOT NULL THEN -shared.amount > action.amount END
