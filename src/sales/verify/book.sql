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
