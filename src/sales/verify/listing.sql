-- Invariants of what filters, facets and searches read instead of the products.

-- part: ON_SALE
-- The variants on sale: those with a price in the currency of the store, or else the master.
SELECT product_id, cents, option_value_ids, is_available FROM (
  SELECT v.product_id, v.is_master, round(p.amount * 100)::integer AS cents,
         bool_or(NOT v.is_master) OVER (PARTITION BY v.product_id) AS has_variants,
         ARRAY(SELECT option_value_id FROM variant_option_values WHERE variant_id = v.id ORDER BY 1) AS option_value_ids,
         NOT v.track_inventory OR EXISTS (
           SELECT FROM stock_items i JOIN stock_locations l ON l.id = i.stock_location_id
            WHERE i.variant_id = v.id AND i.deleted_at IS NULL AND l.deleted_at IS NULL AND l.active
              AND (i.count_on_hand > 0 OR i.backorderable)) AS is_available
    FROM variants v JOIN prices p ON p.variant_id = v.id
   WHERE v.deleted_at IS NULL AND p.deleted_at IS NULL
     AND p.currency = coalesce((SELECT currency FROM stores WHERE is_default), 'USD')) priced
 WHERE is_master <> has_variants

-- invariant: listings_show_their_products
-- rule: Every product has a listing with its visibility, the prices and options of its variants on sale, its taxons and its properties
-- table: products
WITH on_sale AS MATERIALIZED (${ON_SALE}),
offered AS (
  SELECT product_id, array_agg(cents ORDER BY cents) AS cents,
         jsonb_agg(jsonb_build_array(cents, is_available, option_value_ids) ORDER BY cents, option_value_ids, is_available) AS offers
    FROM on_sale GROUP BY product_id),
listed AS (
  SELECT l.product_id,
         jsonb_agg(jsonb_build_array(l.cents[o.position], o.is_available, o.option_value_ids)
                   ORDER BY l.cents[o.position], o.option_value_ids, o.is_available) AS offers
    FROM product_listings l JOIN listing_offers o ON o.set_id = l.offers_id GROUP BY l.product_id)
SELECT p.id, NULL::integer AS order_id,
       CASE WHEN l.product_id IS NULL THEN p.slug || ' has no listing' ELSE p.slug || ': its listing is outdated' END AS detail
  FROM products p
  LEFT JOIN product_listings l ON l.product_id = p.id
  LEFT JOIN offered ON offered.product_id = p.id
  LEFT JOIN listed ON listed.product_id = p.id
 WHERE l.product_id IS NULL
    OR (l.available_on, l.discontinue_on, l.is_deleted) IS DISTINCT FROM (p.available_on, p.discontinue_on, p.deleted_at IS NOT NULL)
    OR l.cents IS DISTINCT FROM coalesce(offered.cents, '{}')
    OR (l.lowest, l.highest) IS DISTINCT FROM (offered.cents[1], offered.cents[cardinality(offered.cents)])
    OR listed.offers IS DISTINCT FROM offered.offers
    OR ARRAY(SELECT taxon_id FROM listing_taxons WHERE set_id = l.taxons_id ORDER BY 1)
       <> ARRAY(SELECT taxon_id FROM classifications WHERE product_id = p.id ORDER BY 1)
    OR ARRAY(SELECT (property_id, value)::text FROM listing_properties WHERE set_id = l.properties_id ORDER BY 1)
       <> ARRAY(SELECT (property_id, value)::text FROM product_properties WHERE product_id = p.id AND value <> '' ORDER BY 1)

-- invariant: search_documents_show_their_products
-- rule: Every product has a search document in the language of the store, with its name, SKUs, option values and taxons
-- table: products
WITH store AS (SELECT coalesce((SELECT language FROM stores WHERE is_default), 'english') AS language)
SELECT p.id, NULL::integer AS order_id,
       CASE WHEN d.product_id IS NULL THEN p.slug || ' has no search document' ELSE p.slug || ': its search document is outdated' END AS detail
  FROM products p
  CROSS JOIN store
  LEFT JOIN search_documents d ON d.product_id = p.id
 WHERE d.product_id IS NULL
    OR d.language <> store.language
    OR NOT tsvector_to_array(d.words) @> tsvector_to_array(to_search_words(store.language, p.name))
    OR NOT tsvector_to_array(d.words) @> ARRAY(
         SELECT unnest(tsvector_to_array(to_search_words(store.language, sku))) FROM variants
          WHERE product_id = p.id AND deleted_at IS NULL)
    OR ARRAY(SELECT lexeme FROM unnest(tsvector_to_array(d.words)) AS lexeme WHERE lexeme ~ '^[ot]:' ORDER BY 1)
       <> ARRAY(SELECT 't:' || taxon_id AS lexeme FROM classifications WHERE product_id = p.id
                UNION SELECT 'o:' || u.option_value_id FROM variant_option_values u JOIN variants v ON v.id = u.variant_id
                 WHERE v.product_id = p.id AND v.deleted_at IS NULL ORDER BY 1)

-- invariant: listing_changes_are_applied
-- rule: No noted change of a listing outlives its transaction
-- table: product_listing_changes
SELECT coalesce(product_ids[1], 0) AS id, NULL::integer AS order_id, kind || ' of products ' || product_ids::text AS detail
  FROM product_listing_changes WHERE xid <> coalesce(pg_current_xact_id_if_assigned(), '0')

-- invariant: feeds_show_the_last_change
-- rule: Complete orders, settled payments and shipments that were ready are in the lists of changes at the time of their last change
-- table: orders
SELECT id, order_id, format('%s %s changed at %s, the list of changes has %s', kind, number, updated_at, feed_at) AS detail
  FROM (SELECT 'orders' AS kind, id, id AS order_id, number, updated_at, feed_at, completed_at IS NOT NULL AS is_settled FROM orders
         UNION ALL
        SELECT 'payments', id, order_id, number, updated_at, feed_at, state NOT IN ('checkout', 'processing') FROM payments
         UNION ALL
        SELECT 'shipments', id, order_id, number, updated_at, feed_at, state <> 'pending' FROM shipments) record
 WHERE feed_at IS DISTINCT FROM CASE WHEN is_settled THEN updated_at END
