/** What distinguishes the entries of an order. Their amounts are added up. */
export const DIMENSIONS = [
  'kind',
  'variant_id',
  'country_id',
  'tax_rate_id',
  'rate',
  'included',
  'name',
  'reason',
] as const;

export const AMOUNTS = [
  'orders',
  'products',
  'lines',
  'units',
  'item_total',
  'discount_total',
  'ship_total',
  'relief',
  'net',
  'base',
  'tax',
] as const;

const amountOf = (name: string): string => `coalesce((entry ->> '${name}')::numeric, 0)`;

/** The taxes of an entry that its price includes. */
const INCLUDED = `
  (SELECT coalesce(sum((one ->> 'amount')::numeric) FILTER (WHERE (one ->> 'included')::boolean), 0)
     FROM jsonb_array_elements(entry -> 'taxes') one)`;

/** The units that returns brought back, whatever they credited. */
const RETURNED_UNITS = `
  SELECT 'return', line.variant_id, NULL::integer, NULL::numeric, NULL::boolean, NULL::text, NULL::text, 0, 0, 0,
         -item.quantity, 0, 0, 0, 0, 0, 0, 0,
         (SELECT max(c.created_at) FROM state_changes c
           WHERE c.order_id = r.order_id AND c.subject_type = 'return_authorization' AND c.subject_id = r.id
             AND c.to_state = 'received')
    FROM return_authorizations r
    JOIN return_items item ON item.return_authorization_id = r.id
    JOIN line_items line ON line.id = item.line_item_id
   WHERE r.order_id = sold_order_id AND r.state = 'received'`;

/** The shares of consecutive weights add up to the total. */
const share = (total: string, partition: string): string => `
  CASE WHEN sum(abs(rated.amount)) OVER (PARTITION BY ${partition}) = 0 THEN 0
       ELSE round_money(${total} * sum(abs(rated.amount)) OVER (PARTITION BY ${partition} ORDER BY rated.id)
                        / nullif(sum(abs(rated.amount)) OVER (PARTITION BY ${partition}), 0), sold.currency)
          - round_money(${total} * (sum(abs(rated.amount)) OVER (PARTITION BY ${partition} ORDER BY rated.id) - abs(rated.amount))
                        / nullif(sum(abs(rated.amount)) OVER (PARTITION BY ${partition}), 0), sold.currency) END`;

/**
 * What returns credited beyond their units: the freight of shipments, at its own rates, and the rest, which is taxed only as far
 * as the credit says so. `cost` counts in the first row of each part.
 */
const BEYOND_UNITS = `
  SELECT 'return', NULL::integer, taxed.tax_rate_id, taxed.rate, taxed.included,
         CASE WHEN taxed.rate IS NOT NULL AND taxed.tax_rate_id IS NULL THEN taxed.name END, NULL, 0, 0, 0, 0, 0, 0, 0, 0,
         CASE WHEN taxed.place = 1 THEN -(taxed.amount - taxed.taxes) ELSE 0 END, -(taxed.amount - taxed.taxes), -taxed.tax,
         taxed.credited_at
    FROM (SELECT part.*, rated.source_id AS tax_rate_id, rated.rate, rated.included, rated.label AS name,
                 part.included_tax + part.additional_tax AS taxes,
                 row_number() OVER (PARTITION BY part.key ORDER BY rated.id) AS place,
                 CASE WHEN rated.id IS NULL THEN part.included_tax + part.additional_tax
                      ELSE ${share('CASE WHEN rated.included THEN part.included_tax ELSE part.additional_tax END', 'part.key, rated.included')} END AS tax
            FROM (
              SELECT 'freight ' || freight.id AS key, freight.shipment_id, freight.amount, freight.included_tax, freight.additional_tax,
                     credit.created_at AS credited_at
                FROM return_freights freight
                JOIN adjustments credit ON credit.source_type = 'Store::ReturnAuthorization'
                                       AND credit.source_id = freight.return_authorization_id AND credit.order_id = sold_order_id
              UNION ALL
              SELECT 'rest ' || credit.id, NULL, -credit.amount - coalesce(listed.amount, 0) - coalesce(freight.amount, 0),
                     coalesce(credit.included_tax, 0) - coalesce(listed.included_tax, 0) - coalesce(freight.included_tax, 0),
                     coalesce(credit.additional_tax, 0) - coalesce(listed.additional_tax, 0) - coalesce(freight.additional_tax, 0),
                     credit.created_at
                FROM adjustments credit
               CROSS JOIN LATERAL (SELECT sum(amount) AS amount, sum(included_tax) AS included_tax, sum(additional_tax) AS additional_tax
                                     FROM return_freights WHERE return_authorization_id = credit.source_id) freight
                LEFT JOIN LATERAL (
                  SELECT -sum((entry ->> 'total')::numeric) AS amount, -sum(taxes.included) AS included_tax,
                         -sum(taxes.additional) AS additional_tax
                    FROM jsonb_array_elements(positions) entry
                   CROSS JOIN LATERAL (
                     SELECT coalesce(sum((tax ->> 'amount')::numeric) FILTER (WHERE (tax ->> 'included')::boolean), 0) AS included,
                            coalesce(sum((tax ->> 'amount')::numeric) FILTER (WHERE NOT (tax ->> 'included')::boolean), 0) AS additional
                       FROM jsonb_array_elements(entry -> 'taxes') tax) taxes
                   WHERE entry ->> 'kind' = 'return' AND split_part(entry ->> 'key', ':', 2)::integer = credit.id
                     AND split_part(entry ->> 'key', ':', 3) <> '') listed ON true
               WHERE credit.order_id = sold_order_id AND credit.source_type = 'Store::ReturnAuthorization') part
            JOIN orders sold ON sold.id = sold_order_id
           CROSS JOIN (SELECT min(shipment_id) AS shipment_id, min(line_item_id) AS line_item_id FROM adjustments
                        WHERE order_id = sold_order_id AND source_type = 'Store::TaxRate' AND eligible AND amount <> 0) charged
            LEFT JOIN adjustments rated
              ON rated.order_id = sold_order_id AND rated.source_type = 'Store::TaxRate' AND rated.eligible AND rated.amount <> 0
             AND CASE WHEN coalesce(part.shipment_id, charged.shipment_id) IS NULL THEN rated.line_item_id = charged.line_item_id
                      ELSE rated.shipment_id = coalesce(part.shipment_id, charged.shipment_id) END
             AND (rated.included AND part.included_tax <> 0 OR NOT rated.included AND part.additional_tax <> 0)
           WHERE part.amount <> 0 OR part.included_tax <> 0 OR part.additional_tax <> 0) taxed`;

/** Functions that turn the entries of documents into rows of books. */
export const FLATTEN = `
  -- One row for each tax of each entry, or one for an entry without taxes. What is counted once is in the first row of an entry.
  CREATE FUNCTION flatten_entries(entries jsonb)
  RETURNS TABLE (kind text, variant_id integer, tax_rate_id integer, rate numeric, included boolean, name text, reason text,
                 orders integer, products integer, lines integer, units integer, item_total numeric, discount_total numeric,
                 ship_total numeric, relief numeric, net numeric, base numeric, tax numeric, at timestamptz)
  LANGUAGE sql STABLE AS $$
    SELECT part.kind, part.variant_id, (tax ->> 'source')::integer, (tax ->> 'rate')::numeric, (tax ->> 'included')::boolean,
           CASE WHEN tax ->> 'source' IS NULL THEN tax ->> 'name' END, CASE WHEN tax IS NULL THEN entry ->> 'reason' END,
           0, CASE WHEN part.kind = 'line' THEN part.first * (row_number() OVER (PARTITION BY part.kind, variant.product_id, part.first
                                                         ORDER BY part.variant_id) = 1)::integer ELSE 0 END,
           CASE WHEN part.kind = 'line' THEN part.first ELSE 0 END,
           CASE WHEN part.kind = 'line' THEN part.first * coalesce((entry ->> 'quantity')::integer, 0) ELSE 0 END,
           CASE WHEN part.kind = 'line' THEN part.first * part.gross ELSE 0 END,
           part.first * (${amountOf('discount')} + CASE WHEN part.source_type = 'Store::PromotionAction' THEN part.net ELSE 0 END),
           CASE WHEN part.kind = 'freight' THEN part.first * part.gross ELSE 0 END,
           part.first * (${amountOf('relief')} + CASE WHEN part.source_type = 'Store::TaxRate' THEN part.net ELSE 0 END),
           part.first * part.net, part.net, coalesce((tax ->> 'amount')::numeric, 0), part.at
      FROM jsonb_array_elements(entries) entry
      LEFT JOIN LATERAL jsonb_array_elements(entry -> 'taxes') WITH ORDINALITY AS charged (tax, place) ON true
     CROSS JOIN LATERAL (
       SELECT entry ->> 'kind' AS kind, (place IS NULL OR place = 1)::integer AS first, (entry ->> 'net')::numeric AS net,
              (entry ->> 'net')::numeric - ${amountOf('discount')} - ${amountOf('relief')} + ${INCLUDED} AS gross,
              CASE WHEN entry ->> 'kind' = 'line' THEN split_part(entry ->> 'key', ':', 2)::integer
                   WHEN entry ->> 'kind' = 'return' THEN nullif(split_part(entry ->> 'key', ':', 3), '')::integer
                   ELSE line.variant_id END AS variant_id,
              adjusted.source_type, CASE WHEN entry ->> 'kind' = 'return' THEN adjusted.created_at END AS at
         FROM (SELECT CASE WHEN entry ->> 'kind' IN ('adjustment', 'return') THEN split_part(entry ->> 'key', ':', 2)::integer END AS id) own
         LEFT JOIN adjustments adjusted ON adjusted.id = own.id
         LEFT JOIN line_items line ON line.id = adjusted.line_item_id) part
      LEFT JOIN variants variant ON variant.id = part.variant_id
  $$;

  -- What the books say of a sold order, if it consists of these positions.
  CREATE FUNCTION list_book_rows(sold_order_id integer, positions jsonb)
  RETURNS TABLE (kind text, variant_id integer, tax_rate_id integer, rate numeric, included boolean, name text, reason text,
                 orders integer, products integer, lines integer, units integer, item_total numeric, discount_total numeric,
                 ship_total numeric, relief numeric, net numeric, base numeric, tax numeric, at timestamptz)
  LANGUAGE sql STABLE AS $$
    SELECT 'order', NULL::integer, NULL::integer, NULL::numeric, NULL::boolean, NULL::text, NULL::text,
           1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL::timestamptz
     UNION ALL
    SELECT * FROM flatten_entries((
      SELECT coalesce(jsonb_agg(entry), '[]') FROM jsonb_array_elements(positions) entry
       WHERE entry ->> 'kind' <> 'return' OR split_part(entry ->> 'key', ':', 3) <> ''))
     UNION ALL ${RETURNED_UNITS}
     UNION ALL ${BEYOND_UNITS}
  $$;
`;
