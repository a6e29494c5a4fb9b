/** The digits of amounts in JSON are text, so that nothing rounds them. */
const amountOf = (entry: string, name: string): string => `coalesce((${entry} ->> '${name}')::numeric, 0)`;

export const DIFFERENCES = `
  CREATE FUNCTION sum_entries(entries jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(sum((entry ->> 'total')::numeric), 0) FROM jsonb_array_elements(entries) entry
  $$;

  CREATE FUNCTION negate_entries(entries jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_agg(entry || jsonb_build_object(
             'quantity', -(entry ->> 'quantity')::integer, 'discount', (-${amountOf('entry', 'discount')})::text,
             'relief', (-${amountOf('entry', 'relief')})::text, 'net', (-(entry ->> 'net')::numeric)::text,
             'tax', (-(entry ->> 'tax')::numeric)::text, 'total', (-(entry ->> 'total')::numeric)::text,
             'taxes', (SELECT coalesce(jsonb_agg(tax || jsonb_build_object('amount', (-(tax ->> 'amount')::numeric)::text)
                                                 ORDER BY tax_place), '[]')
                         FROM jsonb_array_elements(entry -> 'taxes') WITH ORDINALITY AS charged (tax, tax_place))) ORDER BY place), '[]')
      FROM jsonb_array_elements(entries) WITH ORDINALITY AS listed (entry, place)
  $$;

  -- What must be documented so that the entries before become those of now. Entries that are the same are omitted. 'held' is
  -- the quantity and price since, 'was' those before.
  CREATE FUNCTION difference_of_positions(now_entries jsonb, before_entries jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    WITH entries AS (
      SELECT entry ->> 'key' AS key, entry, 1 AS sign, place FROM jsonb_array_elements(now_entries) WITH ORDINALITY AS listed (entry, place)
       UNION ALL
      SELECT entry ->> 'key', entry, -1, place FROM jsonb_array_elements(before_entries) WITH ORDINALITY AS listed (entry, place)),
    taxes AS (
      SELECT key, tax -> 'source' AS source, tax ->> 'rate' AS rate, tax -> 'included' AS included,
             (array_agg(tax ORDER BY sign DESC, place DESC))[1] AS tax, sum(sign * (tax ->> 'amount')::numeric) AS amount
        FROM entries CROSS JOIN LATERAL jsonb_array_elements(entry -> 'taxes') tax
       GROUP BY 1, 2, 3, 4),
    sums AS (
      SELECT key, (array_agg(entry ORDER BY sign DESC, place DESC))[1] AS entry,
             (array_agg(entry ORDER BY place DESC) FILTER (WHERE sign = -1))[1] AS last,
             (array_agg(entry) FILTER (WHERE sign = 1))[1] AS current,
             sum(sign * (entry ->> 'quantity')::integer) AS quantity,
             sum((entry ->> 'quantity')::integer) FILTER (WHERE sign = -1) AS quantity_before,
             sum(sign * ${amountOf('entry', 'discount')}) AS discount, sum(sign * ${amountOf('entry', 'relief')}) AS relief,
             sum(sign * (entry ->> 'net')::numeric) AS net, min(place) FILTER (WHERE sign = 1) AS now_place, min(place) AS place
        FROM entries GROUP BY key),
    changed AS (
      SELECT sums.*, coalesce(taxed.tax, 0) AS tax, coalesce(taxed.taxes, '[]') AS taxes
        FROM sums
        LEFT JOIN (SELECT key, sum(amount) AS tax, bool_or(amount <> 0) AS differs,
                          jsonb_agg(tax || jsonb_build_object('amount', amount::text) ORDER BY rate::numeric DESC, source) AS taxes
                     FROM taxes GROUP BY key) taxed USING (key)
       WHERE sums.net <> 0 OR coalesce(sums.quantity, 0) <> 0 OR coalesce(taxed.differs, false))
    SELECT coalesce(jsonb_agg(entry || jsonb_build_object(
             'quantity', quantity, 'discount', discount::text, 'relief', relief::text, 'net', net::text, 'tax', tax::text,
             'total', (net + tax)::text, 'taxes', taxes,
             'held', jsonb_build_object('quantity', coalesce((current ->> 'quantity')::integer, 0), 'price', current -> 'price'),
             'was', jsonb_build_object('quantity', coalesce(quantity_before, 0), 'price', last -> 'price'))
             ORDER BY now_place NULLS FIRST, place), '[]')
      FROM changed
  $$;

  -- An amount of all entries, by the rates of their taxes in proportion to the totals at these rates.
  CREATE FUNCTION share_of_positions(entries jsonb, amount numeric, entry_kind text, currency text) RETURNS jsonb
  LANGUAGE sql IMMUTABLE AS $$
    WITH taxed AS (
      SELECT place, (entry ->> 'total')::numeric AS total, entry ->> 'reason' AS reason, entry -> 'taxes' AS taxes,
             coalesce((SELECT string_agg(concat_ws('/', tax ->> 'source', tax ->> 'rate', tax ->> 'included'), ','
                                         ORDER BY tax ->> 'rate', tax ->> 'source') FROM jsonb_array_elements(entry -> 'taxes') tax), '')
               AS rates
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
                       (CASE WHEN total > 0 THEN round_money(part * (tax ->> 'amount')::numeric / total, currency) ELSE 0 END)::text)), '[]')
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
      FROM summed
  $$;

  -- Net, tax and total of each rate, and of what is not taxed by its reason. Rates without an amount are omitted. A line with
  -- several rates counts for each of them.
  CREATE FUNCTION sum_rates(entries jsonb, once boolean, currency text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    WITH taxed AS (
      SELECT (entry ->> 'net')::numeric AS net, (tax ->> 'amount')::numeric AS amount, tax ->> 'rate' AS rate, tax ->> 'name' AS name,
             (tax ->> 'reduced')::boolean AS reduced, (tax ->> 'included')::boolean AS included, NULL AS reason,
             jsonb_array_length(entry -> 'taxes') > 1 AS is_mixed
        FROM jsonb_array_elements(entries) entry CROSS JOIN LATERAL jsonb_array_elements(entry -> 'taxes') tax
       UNION ALL
      SELECT (entry ->> 'net')::numeric, 0, NULL, NULL, false, false, entry ->> 'reason', false
        FROM jsonb_array_elements(entries) entry WHERE entry -> 'taxes' = '[]'),
    sums AS (
      SELECT rate, name, reason, bool_or(reduced) AS reduced, bool_and(included) AS included, sum(net) AS net, sum(amount) AS tax,
             once AND rate IS NOT NULL AND NOT bool_or(is_mixed) AS is_once
        FROM taxed GROUP BY rate, name, reason),
    rounded AS (
      SELECT sums.*, CASE WHEN is_once THEN round_money((net + tax) * rate::numeric / (1 + rate::numeric), currency) ELSE tax END AS due
        FROM sums WHERE net <> 0 OR tax <> 0)
    SELECT coalesce(jsonb_agg(jsonb_build_object(
             'rate', rate, 'name', name, 'reason', reason, 'reduced', reduced, 'included', included,
             'net', (net + tax - due)::text, 'tax', due::text, 'total', (net + tax)::text)
             ORDER BY rate::numeric DESC NULLS LAST, name, reason), '[]')
      FROM rounded
  $$;
`;
