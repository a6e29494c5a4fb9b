import type { Invariant } from './invariant';

/** Invariants of invoices and credit notes. */
export const documentInvariants: readonly Invariant[] = [
  {
    name: 'sold_orders_have_an_invoice',
    rule: 'Every completed order has one invoice; an open order has none',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, format('%s: %s, invoices %s', o.number, o.state, count(d.id)) AS detail
        FROM orders o LEFT JOIN documents d ON d.order_id = o.id AND d.kind = 'invoice'
       GROUP BY o.id
      HAVING count(d.id) <> CASE WHEN o.completed_at IS NULL THEN 0 ELSE 1 END`,
  },
  {
    name: 'refunds_have_a_credit_note',
    rule: 'Every refund has one credit note of its amount, in its own order',
    table: 'refunds',
    sql: `
      SELECT r.id, p.order_id, format('refund of %s, credit note %s of %s in order %s', r.amount, d.number, d.total, d.order_id)
               AS detail
        FROM refunds r
        JOIN payments p ON p.id = r.payment_id
        LEFT JOIN documents d ON d.refund_id = r.id AND d.kind = 'credit_note'
       WHERE (d.total, d.order_id) IS DISTINCT FROM (r.amount, p.order_id)`,
  },
  {
    name: 'document_numbers_have_no_gaps',
    rule: 'The numbers of the documents of a store and kind count from 1 to the last number given, without gaps',
    table: 'documents',
    sql: `
      SELECT coalesce(max(d.id), 0) AS id, NULL::integer AS order_id,
             format('%s of store %s: %s documents, last number %s, counter %s',
                    kind, store_id, count(d.id), max(d.sequence), max(counter.last_sequence)) AS detail
        FROM (SELECT id, kind, sequence, coalesce(store_id, 0) AS store_id FROM documents) d
        FULL JOIN document_counters counter USING (store_id, kind)
       GROUP BY store_id, kind
      HAVING count(DISTINCT d.sequence) <> count(d.id) OR max(d.sequence) IS DISTINCT FROM count(d.id) OR max(counter.last_sequence) IS DISTINCT FROM count(d.id)`,
  },
  {
    name: 'documents_add_up',
    rule: 'What a document prints adds up to its total: lines, shipping, discounts and taxes of an invoice',
    table: 'documents',
    sql: `
      SELECT d.id, d.order_id, format('%s: %s, prints %s', d.number, d.total, d.snapshot ->> 'total') AS detail
        FROM documents d
        CROSS JOIN LATERAL (
          SELECT coalesce(sum((line ->> 'amount')::numeric), 0) AS items,
                 count(*) FILTER (WHERE (line ->> 'amount')::numeric
                                        <> (line ->> 'price')::numeric * (line ->> 'quantity')::numeric) AS wrong
            FROM jsonb_array_elements(d.snapshot -> 'lines') line) lines
        CROSS JOIN LATERAL (
          SELECT coalesce(sum((charge ->> 'amount')::numeric) FILTER (WHERE NOT (charge ->> 'included')::boolean), 0) AS added
            FROM jsonb_array_elements(d.snapshot -> 'charges') charge) charges
       WHERE (d.snapshot ->> 'total')::numeric <> d.total
          OR d.kind = 'invoice'
             AND (lines.wrong > 0 OR lines.items <> (d.snapshot ->> 'item_total')::numeric
                  OR charges.added <> (d.snapshot ->> 'adjustment_total')::numeric
                  OR lines.items + charges.added + (d.snapshot ->> 'ship_total')::numeric <> d.total)`,
  },
  {
    name: 'documents_name_their_order',
    rule: 'A document has the currency of its order, and prints its number and the time of its completion',
    table: 'documents',
    sql: `
      SELECT d.id, d.order_id,
             format('%s in %s prints %s of %s, order %s in %s of %s', d.number, d.currency, d.snapshot ->> 'order_number',
                    d.snapshot ->> 'completed_at', o.number, o.currency, o.completed_at) AS detail
        FROM documents d JOIN orders o ON o.id = d.order_id
       WHERE d.currency <> o.currency OR d.snapshot ->> 'order_number' <> o.number
          OR abs(extract(epoch FROM (d.snapshot ->> 'completed_at')::timestamptz - o.completed_at)) > 0.001`,
  },
  {
    name: 'invoices_match_unchanged_orders',
    rule: 'While line items, shipping costs and adjustments of an order are those of its invoice, so is its total',
    table: 'documents',
    sql: `
      SELECT d.id, d.order_id, format('%s of %s, order %s of %s', d.number, d.total, o.number, o.total) AS detail
        FROM documents d JOIN orders o ON o.id = d.order_id
       WHERE d.kind = 'invoice' AND d.total <> o.total
         AND (d.snapshot ->> 'ship_total')::numeric = o.ship_total
         AND (d.snapshot ->> 'adjustment_total')::numeric = o.adjustment_total
         AND NOT EXISTS (
               SELECT FROM jsonb_to_recordset(d.snapshot -> 'lines')
                             AS printed(line_item_id integer, quantity integer, price numeric)
                 FULL JOIN (SELECT id, quantity, price FROM line_items WHERE order_id = o.id) line ON line.id = printed.line_item_id
                WHERE (line.quantity, line.price) IS DISTINCT FROM (printed.quantity, printed.price))`,
  },
];
