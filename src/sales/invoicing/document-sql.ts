/*
 * What documents print is frozen when they are made: names, addresses, amounts and formats may change later. Amounts in
 * snapshots are decimal strings.
 */

const SELLER = `
  (SELECT jsonb_build_object('name', s.name, 'url', s.url, 'email', s.mail_from_address, 'issuer', s.invoice_issuer)
     FROM stores s WHERE s.is_default)`;

const FORMAT = `
  (SELECT jsonb_build_object(
            'currency_display', s.currency_display, 'currency_position', s.currency_position,
            'decimal_mark', s.decimal_mark, 'thousands_separator', s.thousands_separator,
            'date_format', s.date_format, 'time_zone', s.time_zone)
     FROM stores s WHERE s.is_default)`;

const ADDRESS = (column: string): string => `
  (SELECT jsonb_build_object(
            'firstname', a.firstname, 'lastname', a.lastname, 'company', a.company, 'address1', a.address1,
            'address2', a.address2, 'zipcode', a.zipcode, 'city', a.city, 'state', coalesce(st.abbr, a.state_name),
            'country', c.name)
     FROM addresses a JOIN countries c ON c.id = a.country_id LEFT JOIN states st ON st.id = a.state_id
    WHERE a.id = o.${column})`;

const OPTIONS = `
  (SELECT string_agg(t.presentation || ': ' || v.presentation, ', ' ORDER BY t.position, t.id)
     FROM variant_option_values chosen
     JOIN option_values v ON v.id = chosen.option_value_id
     JOIN option_types t ON t.id = v.option_type_id
    WHERE chosen.variant_id = line.variant_id)`;

const LINES = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'line_item_id', line.id, 'sku', variant.sku, 'name', product.name, 'options', ${OPTIONS},
            'quantity', line.quantity, 'price', line.price::text, 'amount', (line.price * line.quantity)::text)
            ORDER BY line.created_at, line.id), '[]')
     FROM line_items line
     JOIN variants variant ON variant.id = line.variant_id
     JOIN products product ON product.id = variant.product_id
    WHERE line.order_id = o.id)`;

/** Discounts, taxes and other adjustments, added up by label. */
const CHARGES = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'label', charge.label, 'included', charge.included, 'amount', charge.amount::text) ORDER BY charge.first), '[]')
     FROM (SELECT label, included, sum(amount) AS amount, min(id) AS first FROM adjustments
            WHERE adjustments.order_id = o.id AND eligible AND amount <> 0
            GROUP BY label, included, source_type) charge)`;

const ORDER = `
  'seller', ${SELLER}, 'format', ${FORMAT}, 'order_number', o.number, 'completed_at', o.completed_at, 'email', o.email,
  'bill_address', ${ADDRESS('bill_address_id')}`;

/** Inserts the invoice of an order unless it has one. Binding: the id of the order. */
export const INSERT_INVOICE = {
  name: 'insert_invoice',
  sql: `
    INSERT INTO documents (store_id, order_id, kind, currency, total, snapshot)
    SELECT (SELECT id FROM stores WHERE is_default), o.id, 'invoice', o.currency, o.total,
           jsonb_build_object(${ORDER}, 'ship_address', ${ADDRESS('ship_address_id')}, 'lines', ${LINES},
             'charges', ${CHARGES}, 'item_total', o.item_total::text, 'ship_total', o.ship_total::text,
             'adjustment_total', o.adjustment_total::text, 'total', o.total::text)
      FROM orders o WHERE o.id = ? AND o.completed_at IS NOT NULL
    ON CONFLICT DO NOTHING`,
};

/** Inserts the credit note of a refund. Binding: the id of the refund. */
export const INSERT_CREDIT_NOTE = {
  name: 'insert_credit_note',
  sql: `
    INSERT INTO documents (store_id, order_id, refund_id, kind, currency, total, snapshot)
    SELECT (SELECT id FROM stores WHERE is_default), o.id, r.id, 'credit_note', o.currency, r.amount,
           jsonb_build_object(${ORDER}, 'reason', r.reason, 'payment_number', p.number, 'payment_method', m.name,
             'refunded_at', r.created_at, 'total', r.amount::text)
      FROM refunds r
      JOIN payments p ON p.id = r.payment_id
      JOIN payment_methods m ON m.id = p.payment_method_id
      JOIN orders o ON o.id = p.order_id
     WHERE r.id = ?`,
};
