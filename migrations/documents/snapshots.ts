const ADDRESS = (column: string): string => `
  (SELECT jsonb_build_object(
            'firstname', a.firstname, 'lastname', a.lastname, 'company', a.company, 'address1', a.address1,
            'address2', a.address2, 'zipcode', a.zipcode, 'city', a.city, 'state', coalesce(st.abbr, a.state_name),
            'country', c.name, 'country_iso', c.iso)
     FROM addresses a JOIN countries c ON c.id = a.country_id LEFT JOIN states st ON st.id = a.state_id
    WHERE a.id = o.${column})`;

const SELLER = `
  jsonb_build_object(
    'name', s.name, 'url', s.url, 'email', s.mail_from_address, 'issuer', s.invoice_issuer, 'legal_name', s.issuer_name,
    'address1', s.issuer_address1, 'address2', s.issuer_address2, 'zipcode', s.issuer_zipcode, 'city', s.issuer_city,
    'state', s.issuer_state_name, 'country_iso', country.iso, 'phone', s.issuer_phone, 'tax_number', s.issuer_tax_number,
    'vat_id', s.issuer_vat_id, 'bank', s.issuer_bank, 'iban', s.issuer_iban, 'bic', s.issuer_bic, 'footer', s.document_footer)`;

const PAYMENTS = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'number', p.number, 'method', m.name, 'card_type', card.cc_type, 'last_digits', card.last_digits, 'state', p.state,
            'amount', (p.amount - coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_id = p.id), 0))::text)
            ORDER BY p.id), '[]')
     FROM payments p
     JOIN payment_methods m ON m.id = p.payment_method_id
     LEFT JOIN credit_cards card ON card.id = p.credit_card_id
    WHERE p.order_id = o.id AND p.state IN ('pending', 'completed'))`;

const REFUND = `
  (SELECT jsonb_build_object('reason', r.reason, 'payment_number', p.number, 'payment_method', m.name, 'refunded_at', r.created_at)
     FROM refunds r JOIN payments p ON p.id = r.payment_id JOIN payment_methods m ON m.id = p.payment_method_id
    WHERE r.id = document_refund_id)`;

/** Goods that have not shipped are supplied on the day of the invoice. */
const SUPPLY = `
  (SELECT jsonb_build_object('from', coalesce(min(shipped_at), invoice.created_at, now()),
                             'to', coalesce(max(shipped_at), invoice.created_at, now()))
     FROM shipments WHERE order_id = o.id AND shipped_at IS NOT NULL)`;

export const SNAPSHOTS = `
  -- What a document prints beside its entries. Names, addresses and settings may change later. Amounts are decimal strings.
  CREATE FUNCTION build_document(document_order_id integer, document_kind text, document_entries jsonb, document_refund_id integer) RETURNS jsonb
  LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
             'version', 2,
             'seller', CASE WHEN s.id IS NOT NULL THEN ${SELLER} END,
             'locale', coalesce(s.document_locale, 'en'), 'texts', coalesce(s.document_texts, '{}'),
             'date_format', coalesce(s.date_format, 'YYYY-MM-DD'), 'time_zone', coalesce(s.time_zone, 'UTC'),
             'tax_rounding', coalesce(s.document_tax_rounding, 'line'), 'einvoice', coalesce(s.einvoice, false),
             'order_number', o.number, 'completed_at', o.completed_at, 'email', o.email, 'vat_id', coalesce(o.vat_id, buyer.vat_id),
             'bill_address', ${ADDRESS('bill_address_id')}, 'ship_address', ${ADDRESS('ship_address_id')},
             'invoice', CASE WHEN document_kind <> 'invoice' THEN
                               jsonb_build_object('number', invoice.number, 'created_at', invoice.created_at) END,
             'supply', ${SUPPLY}, 'payments', ${PAYMENTS}, 'rates', rates.rates,
             'net_total', (total.amount - rates.tax)::text, 'tax_total', rates.tax::text, 'total', total.amount::text)
             || coalesce(${REFUND}, '{}')
      FROM orders o
      LEFT JOIN users buyer ON buyer.id = o.user_id
      LEFT JOIN stores s ON s.is_default
      LEFT JOIN countries country ON country.id = coalesce(s.issuer_country_id, s.default_country_id)
      LEFT JOIN documents invoice ON invoice.order_id = o.id AND invoice.kind = 'invoice'
     CROSS JOIN LATERAL (SELECT CASE document_kind WHEN 'credit_note' THEN negate_entries(document_entries) ELSE document_entries END AS list) printed
     CROSS JOIN LATERAL (SELECT sum_entries(printed.list) AS amount) total
     CROSS JOIN LATERAL (
       SELECT summed AS rates, coalesce((SELECT sum((rate ->> 'tax')::numeric) FROM jsonb_array_elements(summed) rate), 0) AS tax
         FROM sum_rates(printed.list, coalesce(s.document_tax_rounding, 'line') = 'document', o.currency) summed) rates
     WHERE o.id = document_order_id
  $$;
`;
