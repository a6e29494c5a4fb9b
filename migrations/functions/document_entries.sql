-- The entries of documents: what a sold order consists of, by line and rate, and differences and shares of such lists. The digits of
-- amounts in JSON are text, so that nothing rounds them. Line items count by variant and freight by method, so that exchanged lines and
-- moved parcels are no differences. A return that credits less than its items are worth gives back a part of each; what it credits
-- beyond them are entries without a line item: the freight of each parcel, taxed as that is, and the rest, which has no label. The
-- adjustments without tax in items and freight are entries of their own, without a label too. A return that credits all that its order
-- still costs has its items and freight in full, and a remainder, which takes back what is left at each rate and without tax.

CREATE OR REPLACE FUNCTION round_money(amount numeric, currency text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(amount, CASE WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI',
                                              'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0 ELSE 2 END)
$$;

-- Whether both countries belong to the area of the EU's VAT. The Canary Islands, Ceuta and Melilla do not.
CREATE OR REPLACE FUNCTION is_within_eu(from_country_id integer, to_country_id integer, to_state_id integer) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT country.id) = 2
         AND NOT EXISTS (SELECT FROM states WHERE id = to_state_id AND country_id IN (SELECT id FROM countries WHERE iso = 'ES')
                                              AND abbr IN ('CE', 'GC', 'ML', 'TF'))
    FROM countries country
   WHERE country.id IN (from_country_id, to_country_id)
     AND country.iso IN ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU', 'LV', 'MC',
                         'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK')
$$;

-- Why what an order is not taxed on is not taxed. `is_relieved` means what is sold at prices whose included tax is taken off.
-- A booked reason stays: the rates of today do not change for which reason a turnover was filed. Another address of the order does.
CREATE OR REPLACE FUNCTION find_untaxed_reason(sold_order_id integer, is_relieved boolean) RETURNS text LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT CASE
    WHEN booked.order_id IS NOT NULL THEN booked.reason
    WHEN is_relieved AND NOT is_within_eu(home.country_id, place.country_id, place.state_id) THEN 'export'
    WHEN place.country_id IS NULL OR NOT EXISTS (SELECT FROM tax_rates WHERE deleted_at IS NULL) THEN NULL
    WHEN EXISTS (SELECT FROM tax_rates tax JOIN zone_members member ON member.zone_id = tax.zone_id
                  WHERE tax.deleted_at IS NULL AND (member.country_id = place.country_id OR member.state_id = place.state_id))
    THEN 'exempt'
    WHEN place.country_id <> home.country_id AND NOT is_within_eu(home.country_id, place.country_id, place.state_id) THEN 'export'
    ELSE 'no_zone' END
    FROM orders o
    LEFT JOIN stores store ON store.is_default
    CROSS JOIN LATERAL (SELECT coalesce(store.issuer_country_id, store.default_country_id) AS country_id) home
    LEFT JOIN addresses place
      ON place.id = CASE WHEN coalesce(store.tax_using_ship_address, true) THEN coalesce(o.ship_address_id, o.bill_address_id)
                         ELSE coalesce(o.bill_address_id, o.ship_address_id) END
    LEFT JOIN LATERAL (
      -- Entries with a relief have a reason of their own, whatever else the order contains.
      SELECT entry.order_id, entry.reason FROM book_entries entry
       WHERE entry.order_id = o.id AND entry.kind IN ('line', 'freight') AND entry.rate IS NULL AND (entry.relief <> 0) = is_relieved
         AND NOT EXISTS (SELECT FROM order_changes change CROSS JOIN unnest(ARRAY['ship_address', 'bill_address']) address
                          WHERE change.order_id = o.id AND is_own_write(change.xmin)
                            AND (change.changes #> ARRAY[address, '0', 'country'], change.changes #> ARRAY[address, '0', 'state'])
                                IS DISTINCT FROM
                                (change.changes #> ARRAY[address, '1', 'country'], change.changes #> ARRAY[address, '1', 'state']))
       GROUP BY entry.order_id, entry.reason HAVING sum(entry.net) > 0
       ORDER BY sum(entry.net) DESC LIMIT 1) booked ON true
   WHERE o.id = sold_order_id);
END $$;

-- The line items and shipments of an order, with what they cost before adjustments.
CREATE OR REPLACE FUNCTION list_sale_parts(sold_order_id integer)
  RETURNS TABLE(key text, kind text, line_item_id integer, shipment_id integer, label text, sku text, options text, quantity integer,
      price numeric, amount numeric, created_at timestamptz, place integer) LANGUAGE sql STABLE AS $$
    SELECT 'line:' || line.variant_id, 'line', line.id, NULL::integer, product.name, variant.sku, (
             SELECT string_agg(t.presentation || ': ' || v.presentation, ', ' ORDER BY t.position, t.id)
               FROM variant_option_values chosen
               JOIN option_values v ON v.id = chosen.option_value_id
               JOIN option_types t ON t.id = v.option_type_id
              WHERE chosen.variant_id = line.variant_id),
           line.quantity, line.price, line.price * line.quantity, line.created_at, line.id
      FROM line_items line
      JOIN variants variant ON variant.id = line.variant_id
      JOIN products product ON product.id = variant.product_id
     WHERE line.order_id = sold_order_id
    UNION ALL
    SELECT 'freight:' || coalesce(method.name, ''), 'freight', NULL, shipment.id, method.name, NULL, NULL, NULL, NULL,
           shipment.cost, shipment.created_at, shipment.id
      FROM shipments shipment
      LEFT JOIN shipping_rates rate ON rate.shipment_id = shipment.id AND rate.selected
      LEFT JOIN shipping_methods method ON method.id = rate.shipping_method_id
     WHERE shipment.order_id = sold_order_id
$$;

-- The taxes of an order and its parts, except what an export takes off its prices, with the names that the taxes had at the sale.
CREATE OR REPLACE FUNCTION list_sale_taxes(sold_order_id integer)
  RETURNS TABLE(id integer, line_item_id integer, shipment_id integer, source_id integer, label text, amount numeric, included boolean,
      rate numeric, created_at timestamptz, name text, reduced boolean) LANGUAGE sql STABLE AS $$
    SELECT a.id, a.line_item_id, a.shipment_id, a.source_id, a.label, a.amount, a.included, a.rate, a.created_at,
           -- A rate that has changed since the sale may have a new name, such as VAT 20 %; the label keeps the one of the sale.
           CASE WHEN tax.amount <> a.rate
                THEN regexp_replace(a.label, concat('( ', replace(trim_scale(a.rate * 100)::text, '.', '\.'),
                                                    '(\.0)?%)?( \(Included in Price\))?$'), '')
                ELSE coalesce(nullif(btrim(tax.name), ''), category.name, a.label) END,
           -- A rate that was reduced at the sale may have changed since, and so may the one that was not.
           coalesce((SELECT bool_or((kept ->> 'reduced')::boolean)
                       FROM documents made
                      CROSS JOIN jsonb_array_elements(made.entries) entry
                      CROSS JOIN jsonb_array_elements(entry -> 'taxes') kept
                      WHERE made.order_id = sold.id AND (entry ->> 'line_item_id')::integer IS NOT DISTINCT FROM a.line_item_id
                        AND (kept ->> 'source')::integer = a.source_id AND (kept ->> 'rate')::numeric = a.rate),
                    -- The rate of its own record may have changed since the order was taxed.
                    abs(a.rate) < (SELECT max(other.amount) FROM tax_rates other
                                   WHERE other.zone_id = tax.zone_id AND other.id <> tax.id
                                     AND other.created_at <= greatest(sold.created_at, sold.completed_at, tax.created_at)
                                     AND (other.deleted_at > greatest(sold.created_at, sold.completed_at, tax.created_at)) IS NOT FALSE), false)
      FROM orders sold
      JOIN adjustments a ON a.order_id = sold.id AND a.eligible AND a.source_type = 'Store::TaxRate' AND (a.included OR a.rate >= 0)
      LEFT JOIN tax_rates tax ON tax.id = a.source_id
      LEFT JOIN tax_categories category ON category.id = tax.tax_category_id
     WHERE sold.id = sold_order_id
$$;

-- What the freight of a shipment is called, and how it is taxed. Returns that credit it keep this, because it may change afterwards, or
-- move to another shipment.
CREATE OR REPLACE FUNCTION describe_freight(sold_order_id integer, sold_shipment_id integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'label', (SELECT part.label FROM list_sale_parts(sold_order_id) part WHERE part.shipment_id = sold_shipment_id),
    'is_export', EXISTS (SELECT FROM adjustments a
                          WHERE a.shipment_id = sold_shipment_id AND a.eligible AND a.source_type = 'Store::TaxRate'
                            AND NOT a.included AND a.rate < 0 AND a.amount <> 0),
    'taxes', (SELECT coalesce(jsonb_agg(to_jsonb(tax) ORDER BY tax.id), '[]')
                FROM list_sale_taxes(sold_order_id) tax WHERE tax.shipment_id = sold_shipment_id))
$$;

-- What the returns of an order give back, without remainders. Most orders have no returns, and the plan takes longer to start than to run.
CREATE OR REPLACE FUNCTION list_return_positions(sold_order_id integer)
  RETURNS TABLE(created_at timestamptz, place integer, key text, kind text, label text, sku text, options text, line_item_id integer,
      quantity integer, price numeric, relief numeric, net numeric, taxes jsonb, is_export boolean) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM return_authorizations r WHERE r.order_id = sold_order_id) THEN RETURN; END IF;
  RETURN QUERY
  WITH sold AS (SELECT o.currency FROM orders o WHERE o.id = sold_order_id),
  adjusted AS MATERIALIZED (
    SELECT a.*, a.source_type IS NOT DISTINCT FROM 'Store::TaxRate' AS is_tax,
           a.source_type IS NOT DISTINCT FROM 'Store::ReturnAuthorization' AS is_return
      FROM adjustments a WHERE a.order_id = sold_order_id AND a.eligible),
  parts AS MATERIALIZED (SELECT * FROM list_sale_parts(sold_order_id)),
  taxed AS MATERIALIZED (SELECT * FROM list_sale_taxes(sold_order_id)),
  credits AS (
    SELECT adjusted.id, source_id, label, adjusted.created_at, -amount AS amount, coalesce(included_tax, 0) AS included_tax,
           coalesce(additional_tax, 0) AS additional_tax, remainder.entries AS remainder
      FROM adjusted LEFT JOIN return_remainders remainder ON remainder.return_authorization_id = adjusted.source_id
     WHERE is_return),
  given AS (
    SELECT credit.id, item.line_item_id, item.quantity, credit.created_at,

  CASE WHEN credit.remainder IS NOT NULL THEN item.amount
       WHEN sum(item.amount) OVER (PARTITION BY credit.id) = 0 THEN 0
       ELSE round_money(least(credit.amount, sum(item.amount) OVER (PARTITION BY credit.id)) * sum(item.amount)
           OVER (PARTITION BY credit.id ORDER BY item.id)
                        / nullif(sum(item.amount) OVER (PARTITION BY credit.id), 0), sold.currency)
          - round_money(least(credit.amount, sum(item.amount) OVER (PARTITION BY credit.id)) * (sum(item.amount)
              OVER (PARTITION BY credit.id ORDER BY item.id) - item.amount)
                        / nullif(sum(item.amount) OVER (PARTITION BY credit.id), 0), sold.currency) END AS amount,
  -- The amount without the adjustments that are not taxed.
  CASE WHEN credit.remainder IS NOT NULL OR sum(item.amount) OVER (PARTITION BY credit.id) = 0
       THEN item.amount - coalesce(item.untaxed, 0)
       ELSE round_money(least(credit.amount, sum(item.amount) OVER (PARTITION BY credit.id)) * sum(item.amount - coalesce(item.untaxed, 0))
           OVER (PARTITION BY credit.id ORDER BY item.id)
                        / nullif(sum(item.amount) OVER (PARTITION BY credit.id), 0), sold.currency)
          - round_money(least(credit.amount, sum(item.amount) OVER (PARTITION BY credit.id)) * (sum(item.amount - coalesce(item.untaxed, 0))
              OVER (PARTITION BY credit.id ORDER BY item.id) - (item.amount - coalesce(item.untaxed, 0)))
                        / nullif(sum(item.amount) OVER (PARTITION BY credit.id), 0), sold.currency) END AS taxed_amount,
  CASE WHEN credit.remainder IS NOT NULL THEN item.included_tax
       WHEN sum(item.included_tax) OVER (PARTITION BY credit.id) = 0 THEN 0
       ELSE round_money(least(credit.included_tax, sum(item.included_tax) OVER (PARTITION BY credit.id)) * sum(item.included_tax)
           OVER (PARTITION BY credit.id ORDER BY item.id)
                        / nullif(sum(item.included_tax) OVER (PARTITION BY credit.id), 0), sold.currency)
          - round_money(least(credit.included_tax, sum(item.included_tax) OVER (PARTITION BY credit.id)) * (sum(item.included_tax)
              OVER (PARTITION BY credit.id ORDER BY item.id) - item.included_tax)
                        / nullif(sum(item.included_tax) OVER (PARTITION BY credit.id), 0), sold.currency) END AS included_tax,
  CASE WHEN credit.remainder IS NOT NULL THEN item.additional_tax
       WHEN sum(item.additional_tax) OVER (PARTITION BY credit.id) = 0 THEN 0
       ELSE round_money(least(credit.additional_tax, sum(item.additional_tax) OVER (PARTITION BY credit.id)) * sum(item.additional_tax)
           OVER (PARTITION BY credit.id ORDER BY item.id)
                        / nullif(sum(item.additional_tax) OVER (PARTITION BY credit.id), 0), sold.currency)
          - round_money(least(credit.additional_tax, sum(item.additional_tax) OVER (PARTITION BY credit.id)) * (sum(item.additional_tax)
              OVER (PARTITION BY credit.id ORDER BY item.id) - item.additional_tax)
                        / nullif(sum(item.additional_tax) OVER (PARTITION BY credit.id), 0), sold.currency) END AS additional_tax
      FROM credits credit
      JOIN return_items item ON item.return_authorization_id = credit.source_id AND item.amount IS NOT NULL
     CROSS JOIN sold),
  -- What is credited beyond the items: the freight of each parcel, and the rest.
  freights AS (
    SELECT credit.id, freight.id AS freight_id, freight.shipment_id, credit.created_at, freight.amount,
           coalesce(freight.untaxed, 0) AS untaxed, freight.included_tax, freight.additional_tax, freight.terms
      FROM credits credit JOIN return_freights freight ON freight.return_authorization_id = credit.source_id),
  explained AS (
    SELECT id, sum(amount) AS amount, sum(included_tax) AS included_tax, sum(additional_tax) AS additional_tax
      FROM (SELECT id, amount, included_tax, additional_tax FROM given
             UNION ALL
            SELECT id, amount, included_tax, additional_tax FROM freights) part
     GROUP BY id),
  rest AS (
    SELECT credit.id, credit.created_at, credit.amount - coalesce(explained.amount, 0) AS amount,
           credit.included_tax - coalesce(explained.included_tax, 0) AS included_tax,
           credit.additional_tax - coalesce(explained.additional_tax, 0) AS additional_tax
      FROM credits credit LEFT JOIN explained USING (id)
     WHERE credit.remainder IS NULL),
  returned AS (
    SELECT id, 'item ' || line_item_id AS part, '' AS suffix, line_item_id, NULL::integer AS shipment_id, quantity, created_at,
           taxed_amount AS amount, included_tax, additional_tax, NULL::jsonb AS terms FROM given
     UNION ALL
    SELECT given.id, 'untaxed item ' || line.id, line.variant_id || ':untaxed', NULL, NULL, NULL, given.created_at, amount - taxed_amount, 0, 0,
           NULL
      FROM given JOIN line_items line ON line.id = given.line_item_id WHERE amount <> taxed_amount
     UNION ALL
    -- Named by their own ids, because a parcel that another one replaced is gone.
    SELECT id, 'freight ' || freight_id, CASE row_number() OVER (PARTITION BY id ORDER BY freight_id) WHEN 1 THEN '' ELSE ':' || freight_id
           END, NULL, shipment_id, NULL, created_at, amount - untaxed, included_tax, additional_tax, terms FROM freights
     UNION ALL
    SELECT id, 'untaxed freight ' || freight_id, ':untaxed:' || freight_id, NULL, NULL, NULL, created_at, untaxed, 0, 0, NULL
      FROM freights WHERE untaxed <> 0
     UNION ALL
    SELECT id, 'rest', CASE WHEN EXISTS (SELECT FROM freights WHERE freights.id = rest.id) THEN ':rest' ELSE '' END, NULL, NULL, NULL,
           created_at, amount, included_tax, additional_tax, NULL FROM rest
     WHERE (amount, included_tax, additional_tax) <> (0, 0, 0)),
  return_taxes AS (
    SELECT returned.id, returned.part, rated.source_id, rated.rate, rated.included, rated.name, rated.reduced,

  CASE WHEN sum(CASE WHEN rated.weighs THEN abs(rated.amount) ELSE rated.rate END) OVER (PARTITION BY returned.id, returned.part, rated.included) = 0 THEN 0
       ELSE round_money(CASE WHEN rated.included THEN returned.included_tax ELSE returned.additional_tax END * sum(CASE WHEN rated.weighs
           THEN abs(rated.amount) ELSE rated.rate END) OVER (PARTITION BY returned.id, returned.part, rated.included
           ORDER BY rated.rate, rated.source_id)
                        / nullif(sum(CASE WHEN rated.weighs THEN abs(rated.amount) ELSE rated.rate END) OVER (PARTITION BY returned.id, returned.part, rated.included), 0), sold.currency)
          - round_money(CASE WHEN rated.included THEN returned.included_tax
              ELSE returned.additional_tax END * (sum(CASE WHEN rated.weighs THEN abs(rated.amount) ELSE rated.rate END)
              OVER (PARTITION BY returned.id, returned.part, rated.included ORDER BY rated.rate, rated.source_id)
              - CASE WHEN rated.weighs THEN abs(rated.amount) ELSE rated.rate END)
                        / nullif(sum(CASE WHEN rated.weighs THEN abs(rated.amount) ELSE rated.rate END) OVER (PARTITION BY returned.id, returned.part, rated.included), 0), sold.currency) END AS amount
      FROM returned
     CROSS JOIN LATERAL (
       SELECT source_id, rate, included, max(name) AS name, bool_or(reduced) AS reduced, sum(amount) AS amount,
              bool_or(sum(amount) <> 0) OVER (PARTITION BY included) AS weighs
         FROM (
           SELECT source_id, rate, included, name, reduced, amount FROM taxed
            WHERE returned.terms IS NULL
              AND CASE WHEN returned.line_item_id IS NOT NULL THEN taxed.line_item_id = returned.line_item_id
                       WHEN returned.shipment_id IS NOT NULL THEN taxed.shipment_id = returned.shipment_id
                       -- The rest is taxed only as far as it takes the last taxes of an order that is given back whole.
                       WHEN CASE WHEN taxed.included THEN returned.included_tax ELSE returned.additional_tax END = 0 THEN false
                       WHEN EXISTS (SELECT FROM taxed freight WHERE freight.shipment_id IS NOT NULL AND freight.amount <> 0)
                       THEN taxed.shipment_id IS NOT NULL
                       ELSE true END
            UNION ALL
           SELECT source_id, rate, included, name, reduced, amount
             FROM jsonb_to_recordset(returned.terms -> 'taxes')
                  AS kept (source_id integer, rate numeric, included boolean, name text, reduced boolean, amount numeric)) charged
        GROUP BY source_id, rate, included) rated
     CROSS JOIN sold),
  returns AS (
    SELECT 'return:' || returned.id || ':' || coalesce(line.variant_id::text, '') || returned.suffix AS key, 'return' AS kind,
           CASE WHEN returned.part LIKE 'freight %' THEN coalesce(returned.terms ->> 'label', part.label, '') ELSE part.label END AS label, part.sku,
           part.options, returned.line_item_id, -returned.quantity AS quantity, part.price, returned.created_at,
           returned.id AS place, returned.additional_tax, -(returned.amount - coalesce(sum(tax.amount), 0)) AS net,
           -- What left a zone without its tax comes back without it, for the reason that it was sold with.
           coalesce((returned.terms ->> 'is_export')::boolean, EXISTS (
             SELECT FROM adjusted relieved
              WHERE relieved.is_tax AND NOT relieved.included AND relieved.rate < 0 AND relieved.amount <> 0
                AND (relieved.line_item_id = returned.line_item_id OR relieved.shipment_id = returned.shipment_id))) AS is_export,
           coalesce(jsonb_agg(jsonb_build_object('source', tax.source_id, 'rate', trim_scale(tax.rate)::text, 'included', tax.included,
                                                 'name', tax.name, 'reduced', tax.reduced, 'amount', (-tax.amount)::text)
                              ORDER BY tax.rate DESC, tax.source_id) FILTER (WHERE tax.rate IS NOT NULL), '[]') AS taxes
      FROM returned
      LEFT JOIN return_taxes tax ON tax.id = returned.id AND tax.part = returned.part
      LEFT JOIN line_items line ON line.id = returned.line_item_id
      LEFT JOIN parts part ON part.line_item_id = returned.line_item_id OR part.shipment_id = returned.shipment_id
     GROUP BY returned.id, returned.part, returned.suffix, returned.line_item_id, returned.shipment_id, returned.quantity, returned.created_at,
              returned.amount, returned.additional_tax, returned.terms, line.variant_id, part.label, part.sku, part.options, part.price)
  SELECT created_at, place, key, kind, label, sku, options, line_item_id, quantity, price,
         CASE WHEN is_export THEN -least(additional_tax, 0) ELSE 0 END, net, taxes, is_export FROM returns;
END $$;

CREATE OR REPLACE FUNCTION list_sold_positions(sold_order_id integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
    WITH sold AS MATERIALIZED (SELECT find_untaxed_reason(sold_order_id, false) AS reason),
  adjusted AS MATERIALIZED (
    SELECT a.*, a.source_type IS NOT DISTINCT FROM 'Store::TaxRate' AS is_tax,
           (a.source_type IS NOT DISTINCT FROM 'Store::PromotionAction' OR a.taxed) AS is_discount,
           a.source_type IS NOT DISTINCT FROM 'Store::ReturnAuthorization' AS is_return
      FROM adjustments a WHERE a.order_id = sold_order_id AND a.eligible),
  -- Shipments with the same method but different taxes are separate positions.
  parts AS MATERIALIZED (
    SELECT part.*, CASE WHEN part.shipment_id IS NULL THEN '' ELSE coalesce((
             SELECT string_agg(concat_ws('/', tax.source_id, trim_scale(tax.rate), tax.included), ',' ORDER BY tax.rate, tax.source_id)
               FROM adjusted tax WHERE tax.is_tax AND tax.shipment_id = part.shipment_id), '') END AS rates
      FROM list_sale_parts(sold_order_id) part),
  taxed AS MATERIALIZED (SELECT * FROM list_sale_taxes(sold_order_id)),
  sums AS (
    SELECT part.key, part.rates, sum(adjusted.amount) FILTER (WHERE adjusted.is_discount AND NOT adjusted.included) AS discount,
           sum(adjusted.amount) FILTER (WHERE adjusted.is_tax AND adjusted.included) AS included,
           sum(adjusted.amount) FILTER (WHERE adjusted.is_tax AND NOT adjusted.included AND adjusted.rate < 0) AS relief,
           jsonb_agg(jsonb_build_object('label', adjusted.label, 'amount', adjusted.amount::text) ORDER BY adjusted.id)
             FILTER (WHERE adjusted.taxed AND adjusted.amount <> 0) AS charges
      FROM parts part
      JOIN adjusted ON coalesce(adjusted.line_item_id, adjusted.shipment_id) = part.place
                   AND (adjusted.line_item_id IS NULL) = (part.line_item_id IS NULL)
     GROUP BY part.key, part.rates),
  charged AS (
    SELECT key, rates, jsonb_agg(
  jsonb_build_object('source', source_id, 'rate', trim_scale(rate)::text, 'included', included, 'name', name, 'reduced', reduced,
                     'amount', amount::text) ORDER BY rate DESC, source_id) AS taxes
      FROM (SELECT part.key, part.rates, taxed.source_id, taxed.rate, taxed.included, max(taxed.name) AS name, bool_or(taxed.reduced) AS reduced,
                   sum(taxed.amount) AS amount
              FROM parts part
              JOIN taxed ON coalesce(taxed.line_item_id, taxed.shipment_id) = part.place
                        AND (taxed.line_item_id IS NULL) = (part.line_item_id IS NULL)
             GROUP BY part.key, part.rates, taxed.source_id, taxed.rate, taxed.included) summed
     GROUP BY key, rates),
  own AS (
    SELECT part.key, part.kind, max(part.label) AS label, max(part.sku) AS sku, max(part.options) AS options,
           max(part.line_item_id) AS line_item_id, sum(part.quantity)::integer AS quantity, max(part.price) AS price,
           coalesce(max(sums.discount), 0) AS discount, coalesce(max(sums.relief), 0) AS relief,
           sum(part.amount) + coalesce(max(sums.discount), 0) + coalesce(max(sums.relief), 0) - coalesce(max(sums.included), 0) AS net,
           coalesce((array_agg(charged.taxes))[1], '[]') AS taxes,
           (array_agg(sums.charges))[1] AS charges,
           min(part.created_at) AS created_at, min(part.place) AS place
      FROM parts part LEFT JOIN sums USING (key, rates) LEFT JOIN charged USING (key, rates)
     GROUP BY part.key, part.kind, part.rates),
  others AS (
    SELECT 'adjustment:' || id AS key, 'adjustment' AS kind, label, amount AS net, '[]'::jsonb AS taxes, created_at, id AS place
      FROM adjusted
     WHERE NOT included AND amount <> 0
       AND CASE WHEN is_return THEN false
                WHEN is_discount OR is_tax AND rate < 0 THEN line_item_id IS NULL AND shipment_id IS NULL
                ELSE NOT is_tax END
    UNION ALL
    SELECT 'tax:' || id, 'tax', label, CASE WHEN included THEN -amount ELSE 0 END, jsonb_build_array(
  jsonb_build_object('source', source_id, 'rate', trim_scale(rate)::text, 'included', included, 'name', name, 'reduced', reduced,
                     'amount', amount::text)), created_at, id
      FROM taxed WHERE line_item_id IS NULL AND shipment_id IS NULL AND amount <> 0),
  listed AS (
    SELECT 1 AS floor, created_at, place, key, kind, label, sku, options, line_item_id, quantity, price, discount, relief, net, taxes,
           charges, relief <> 0 AS is_export
      FROM own WHERE kind = 'line' OR net <> 0 OR discount <> 0 OR taxes <> '[]'
    UNION ALL
    SELECT 2, created_at, place, key, kind, label, NULL, NULL, NULL, NULL, NULL, 0, 0, net, taxes, NULL, false FROM others
    UNION ALL
    SELECT 3, created_at, place, key, kind, label, sku, options, line_item_id, quantity, price, 0, relief, net, taxes, NULL, is_export
      FROM list_return_positions(sold_order_id)),
    summed AS (
      SELECT listed.*,
             CASE WHEN is_export THEN (SELECT find_untaxed_reason(sold_order_id, true))
                  -- What a return gives back beyond its items and freight is no turnover of its own.
                  WHEN kind = 'return' AND label IS NULL THEN NULL
                  ELSE sold.reason END AS reason,
             coalesce((SELECT sum((tax ->> 'amount')::numeric) FROM jsonb_array_elements(taxes) tax), 0) AS tax
        FROM listed CROSS JOIN sold)
    SELECT coalesce(jsonb_agg(
  jsonb_build_object(
    'key', key, 'kind', kind, 'label', label, 'sku', sku, 'options', options, 'line_item_id', line_item_id, 'quantity', quantity, 'price',
        price::text, 'discount', discount::text, 'relief', relief::text,
    'net', net::text, 'taxes', taxes, 'tax', tax::text, 'total', (net + tax)::text,
    'reason', CASE WHEN taxes = '[]' AND NOT (kind = 'adjustment') THEN reason END)
    || CASE WHEN charges IS NULL THEN '{}' ELSE jsonb_build_object('charges', charges) END ORDER BY floor, kind DESC, created_at, place, line_item_id, label IS NULL, key),
        '[]')
        || (SELECT coalesce(jsonb_agg(entry ORDER BY credit.id, place), '[]')
              FROM adjusted credit
              JOIN return_remainders remainder ON remainder.return_authorization_id = credit.source_id
             CROSS JOIN LATERAL jsonb_array_elements(remainder.entries) WITH ORDINALITY AS listed (entry, place)
             WHERE credit.is_return)
      FROM summed);
END $$;

CREATE OR REPLACE FUNCTION sum_entries(entries jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT coalesce(sum((entry ->> 'total')::numeric), 0) FROM jsonb_array_elements(entries) entry);
END $$;

CREATE OR REPLACE FUNCTION negate_entries(entries jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT coalesce(jsonb_agg(entry || jsonb_build_object(
           'quantity', -(entry ->> 'quantity')::integer, 'discount', (-coalesce((entry ->> 'discount')::numeric, 0))::text,
           'relief', (-coalesce((entry ->> 'relief')::numeric, 0))::text, 'net', (-(entry ->> 'net')::numeric)::text,
           'tax', (-(entry ->> 'tax')::numeric)::text, 'total', (-(entry ->> 'total')::numeric)::text,
           'taxes', (SELECT coalesce(jsonb_agg(tax || jsonb_build_object('amount', (-(tax ->> 'amount')::numeric)::text)
                                               ORDER BY tax_place), '[]')
                       FROM jsonb_array_elements(entry -> 'taxes') WITH ORDINALITY AS charged (tax, tax_place)))
           || CASE WHEN jsonb_exists(entry, 'charges') THEN jsonb_build_object('charges', (
                SELECT jsonb_agg(charge || jsonb_build_object('amount', (-(charge ->> 'amount')::numeric)::text) ORDER BY charge_place)
                  FROM jsonb_array_elements(entry -> 'charges') WITH ORDINALITY AS named (charge, charge_place)))
              ELSE '{}' END ORDER BY place), '[]')
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS listed (entry, place));
END $$;

CREATE OR REPLACE FUNCTION join_rates(taxes jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT coalesce((SELECT string_agg(concat_ws('/', tax ->> 'source', tax ->> 'rate', tax ->> 'included'), ','
                                     ORDER BY tax ->> 'rate', tax ->> 'source') FROM jsonb_array_elements(taxes) tax), ''));
END $$;

-- What is taxed at other rates now, or untaxed for another reason, is taken back as it was. Positions without a tax or an amount keep
-- the last rates they had.
CREATE OR REPLACE FUNCTION difference_of_positions(now_entries jsonb, before_entries jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  WITH both_lists AS (
    SELECT entry ->> 'key' AS key, entry, 1 AS sign, place FROM jsonb_array_elements(now_entries) WITH ORDINALITY AS listed (entry, place)
     UNION ALL
    SELECT entry ->> 'key', entry, -1, place FROM jsonb_array_elements(before_entries) WITH ORDINALITY AS listed (entry, place)),
  entries AS (
    -- Without those that are as they were, which are most.
    SELECT * FROM both_lists
     WHERE key NOT IN (SELECT key FROM both_lists GROUP BY key HAVING sum(sign) = 0 AND count(DISTINCT entry) = 1)),
  charged AS (
    SELECT entries.*,
           CASE WHEN entry -> 'taxes' <> '[]' THEN join_rates(entry -> 'taxes')
                WHEN (entry ->> 'net')::numeric <> 0 THEN coalesce(entry ->> 'reason', '') END AS own_rates
      FROM entries),
  rated AS (
    SELECT charged.*, coalesce(own_rates, (array_agg(own_rates) FILTER (WHERE own_rates IS NOT NULL) OVER latest)[1], '') AS rates
      FROM charged
    WINDOW latest AS (PARTITION BY key ORDER BY sign DESC, place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)),
  taxes AS (
    SELECT key, rates, tax -> 'source' AS source, tax ->> 'rate' AS rate, tax -> 'included' AS included,
           (array_agg(tax ORDER BY sign DESC, place DESC))[1] AS tax, sum(sign * (tax ->> 'amount')::numeric) AS amount
      FROM rated CROSS JOIN LATERAL jsonb_array_elements(entry -> 'taxes') tax
     GROUP BY 1, 2, 3, 4, 5),
  charges AS (
    SELECT key, rates, jsonb_agg(jsonb_build_object('label', label, 'amount', amount::text) ORDER BY place) AS charges
      FROM (SELECT key, rates, charge ->> 'label' AS label, sum(sign * (charge ->> 'amount')::numeric) AS amount, min(charge_place) AS place
              FROM rated
             CROSS JOIN LATERAL jsonb_array_elements(coalesce(entry -> 'charges', '[]')) WITH ORDINALITY AS named (charge, charge_place)
             GROUP BY key, rates, charge ->> 'label') summed
     WHERE amount <> 0
     GROUP BY key, rates),
  sums AS (
    SELECT key, rates, (array_agg(entry ORDER BY sign DESC, place DESC))[1] AS entry,
           (array_agg(entry ORDER BY place DESC) FILTER (WHERE sign = -1))[1] AS last,
           (array_agg(entry) FILTER (WHERE sign = 1))[1] AS current,
           sum(sign * (entry ->> 'quantity')::integer) AS quantity,
           sum((entry ->> 'quantity')::integer) FILTER (WHERE sign = -1) AS quantity_before,
           sum(sign * coalesce((entry ->> 'discount')::numeric, 0)) AS discount, sum(sign * coalesce((entry ->> 'relief')::numeric,
               0)) AS relief,
           sum(sign * (entry ->> 'net')::numeric) AS net, min(place) FILTER (WHERE sign = 1) AS now_place, min(place) AS place
      FROM rated GROUP BY key, rates),
  changed AS (
    SELECT sums.*, coalesce(taxed.tax, 0) AS tax, coalesce(taxed.taxes, '[]') AS taxes, charges.charges
      FROM sums
      LEFT JOIN charges USING (key, rates)
      LEFT JOIN (SELECT key, rates, sum(amount) AS tax, bool_or(amount <> 0) AS differs,
                        jsonb_agg(tax || jsonb_build_object('amount', amount::text) ORDER BY rate::numeric DESC, source) AS taxes
                   FROM taxes GROUP BY key, rates) taxed USING (key, rates)
     WHERE sums.net <> 0 OR coalesce(sums.quantity, 0) <> 0 OR coalesce(taxed.differs, false)),
  -- Rates at which the freight has other methods, or other names of them, but the same net amount and taxes.
  renamed AS (
    SELECT rates FROM changed WHERE key LIKE 'freight:%'
     GROUP BY rates HAVING sum(net) = 0 AND NOT EXISTS (
       SELECT FROM taxes WHERE taxes.rates = changed.rates AND taxes.key LIKE 'freight:%'
        GROUP BY source, rate, included HAVING sum(amount) <> 0))
  SELECT coalesce(jsonb_agg((entry - 'charges') || jsonb_build_object(
           'quantity', quantity, 'discount', discount::text, 'relief', relief::text, 'net', net::text, 'tax', tax::text,
           'total', (net + tax)::text, 'taxes', taxes,
           'held', jsonb_build_object('quantity', coalesce((current ->> 'quantity')::integer, 0), 'price', current -> 'price'),
           'was', jsonb_build_object('quantity', coalesce(quantity_before, 0), 'price', last -> 'price'))
           || CASE WHEN charges IS NULL THEN '{}' ELSE jsonb_build_object('charges', charges) END
           ORDER BY now_place NULLS FIRST, place), '[]')
    FROM changed
   WHERE key NOT LIKE 'freight:%' OR rates NOT IN (SELECT rates FROM renamed));
END $$;

CREATE OR REPLACE FUNCTION share_of_positions(entries jsonb, amount numeric, entry_kind text, currency text)
  RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  WITH taxed AS (
    SELECT place, (entry ->> 'total')::numeric AS total, entry ->> 'reason' AS reason, entry -> 'taxes' AS taxes,
           join_rates(entry -> 'taxes') AS rates
      FROM jsonb_array_elements(entries) WITH ORDINALITY AS listed (entry, place)),
  groups AS (
    SELECT rates, greatest(sum(total), 0) AS total, max(reason) AS reason,
           (SELECT coalesce(jsonb_agg(tax), '[]') FROM (
              SELECT (array_agg(tax))[1] || jsonb_build_object('amount', sum((tax ->> 'amount')::numeric)::text) AS tax
                FROM taxed same CROSS JOIN LATERAL jsonb_array_elements(same.taxes) tax
               WHERE same.rates = taxed.rates GROUP BY tax ->> 'source', tax ->> 'rate', tax ->> 'included') merged) AS taxes
      FROM taxed GROUP BY rates),
  weighed AS (
    SELECT groups.*, sum(total) OVER (ORDER BY rates) AS upto, sum(total) OVER () AS whole, count(*) OVER () AS count FROM groups),
  parts AS (
    SELECT weighed.*, CASE WHEN whole > 0 THEN round_money(amount * upto / whole, currency)
                                               - round_money(amount * (upto - total) / whole, currency)
                           WHEN row_number() OVER (ORDER BY rates) = 1 THEN amount ELSE 0 END AS part
      FROM weighed),
  shares AS (
    SELECT rates, reason, part,
           (SELECT coalesce(jsonb_agg(tax || jsonb_build_object('amount',
                     (CASE WHEN total > 0 THEN round_money(part * (tax ->> 'amount')::numeric / total, currency) ELSE 0 END)::text)),
                         '[]')
              FROM jsonb_array_elements(taxes) tax) AS taxes
      FROM parts WHERE part <> 0
    UNION ALL
    SELECT '', NULL, amount, '[]' WHERE amount <> 0 AND NOT EXISTS (SELECT FROM parts)),
  summed AS (
    SELECT shares.*, coalesce((SELECT sum((tax ->> 'amount')::numeric) FROM jsonb_array_elements(taxes) tax), 0) AS tax FROM shares)
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'key', entry_kind || ':' || rates, 'kind', entry_kind, 'label', NULL, 'sku', NULL, 'options', NULL, 'line_item_id', NULL,
           'quantity', NULL, 'price', NULL, 'discount', '0', 'relief', '0', 'net', (part - tax)::text, 'taxes', taxes, 'tax', tax::text,
           'total', part::text, 'reason', CASE WHEN taxes = '[]' THEN reason END) ORDER BY rates), '[]')
    FROM summed);
END $$;

CREATE OR REPLACE FUNCTION sum_rates(entries jsonb, once boolean, currency text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  WITH charged AS (
    SELECT (entry ->> 'net')::numeric AS net, (tax ->> 'amount')::numeric AS amount, tax ->> 'rate' AS rate, tax ->> 'name' AS name,
           (tax ->> 'reduced')::boolean AS reduced, (tax ->> 'included')::boolean AS included, NULL AS reason,
           jsonb_array_length(entry -> 'taxes') > 1 AS is_mixed
      FROM jsonb_array_elements(entries) entry CROSS JOIN LATERAL jsonb_array_elements(entry -> 'taxes') tax
     UNION ALL
    SELECT (entry ->> 'net')::numeric, 0, NULL, NULL, false, false, entry ->> 'reason', false
      FROM jsonb_array_elements(entries) entry WHERE entry -> 'taxes' = '[]'),
  taxed AS (
    -- Rounded once, taxes of one rate are one sum, whatever their names.
    SELECT charged.*, once AND rate IS NOT NULL AND NOT bool_or(is_mixed) OVER (PARTITION BY rate) AS is_once FROM charged),
  sums AS (
    SELECT rate, CASE WHEN min(name) = max(name) THEN max(name) END AS name, reason, bool_or(reduced) AS reduced,
           bool_and(included) AS included, sum(net) AS net, sum(amount) AS tax, is_once
      FROM taxed GROUP BY rate, reason, is_once, CASE WHEN is_once THEN reduced::text ELSE name END),
  rounded AS (
    SELECT sums.*, CASE WHEN is_once THEN round_money((net + tax) * rate::numeric / (1 + rate::numeric), currency) ELSE tax END AS due
      FROM sums WHERE net <> 0 OR tax <> 0)
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'rate', rate, 'name', name, 'reason', reason, 'reduced', reduced, 'included', included,
           'net', (net + tax - due)::text, 'tax', due::text, 'total', (net + tax)::text)
           ORDER BY rate::numeric DESC NULLS LAST, name, reason), '[]')
    FROM rounded);
END $$;
