-- Invariants of the books of sales.

-- invariant: books_equal_their_order
-- rule: The book entries of a completed order add up to it, those of a canceled or open order to nothing, besides refunds without a return
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s of %s with tax of %s and %s units, booked %s with %s and %s units', o.number, o.state, o.total,
              o.included_tax_total + o.additional_tax_total, o.total_quantity, booked.total, booked.tax, booked.units) AS detail
  FROM orders o
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(orders), 0) AS orders, coalesce(sum(units) FILTER (WHERE kind <> 'return'), 0) AS units,
          coalesce(sum(item_total), 0) AS item_total, coalesce(sum(ship_total), 0) AS ship_total,
          coalesce(sum(tax + relief), 0) AS tax, coalesce(sum(net + tax), 0) AS total
     FROM book_entries e WHERE e.order_id = o.id AND e.kind <> 'refund') booked
 CROSS JOIN LATERAL (SELECT (o.completed_at IS NOT NULL AND o.state <> 'canceled')::integer AS counts) sold
 WHERE (booked.orders, booked.units, booked.item_total, booked.ship_total, booked.tax, booked.total)
       <> (counts, counts * o.total_quantity, counts * o.item_total, counts * o.ship_total,
           counts * (o.included_tax_total + o.additional_tax_total), counts * o.total)

-- invariant: books_equal_their_documents
-- rule: The refunds in the books of an order are those of its documents, less what a return has explained
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: refunds of %s, booked %s', o.number, listed.total, booked.total) AS detail
  FROM (SELECT order_id FROM book_entries WHERE kind = 'refund'
         UNION
        SELECT order_id FROM documents WHERE entries @> '[{"kind": "refund"}]'
         UNION
        SELECT order_id FROM document_offsets WHERE entries @> '[{"kind": "refund"}]') refunded
  JOIN orders o ON o.id = refunded.order_id
 CROSS JOIN LATERAL (SELECT coalesce(sum(net + tax), 0) AS total FROM book_entries e
                      WHERE e.order_id = o.id AND e.kind = 'refund') booked
 CROSS JOIN LATERAL (SELECT coalesce(sum((entry ->> 'total')::numeric), 0) AS total
                       FROM jsonb_array_elements(list_documented_entries(o.id)) entry
                      WHERE entry ->> 'kind' = 'refund') listed
 WHERE o.completed_at IS NOT NULL AND booked.total <> listed.total

-- invariant: books_equal_their_documents_by_rate
-- rule: What the documents of an order list at each tax rate, net and tax, is what its book entries have at that rate, besides refunds without a return
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s with tax of %s at the rate %s, documents list %s with %s', o.number, differing.base, differing.tax,
              trim_scale(differing.rate), differing.listed_base, differing.listed_tax) AS detail
  FROM (SELECT order_id, rate, sum(base) AS base, sum(tax) AS tax, sum(listed_base) AS listed_base, sum(listed_tax) AS listed_tax
          FROM (SELECT order_id, tax_rate_id, rate, base, tax, 0 AS listed_base, 0 AS listed_tax
                  FROM book_entries WHERE kind <> 'refund' AND rate IS NOT NULL
                 UNION ALL
                SELECT listed.order_id, (charged ->> 'source')::integer, (charged ->> 'rate')::numeric, 0, 0,
                       (entry ->> 'net')::numeric, (charged ->> 'amount')::numeric
                  FROM (SELECT order_id, entries FROM documents
                         UNION ALL
                        SELECT order_id, entries FROM document_offsets) listed
                 CROSS JOIN LATERAL jsonb_array_elements(listed.entries) entry
                 CROSS JOIN LATERAL jsonb_array_elements(entry -> 'taxes') charged
                 WHERE entry ->> 'kind' <> 'refund') part
         GROUP BY order_id, tax_rate_id, rate
        HAVING (sum(base), sum(tax)) <> (sum(listed_base), sum(listed_tax))) differing
  JOIN orders o ON o.id = differing.order_id
 WHERE o.completed_at IS NOT NULL AND EXISTS (SELECT FROM documents d WHERE d.order_id = o.id)

-- invariant: books_equal_their_documents_by_reason
-- rule: What the documents of an order list without tax for each reason is what its book entries have for it, besides refunds without a return
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s without tax as %s, documents list %s', o.number, differing.base, differing.reason, differing.listed) AS detail
  FROM (SELECT order_id, reason, sum(base) AS base, sum(listed) AS listed
          FROM (SELECT order_id, reason, base, 0 AS listed
                  FROM book_entries WHERE kind <> 'refund' AND rate IS NULL AND reason IS NOT NULL
                 UNION ALL
                SELECT written.order_id, entry ->> 'reason', 0, (entry ->> 'net')::numeric
                  FROM (SELECT order_id, entries FROM documents
                         UNION ALL
                        SELECT order_id, entries FROM document_offsets) written
                 CROSS JOIN LATERAL jsonb_array_elements(written.entries) entry
                 WHERE entry ->> 'kind' <> 'refund' AND entry -> 'taxes' = '[]' AND entry ->> 'reason' IS NOT NULL) part
         GROUP BY order_id, reason
        HAVING sum(base) <> sum(listed)) differing
  JOIN orders o ON o.id = differing.order_id
 WHERE o.completed_at IS NOT NULL AND EXISTS (SELECT FROM documents d WHERE d.order_id = o.id)

-- invariant: books_have_the_taxes_of_their_order
-- rule: What is booked at each tax rate, besides returns and refunds, is what the line items and shipments of the order are taxed at it
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: taxed %s at the tax rate %s of %s, booked %s; tax the order anew, or change it', o.number, differing.charged,
              differing.tax_rate_id, trim_scale(differing.rate), differing.booked) AS detail
  FROM (SELECT order_id, tax_rate_id, rate, sum(charged) AS charged, sum(booked) AS booked
          FROM (SELECT order_id, source_id AS tax_rate_id, rate, amount AS charged, 0 AS booked
                  FROM adjustments WHERE source_type = 'Store::TaxRate' AND eligible AND (included OR rate >= 0)
                 UNION ALL
                SELECT order_id, tax_rate_id, rate, 0, tax FROM book_entries WHERE kind NOT IN ('return', 'refund') AND rate IS NOT NULL) part
         GROUP BY order_id, tax_rate_id, rate
        HAVING sum(charged) <> sum(booked)) differing
  JOIN orders o ON o.id = differing.order_id
 WHERE o.completed_at IS NOT NULL AND o.state <> 'canceled'

-- invariant: books_equal_their_lines
-- rule: The units and amounts of each variant in the books of an order are those of its line item, and the discounts are those of the order
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: variant %s, %s units of %s, booked %s of %s; discounts of %s, booked %s', o.number, differing.variant_id, differing.units,
              differing.amount, differing.booked_units, differing.booked, o.promo_total, differing.discount) AS detail
  FROM (SELECT part.order_id, variant_id, sum(units) AS units, sum(amount) AS amount, sum(booked_units) AS booked_units,
               sum(booked) AS booked, sum(sum(discount)) OVER (PARTITION BY part.order_id) AS discount
          FROM (SELECT order_id, variant_id, quantity AS units, quantity * price AS amount, 0 AS booked_units, 0 AS booked, 0 AS discount
                  FROM line_items
                 UNION ALL
                SELECT order_id, variant_id, 0, 0, CASE kind WHEN 'line' THEN units ELSE 0 END,
                       CASE kind WHEN 'line' THEN item_total ELSE 0 END, discount_total
                  FROM book_entries WHERE kind <> 'refund') part
         GROUP BY part.order_id, variant_id) differing
  JOIN orders o ON o.id = differing.order_id
 WHERE o.completed_at IS NOT NULL AND o.state <> 'canceled'
   AND ((booked_units, booked) <> (units, amount) OR discount <> o.promo_total)

-- invariant: books_name_the_country
-- rule: What the books of an order have in another country than that of its ship address adds up to nothing
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s in country %s, sent to %s', o.number, booked.total, booked.country_id, place.country_id)
         AS detail
  FROM (SELECT order_id, country_id, sum(orders) AS orders, sum(net + tax) AS total FROM book_entries GROUP BY order_id, country_id
        HAVING sum(orders) <> 0 OR sum(net + tax) <> 0) booked
  JOIN orders o ON o.id = booked.order_id
  LEFT JOIN addresses place ON place.id = coalesce(o.ship_address_id, o.bill_address_id)
 WHERE booked.country_id IS DISTINCT FROM place.country_id

-- invariant: books_are_dated
-- rule: A sale is booked at its completion, and a later entry at a document, a return, a refund or a step of its order, with a tolerance of one day
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: completed at %s, booked at %s', o.number, o.completed_at, min(e.booked_at)) AS detail
  FROM book_entries e JOIN orders o ON o.id = e.order_id
 WHERE e.booked_at NOT BETWEEN o.completed_at - interval '1 day' AND o.completed_at + interval '1 day'
   AND NOT EXISTS (
     SELECT FROM (SELECT created_at FROM documents WHERE order_id = o.id
                   UNION ALL
                  SELECT created_at FROM document_offsets WHERE order_id = o.id
                   UNION ALL
                  SELECT created_at FROM order_changes WHERE order_id = o.id
                   UNION ALL
                  SELECT created_at FROM adjustments WHERE order_id = o.id AND source_type = 'Store::ReturnAuthorization'
                   UNION ALL
                  SELECT r.created_at FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = o.id
                   UNION ALL
                  SELECT created_at FROM state_changes WHERE order_id = o.id) made
      WHERE made.created_at BETWEEN e.booked_at - interval '1 day' AND e.booked_at + interval '1 day')
 GROUP BY o.id
UNION ALL
SELECT o.id, o.id, format('%s: completed at %s, the sale is booked at %s', o.number, o.completed_at, min(e.booked_at))
  FROM book_entries e JOIN orders o ON o.id = e.order_id
 WHERE e.kind = 'order'
 GROUP BY o.id
HAVING min(e.booked_at) NOT BETWEEN o.completed_at - interval '1 day' AND o.completed_at + interval '1 day'
