-- Invariants of invoices, corrections and credit notes.

-- invariant: sold_orders_have_an_invoice
-- rule: Every completed order has one invoice; an open order has none
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: %s, invoices %s', o.number, o.state, count(d.id)) AS detail
  FROM orders o LEFT JOIN documents d ON d.order_id = o.id AND d.kind = 'invoice'
 GROUP BY o.id
HAVING count(d.id) <> CASE WHEN o.completed_at IS NULL THEN 0 ELSE 1 END

-- invariant: documents_equal_their_order
-- rule: Invoice and corrections less credit notes are what the order is worth: its total, or nothing if it is canceled, less refunds that took back more
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s of %s, documents %s, refunds without a return %s', o.number, o.state, o.total, documents.total, documents.refunded) AS detail
  FROM orders o
  JOIN (SELECT d.order_id, sum(d.total) AS total, -coalesce(sum(taken.total), 0) AS refunded
          FROM (SELECT order_id, CASE kind WHEN 'credit_note' THEN -total ELSE total END AS total, entries FROM documents
                 UNION ALL
                SELECT order_id, 0, entries FROM document_offsets) d
         CROSS JOIN LATERAL (SELECT sum((entry ->> 'total')::numeric) AS total FROM jsonb_array_elements(d.entries) entry
                              WHERE entry ->> 'kind' = 'refund') taken
         GROUP BY d.order_id) documents ON documents.order_id = o.id
 WHERE documents.total <> CASE o.state WHEN 'canceled' THEN 0 ELSE o.total END - documents.refunded
    OR documents.refunded < 0
    OR documents.refunded > greatest(CASE o.state WHEN 'canceled' THEN 0 ELSE o.total END - o.payment_total, 0)

-- invariant: refunds_have_a_credit_note
-- rule: The credit note of a refund has the amount that no document had taken back before, in the order of the refund, and prints its time and reason
-- table: refunds
SELECT r.id, p.order_id, format('refund of %s, to be credited %s, credit note %s of %s in order %s', r.amount, credit.amount,
                                d.number, d.total, d.order_id) AS detail
  FROM refunds r
  JOIN payments p ON p.id = r.payment_id
  JOIN orders o ON o.id = p.order_id AND o.completed_at IS NOT NULL
  LEFT JOIN refund_credits credit ON credit.refund_id = r.id
  LEFT JOIN documents d ON d.refund_id = r.id AND d.kind = 'credit_note'
 WHERE credit.amount > r.amount OR credit.amount IS NULL AND r.created_at >= o.completed_at
    OR credit.amount > 0 AND (d.total, d.order_id) IS DISTINCT FROM (credit.amount, p.order_id)
    OR credit.amount = 0 AND d.id IS NOT NULL
    OR jsonb_exists(d.snapshot, 'version')
       AND (d.snapshot ->> 'reason' IS DISTINCT FROM r.reason
            OR abs(extract(epoch FROM (d.snapshot ->> 'refunded_at')::timestamptz - r.created_at)) > 0.001
               -- The demo store moves the times of its orders into the past, but documents do not change.
               AND EXISTS (SELECT FROM documents invoice
                            WHERE invoice.order_id = o.id AND invoice.kind = 'invoice'
                              AND invoice.created_at < o.completed_at + interval '1 hour'))

-- invariant: document_numbers_have_no_gaps
-- rule: The numbers of a series count from the first to the last number given, without gaps
-- table: documents
SELECT coalesce(max(d.id), 0) AS id, NULL::integer AS order_id,
       format('%s %s of store %s: %s documents, last number %s, counter %s',
              kind, series, store_id, count(d.id), max(d.sequence), max(counter.last_sequence)) AS detail
  FROM (SELECT id, kind, series, sequence, coalesce(store_id, 0) AS store_id FROM documents WHERE sequence IS NOT NULL) d
  FULL JOIN document_counters counter USING (store_id, kind, series)
 GROUP BY store_id, kind, series
HAVING count(DISTINCT d.sequence) <> count(d.id)
    OR (min(d.sequence), max(d.sequence), max(d.sequence) - min(d.sequence) + 1)
       IS DISTINCT FROM (max(counter.first_sequence), max(counter.last_sequence), count(d.id)::integer)

-- invariant: documents_have_their_number
-- rule: The number of a document is that of its series
-- table: documents
SELECT id, order_id, format('%s, number %s of %s', number, sequence, series) AS detail FROM documents
 WHERE number <> series || lpad(sequence::text, greatest(6, length(sequence::text)), '0')

-- invariant: documents_add_up
-- rule: The entries of a document, and its amounts by rate, add up to its total
-- table: documents
SELECT d.id, d.order_id, format('%s: %s, prints %s, entries %s, net %s, tax %s', d.number, d.total, d.snapshot ->> 'total',
                                entries.total, d.snapshot ->> 'net_total', d.snapshot ->> 'tax_total') AS detail
  FROM documents d
 CROSS JOIN LATERAL (
   SELECT coalesce(sum((entry ->> 'total')::numeric), 0) * CASE d.kind WHEN 'credit_note' THEN -1 ELSE 1 END AS total,
          count(*) FILTER (WHERE (entry ->> 'total')::numeric <> (entry ->> 'net')::numeric + (entry ->> 'tax')::numeric
                              OR (entry ->> 'tax')::numeric <> taxes.amount) AS wrong
     FROM jsonb_array_elements(d.entries) entry
    CROSS JOIN LATERAL (SELECT coalesce(sum((tax ->> 'amount')::numeric), 0) AS amount
                          FROM jsonb_array_elements(entry -> 'taxes') tax) taxes) entries
 CROSS JOIN LATERAL (
   SELECT coalesce(sum((rate ->> 'tax')::numeric), 0) AS tax,
          count(*) FILTER (WHERE (rate ->> 'total')::numeric <> (rate ->> 'net')::numeric + (rate ->> 'tax')::numeric) AS wrong
     FROM jsonb_array_elements(d.snapshot -> 'rates') rate) rates
 WHERE jsonb_exists(d.snapshot, 'version')
   AND (entries.wrong > 0 OR rates.wrong > 0 OR entries.total <> d.total OR (d.snapshot ->> 'total')::numeric <> d.total
        OR (d.snapshot ->> 'tax_total')::numeric <> rates.tax
        OR (d.snapshot ->> 'net_total')::numeric + (d.snapshot ->> 'tax_total')::numeric <> d.total)

-- invariant: document_offsets_cancel_out
-- rule: The entries of a change without a document add up to nothing at each rate
-- table: document_offsets
SELECT offsets.id, offsets.order_id, format('offset by rate %s', rates.sums) AS detail
  FROM document_offsets offsets
  JOIN orders o ON o.id = offsets.order_id
 CROSS JOIN LATERAL (SELECT sum_rates(offsets.entries, false, o.currency) AS sums) rates
 WHERE rates.sums <> '[]'

-- invariant: documents_name_their_order
-- rule: A document has the currency of its order, and prints its number and the time of its completion
-- table: documents
SELECT d.id, d.order_id,
       format('%s in %s prints %s of %s, order %s in %s of %s', d.number, d.currency, d.snapshot ->> 'order_number',
              d.snapshot ->> 'completed_at', o.number, o.currency, o.completed_at) AS detail
  FROM documents d JOIN orders o ON o.id = d.order_id
 WHERE d.currency <> o.currency OR d.snapshot ->> 'order_number' <> o.number
    OR abs(extract(epoch FROM (d.snapshot ->> 'completed_at')::timestamptz - o.completed_at)) > 0.001

-- invariant: documents_print_what_they_list
-- rule: The amounts by rate that a document prints are those of its entries, or are rounded once for the document, reduced rates apart
-- table: documents
SELECT id, order_id, format('%s prints %s with tax of %s at %s, its entries give %s with %s', number, printed_net, printed_tax,
                            coalesce(rate::text, reason, 'no rate'), net, tax) AS detail
  FROM (SELECT d.id, d.order_id, d.number, part.rate, part.reason, sum(part.net) AS net, sum(part.tax) AS tax,
               sum(part.printed_net) AS printed_net, sum(part.printed_tax) AS printed_tax,
               d.snapshot ->> 'tax_rounding' = 'document'
                 AND bool_and(part.printed_tax
                              = round_money((part.printed_net + part.printed_tax) * part.rate / (1 + part.rate), d.currency)) AS is_rounded
          FROM documents d
         CROSS JOIN LATERAL (
           SELECT (tax ->> 'rate')::numeric AS rate, CASE WHEN tax IS NULL THEN entry ->> 'reason' END AS reason,
                  sign.of * (entry ->> 'net')::numeric AS net, sign.of * coalesce((tax ->> 'amount')::numeric, 0) AS tax,
                  0 AS printed_net, 0 AS printed_tax
             FROM jsonb_array_elements(d.entries) entry
             LEFT JOIN LATERAL jsonb_array_elements(entry -> 'taxes') tax ON true
            CROSS JOIN (SELECT CASE d.kind WHEN 'credit_note' THEN -1 ELSE 1 END AS of) sign
            UNION ALL
           SELECT (rate ->> 'rate')::numeric, rate ->> 'reason', 0, 0, (rate ->> 'net')::numeric, (rate ->> 'tax')::numeric
             FROM jsonb_array_elements(d.snapshot -> 'rates') rate) part
         WHERE jsonb_exists(d.snapshot, 'tax_rounding')
         GROUP BY d.id, part.rate, part.reason) sums
 WHERE net + tax <> printed_net + printed_tax OR tax <> printed_tax AND is_rounded IS NOT TRUE

-- invariant: invoiced_lines_are_their_price
-- rule: The amount of a line of an invoice is its quantity at its price, with its discount, less the tax that is not charged
-- table: documents
SELECT d.id, d.order_id, format('%s: %s at %s with %s gives %s', d.number, entry ->> 'quantity', entry ->> 'price', entry ->> 'discount',
                                entry ->> 'total') AS detail
  FROM documents d
 CROSS JOIN LATERAL jsonb_array_elements(d.entries) entry
 CROSS JOIN LATERAL (SELECT coalesce(sum((tax ->> 'amount')::numeric) FILTER (WHERE (tax ->> 'included')::boolean), 0) AS amount
                       FROM jsonb_array_elements(entry -> 'taxes') tax) included
 WHERE d.kind = 'invoice' AND jsonb_exists(d.snapshot, 'tax_rounding') AND entry ->> 'kind' = 'line'
   AND (entry ->> 'quantity')::numeric * (entry ->> 'price')::numeric + (entry ->> 'discount')::numeric + (entry ->> 'relief')::numeric
       <> (entry ->> 'net')::numeric + included.amount

-- invariant: documents_name_their_invoice
-- rule: A correction and a credit note print the number and the time of the invoice that they change
-- table: documents
SELECT d.id, d.order_id, format('%s corrects %s of %s, the invoice is %s of %s', d.number, d.snapshot #>> '{invoice,number}',
                                d.snapshot #>> '{invoice,created_at}', invoice.number, invoice.created_at) AS detail
  FROM documents d JOIN documents invoice ON invoice.order_id = d.order_id AND invoice.kind = 'invoice'
 WHERE d.kind <> 'invoice' AND jsonb_exists(d.snapshot, 'tax_rounding')
   AND (d.snapshot #>> '{invoice,number}' IS DISTINCT FROM invoice.number
        OR (d.snapshot #>> '{invoice,created_at}')::timestamptz IS DISTINCT FROM invoice.created_at)

-- invariant: documents_are_dated
-- rule: The documents of a series are dated in the order of their numbers, and none before its order was completed or in the future, with a tolerance of one day
-- table: documents
SELECT d.id, d.order_id, format('%s of %s, the document before of %s, completed at %s', d.number, d.created_at, d.before, o.completed_at)
         AS detail
  FROM (SELECT documents.*, lag(created_at) OVER (PARTITION BY store_id, kind, series ORDER BY sequence) AS before FROM documents) d
  JOIN orders o ON o.id = d.order_id
 WHERE d.sequence IS NOT NULL
   AND (d.created_at < d.before - interval '1 day' OR d.created_at < o.completed_at - interval '1 day'
        OR d.created_at > clock_timestamp() + interval '1 day')

-- invariant: kept_invoices_begin_the_documents
-- rule: The invoice that another system made of an imported order is the invoice of that order
-- table: kept_invoices
SELECT kept.order_id AS id, kept.order_id, format('%s of %s, documents begin with %s of %s', kept.number, kept.invoiced_at, d.number,
                                                  d.created_at) AS detail
  FROM kept_invoices kept LEFT JOIN documents d ON d.order_id = kept.order_id AND d.kind = 'invoice'
 WHERE (d.number, d.created_at, d.sequence) IS DISTINCT FROM (kept.number, kept.invoiced_at, NULL::integer)

-- invariant: documents_are_as_made
-- rule: A document has the content of which its digest was made; those of earlier versions have no digest
-- table: documents
SELECT id, order_id, format('%s of %s is not as it was made', number, created_at) AS detail FROM documents
 WHERE digest <> sha256(convert_to(jsonb_build_array(
         store_id, order_id, refund_id, kind, series, sequence, number, currency, total, extract(epoch FROM created_at), entries,
         snapshot)::text, 'UTF8'))
