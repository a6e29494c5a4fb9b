/** The eligible adjustments of order `sold`. */
const ADJUSTMENTS = `
  adjusted AS MATERIALIZED (
    SELECT a.*, a.source_type IS NOT DISTINCT FROM 'Store::TaxRate' AS is_tax,
           a.source_type IS NOT DISTINCT FROM 'Store::PromotionAction' AS is_discount,
           a.source_type IS NOT DISTINCT FROM 'Store::ReturnAuthorization' AS is_return
      FROM adjustments a WHERE a.order_id = sold_order_id AND a.eligible)`;

const OPTIONS = `
  (SELECT string_agg(t.presentation || ': ' || v.presentation, ', ' ORDER BY t.position, t.id)
     FROM variant_option_values chosen
     JOIN option_values v ON v.id = chosen.option_value_id
     JOIN option_types t ON t.id = v.option_type_id
    WHERE chosen.variant_id = line.variant_id)`;

/** Line items by variant and freight by method, so that exchanged lines and moved parcels are no differences. */
const PARTS = `
  parts AS MATERIALIZED (
    SELECT 'line:' || line.variant_id AS key, 'line' AS kind, line.id AS line_item_id, NULL::integer AS shipment_id,
           product.name AS label, variant.sku, ${OPTIONS} AS options, line.quantity, line.price,
           line.price * line.quantity AS amount, line.created_at, line.id AS place
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
     WHERE shipment.order_id = sold_order_id)`;

/** What a tax is called and whether a higher rate applies in its zone. */
const TAXES = `
  taxed AS MATERIALIZED (
    SELECT adjusted.*, coalesce(nullif(btrim(tax.name), ''), category.name, adjusted.label) AS name,
           coalesce(tax.amount < (SELECT max(other.amount) FROM tax_rates other
                                   WHERE other.zone_id = tax.zone_id AND other.deleted_at IS NULL), false) AS reduced
      FROM adjusted
      LEFT JOIN tax_rates tax ON tax.id = adjusted.source_id
      LEFT JOIN tax_categories category ON category.id = tax.tax_category_id
     WHERE adjusted.is_tax AND (adjusted.included OR adjusted.rate >= 0))`;

const TAX = `
  jsonb_build_object('source', source_id, 'rate', trim_scale(rate)::text, 'included', included, 'name', name, 'reduced', reduced,
                     'amount', amount::text)`;

/** Included taxes that are refunded, because the order leaves the zone, lower the net amount. */
const OWN = `
  sums AS (
    SELECT part.key, sum(adjusted.amount) FILTER (WHERE adjusted.is_discount AND NOT adjusted.included) AS discount,
           sum(adjusted.amount) FILTER (WHERE adjusted.is_tax AND adjusted.included) AS included,
           sum(adjusted.amount) FILTER (WHERE adjusted.is_tax AND NOT adjusted.included AND adjusted.rate < 0) AS relief
      FROM parts part
      JOIN adjusted ON adjusted.line_item_id = part.line_item_id OR adjusted.shipment_id = part.shipment_id
     GROUP BY part.key),
  own AS (
    SELECT part.key, part.kind, max(part.label) AS label, max(part.sku) AS sku, max(part.options) AS options,
           max(part.line_item_id) AS line_item_id, sum(part.quantity)::integer AS quantity, max(part.price) AS price,
           coalesce(max(sums.discount), 0) AS discount, coalesce(max(sums.relief), 0) AS relief,
           sum(part.amount) + coalesce(max(sums.discount), 0) + coalesce(max(sums.relief), 0) - coalesce(max(sums.included), 0) AS net,
           coalesce((SELECT jsonb_agg(${TAX} ORDER BY rate DESC, source_id)
                       FROM (SELECT source_id, rate, included, max(name) AS name, bool_or(reduced) AS reduced, sum(amount) AS amount
                               FROM taxed
                              WHERE taxed.line_item_id IN (SELECT line_item_id FROM parts WHERE parts.key = part.key)
                                 OR taxed.shipment_id IN (SELECT shipment_id FROM parts WHERE parts.key = part.key)
                              GROUP BY source_id, rate, included) charged), '[]') AS taxes,
           min(part.created_at) AS created_at, min(part.place) AS place
      FROM parts part LEFT JOIN sums USING (key)
     GROUP BY part.key, part.kind)`;

/** Adjustments that staff or an import made. A tax of the whole order has no net amount of its own. */
const OTHERS = `
  others AS (
    SELECT 'adjustment:' || id AS key, 'adjustment' AS kind, label, amount AS net, '[]'::jsonb AS taxes, created_at, id AS place
      FROM adjusted
     WHERE NOT included AND amount <> 0
       AND CASE WHEN is_return THEN false
                WHEN is_discount OR is_tax AND rate < 0 THEN line_item_id IS NULL AND shipment_id IS NULL
                ELSE NOT is_tax END
    UNION ALL
    SELECT 'tax:' || id, 'tax', label, CASE WHEN included THEN -amount ELSE 0 END, jsonb_build_array(${TAX}), created_at, id
      FROM taxed WHERE line_item_id IS NULL AND shipment_id IS NULL AND amount <> 0)`;

/** The shares of consecutive weights add up to the total. */
const share = (total: string, weight: string, partition: string, order: string): string => `
  CASE WHEN sum(${weight}) OVER (PARTITION BY ${partition}) = 0 THEN 0
       ELSE round_money(${total} * sum(${weight}) OVER (PARTITION BY ${partition} ORDER BY ${order})
                        / nullif(sum(${weight}) OVER (PARTITION BY ${partition}), 0), sold.currency)
          - round_money(${total} * (sum(${weight}) OVER (PARTITION BY ${partition} ORDER BY ${order}) - ${weight})
                        / nullif(sum(${weight}) OVER (PARTITION BY ${partition}), 0), sold.currency) END`;

const limited = (name: string): string =>
  share(
    `least(credit.${name}, sum(item.${name}) OVER (PARTITION BY credit.id))`,
    `item.${name}`,
    'credit.id',
    'item.id',
  );

/**
 * What returns gave back, by line item. A return that credits less than its items are worth gives back a part of each; what it
 * credits beyond them is an entry without a line item, taxed as the freight is.
 */
const RETURNS = `
  credits AS (
    SELECT id, source_id, label, created_at, -amount AS amount, coalesce(included_tax, 0) AS included_tax,
           coalesce(additional_tax, 0) AS additional_tax
      FROM adjusted WHERE is_return),
  given AS (
    SELECT credit.id, item.line_item_id, item.quantity, credit.created_at,
           ${limited('amount')} AS amount, ${limited('included_tax')} AS included_tax, ${limited('additional_tax')} AS additional_tax
      FROM credits credit
      JOIN return_items item ON item.return_authorization_id = credit.source_id AND item.amount IS NOT NULL
     CROSS JOIN sold),
  beyond AS (
    SELECT credit.id, NULL::integer, NULL::integer, credit.created_at, credit.amount - coalesce(sum(given.amount), 0),
           credit.included_tax - coalesce(sum(given.included_tax), 0), credit.additional_tax - coalesce(sum(given.additional_tax), 0)
      FROM credits credit LEFT JOIN given USING (id)
     GROUP BY credit.id, credit.amount, credit.included_tax, credit.additional_tax, credit.created_at
    HAVING (credit.amount, credit.included_tax, credit.additional_tax)
           <> (coalesce(sum(given.amount), 0), coalesce(sum(given.included_tax), 0), coalesce(sum(given.additional_tax), 0))),
  returned AS (SELECT * FROM given UNION ALL SELECT * FROM beyond),
  return_taxes AS (
    SELECT returned.id, returned.line_item_id, rated.source_id, rated.rate, rated.included, rated.name, rated.reduced,
           ${share(
             'CASE WHEN rated.included THEN returned.included_tax ELSE returned.additional_tax END',
             'CASE WHEN rated.weighs THEN abs(rated.amount) ELSE rated.rate END',
             'returned.id, returned.line_item_id, rated.included',
             'rated.rate, rated.source_id',
           )} AS amount
      FROM returned
     CROSS JOIN LATERAL (
       SELECT source_id, rate, included, max(name) AS name, bool_or(reduced) AS reduced, sum(amount) AS amount,
              bool_or(sum(amount) <> 0) OVER (PARTITION BY included) AS weighs
         FROM taxed
        WHERE CASE WHEN returned.line_item_id IS NOT NULL THEN taxed.line_item_id = returned.line_item_id
                   WHEN EXISTS (SELECT FROM taxed freight WHERE freight.shipment_id IS NOT NULL AND freight.amount <> 0)
                   THEN taxed.shipment_id IS NOT NULL
                   ELSE true END
        GROUP BY source_id, rate, included) rated
     CROSS JOIN sold),
  returns AS (
    SELECT 'return:' || returned.id || ':' || coalesce(line.variant_id::text, '') AS key, 'return' AS kind, part.label, part.sku,
           part.options, returned.line_item_id, -returned.quantity AS quantity, part.price, returned.created_at,
           returned.id AS place, -(returned.amount - coalesce(sum(tax.amount), 0)) AS net,
           coalesce(jsonb_agg(jsonb_build_object('source', tax.source_id, 'rate', trim_scale(tax.rate)::text, 'included', tax.included,
                                                 'name', tax.name, 'reduced', tax.reduced, 'amount', (-tax.amount)::text)
                              ORDER BY tax.rate DESC, tax.source_id) FILTER (WHERE tax.rate IS NOT NULL), '[]') AS taxes
      FROM returned
      LEFT JOIN return_taxes tax ON tax.id = returned.id AND tax.line_item_id IS NOT DISTINCT FROM returned.line_item_id
      LEFT JOIN line_items line ON line.id = returned.line_item_id
      LEFT JOIN parts part ON part.line_item_id = returned.line_item_id
     GROUP BY returned.id, returned.line_item_id, returned.quantity, returned.created_at, returned.amount, line.variant_id, part.label,
              part.sku, part.options, part.price)`;

const ENTRY = (columns: { [name: string]: string }): string => `
  jsonb_build_object(
    ${Object.entries(columns)
      .map(([name, sql]) => `'${name}', ${sql}`)
      .join(', ')},
    'net', net::text, 'taxes', taxes, 'tax', tax::text, 'total', (net + tax)::text,
    'reason', CASE WHEN taxes = '[]' AND NOT (kind = 'adjustment') THEN reason END)`;

/** Sums by order: lines, freight, other adjustments, returns. */
const LISTED = `
  listed AS (
    SELECT 1 AS floor, created_at, place, key, kind, label, sku, options, line_item_id, quantity, price, discount, relief, net, taxes
      FROM own WHERE kind = 'line' OR net <> 0 OR discount <> 0 OR taxes <> '[]'
    UNION ALL
    SELECT 2, created_at, place, key, kind, label, NULL, NULL, NULL, NULL, NULL, 0, 0, net, taxes FROM others
    UNION ALL
    SELECT 3, created_at, place, key, kind, label, sku, options, line_item_id, quantity, price, 0, 0, net, taxes FROM returns)`;

export const POSITIONS = `
  CREATE FUNCTION round_money(amount numeric, currency text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT round(amount, CASE WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI',
                                                'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0 ELSE 2 END)
  $$;

  -- Why an order has lines without tax: export, no_zone or exempt. Null if the store has no tax rates.
  CREATE FUNCTION find_tax_free_reason(sold_order_id integer) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN place.country_id IS NULL OR NOT EXISTS (SELECT FROM tax_rates WHERE deleted_at IS NULL) THEN NULL
      WHEN EXISTS (SELECT FROM tax_rates tax JOIN zone_members member ON member.zone_id = tax.zone_id
                    WHERE tax.deleted_at IS NULL AND (member.country_id = place.country_id OR member.state_id = place.state_id))
      THEN 'exempt'
      WHEN place.country_id <> coalesce(store.issuer_country_id, store.default_country_id) THEN 'export'
      ELSE 'no_zone' END
      FROM orders o
      LEFT JOIN stores store ON store.is_default
      LEFT JOIN addresses place
        ON place.id = CASE WHEN coalesce(store.tax_using_ship_address, true) THEN o.ship_address_id ELSE o.bill_address_id END
     WHERE o.id = sold_order_id
  $$;

  -- What an order consists of, as entries whose totals add up to the total of the order.
  CREATE FUNCTION list_sold_positions(sold_order_id integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
    WITH sold AS (SELECT o.currency, find_tax_free_reason(o.id) AS reason FROM orders o WHERE o.id = sold_order_id),
    ${ADJUSTMENTS}, ${PARTS}, ${TAXES}, ${OWN}, ${OTHERS}, ${RETURNS}, ${LISTED},
    summed AS (
      SELECT listed.*, CASE WHEN relief <> 0 THEN 'export' ELSE sold.reason END AS reason,
             coalesce((SELECT sum((tax ->> 'amount')::numeric) FROM jsonb_array_elements(taxes) tax), 0) AS tax
        FROM listed CROSS JOIN sold)
    SELECT coalesce(jsonb_agg(${ENTRY({
      key: 'key',
      kind: 'kind',
      label: 'label',
      sku: 'sku',
      options: 'options',
      line_item_id: 'line_item_id',
      quantity: 'quantity',
      price: 'price::text',
      discount: 'discount::text',
      relief: 'relief::text',
    })} ORDER BY floor, kind DESC, created_at, place, key), '[]') FROM summed
  $$;
`;
