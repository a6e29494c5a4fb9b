-- A listing is a narrow row for each product with everything that filters and facets read: visibility, the prices of its variants on
-- sale, and the ids of three sets that many products share: its offers (the options of its variants and whether each can be bought now),
-- its taxons and its properties. Equal sets have equal ids.
--
-- Statement triggers note the changed products of a transaction; at its commit, a deferred trigger rebuilds the listing of each once, and
-- its search document. All listings are locked there, by id and after all other locks, so that neither sales nor changes of the catalog
-- can deadlock on them. A sale changes a listing only if a stock item becomes available or unavailable.
-- A note has the transaction as its key, because its commit must find all of them, those of savepoints too.

CREATE OR REPLACE FUNCTION rebuild_product_listings(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The lock comes first, so that the next statement sees what other transactions have sold of the same variants.
  LOCK TABLE product_listings IN ROW EXCLUSIVE MODE;
  PERFORM FROM product_listings WHERE product_id = ANY (ids) ORDER BY product_id FOR UPDATE;
  WITH sold AS MATERIALIZED (
SELECT product_id, is_available, cents, option_value_ids,
row_number() OVER (PARTITION BY product_id ORDER BY cents, option_value_ids, is_available) AS position
FROM (
SELECT variants.product_id, variants.is_master, round(prices.amount * 100)::integer AS cents,
  bool_or(NOT variants.is_master) OVER (PARTITION BY variants.product_id) AS has_variants,
  ARRAY(SELECT option_value_id FROM variant_option_values WHERE variant_id = variants.id ORDER BY option_value_id)
    AS option_value_ids,
  NOT variants.track_inventory OR EXISTS (
    SELECT FROM stock_items JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
    WHERE stock_items.variant_id = variants.id AND stock_items.deleted_at IS NULL AND stock_locations.active
      AND stock_locations.deleted_at IS NULL AND (stock_items.count_on_hand > 0 OR stock_items.backorderable)
  ) AS is_available
FROM variants JOIN prices ON prices.variant_id = variants.id
WHERE variants.product_id = ANY (ids) AND variants.deleted_at IS NULL AND prices.deleted_at IS NULL
  AND prices.currency = COALESCE((SELECT currency FROM stores WHERE is_default), 'USD')
) AS priced
WHERE is_master <> has_variants),
  articles AS (
    SELECT product_id, array_agg(cents ORDER BY position) AS cents, min(cents) AS lowest, max(cents) AS highest,
      ('x' || left(md5(string_agg(is_available::text || option_value_ids::text, ';' ORDER BY position)),
          16))::bit(64)::bigint AS offers_id
    FROM sold GROUP BY product_id
  ),
  classified AS MATERIALIZED (
    SELECT product_id, ('x' || left(md5(string_agg(taxon_id::text, ';' ORDER BY taxon_id)), 16))::bit(64)::bigint AS set_id,
      array_agg(taxon_id) AS taxon_ids
    FROM classifications WHERE product_id = ANY (ids) GROUP BY product_id
  ),
  described AS MATERIALIZED (
    SELECT product_id,
      ('x' || left(md5(json_agg(json_build_array(property_id, value) ORDER BY property_id)::text), 16))::bit(64)::bigint AS set_id,
      json_agg(json_build_object('property_id', property_id, 'value', value)) AS entries
    FROM product_properties
    WHERE product_id = ANY (ids) AND value <> '' GROUP BY product_id
  ),
  new_offers AS (
    INSERT INTO listing_offers (set_id, position, is_available, option_value_ids)
    SELECT DISTINCT articles.offers_id, sold.position, sold.is_available, sold.option_value_ids
    FROM articles JOIN sold USING (product_id) ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  ),
  new_taxons AS (
    INSERT INTO listing_taxons (set_id, taxon_id)
    SELECT DISTINCT set_id, taxon_id FROM classified, unnest(taxon_ids) AS taxon_id ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  ),
  new_properties AS (
    INSERT INTO listing_properties (set_id, property_id, value)
    SELECT DISTINCT described.set_id, entry.property_id, entry.value
    FROM described, json_to_recordset(described.entries) AS entry (property_id integer, value text) ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  )
  INSERT INTO product_listings AS listing (product_id, available_on, discontinue_on, is_deleted, is_priced, offers_id, taxons_id,
      properties_id, lowest, highest, cents)
  SELECT products.id, products.available_on, products.discontinue_on, products.deleted_at IS NOT NULL,
    COALESCE((SELECT currency FROM stores WHERE is_default), 'USD') = ANY (products.priced_in),
    COALESCE(articles.offers_id, 0), COALESCE(classified.set_id, 0), COALESCE(described.set_id, 0),
    articles.lowest, articles.highest, COALESCE(articles.cents, '{}')
  FROM products
  LEFT JOIN articles ON articles.product_id = products.id
  LEFT JOIN classified ON classified.product_id = products.id
  LEFT JOIN described ON described.product_id = products.id
  WHERE products.id = ANY (ids)
  ON CONFLICT (product_id) DO UPDATE
    SET (available_on, discontinue_on, is_deleted, is_priced, offers_id, taxons_id, properties_id, lowest, highest,
        cents) = (EXCLUDED.available_on, EXCLUDED.discontinue_on, EXCLUDED.is_deleted, EXCLUDED.is_priced, EXCLUDED.offers_id,
        EXCLUDED.taxons_id, EXCLUDED.properties_id, EXCLUDED.lowest, EXCLUDED.highest, EXCLUDED.cents)
  WHERE (listing.available_on, listing.discontinue_on, listing.is_deleted, listing.is_priced, listing.offers_id, listing.taxons_id,
      listing.properties_id, listing.lowest, listing.highest, listing.cents)
    IS DISTINCT FROM (EXCLUDED.available_on, EXCLUDED.discontinue_on, EXCLUDED.is_deleted, EXCLUDED.is_priced, EXCLUDED.offers_id,
        EXCLUDED.taxons_id, EXCLUDED.properties_id, EXCLUDED.lowest, EXCLUDED.highest, EXCLUDED.cents);
END $$;

CREATE OR REPLACE FUNCTION note_listing_changes(ids integer[], kind text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO product_listing_changes (xid, kind, product_ids, is_first)
  SELECT pg_current_xact_id(), kind, ids,
    NOT EXISTS (SELECT FROM product_listing_changes WHERE xid = pg_current_xact_id())
  WHERE ids <> '{}'
$$;

CREATE OR REPLACE FUNCTION apply_product_listing_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed integer[];
  of_catalog integer[];
BEGIN
  WITH noted AS (
    DELETE FROM product_listing_changes WHERE xid = pg_current_xact_id() RETURNING kind, product_ids
  )
  SELECT array_agg(DISTINCT id), array_agg(DISTINCT id) FILTER (WHERE kind = 'catalog') INTO changed, of_catalog
  FROM noted, unnest(product_ids) AS id;
  IF changed IS NOT NULL THEN PERFORM rebuild_product_listings(changed); END IF;
  IF of_catalog IS NOT NULL THEN PERFORM rebuild_search_documents(of_catalog); END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER product_listing_changes_apply AFTER INSERT ON product_listing_changes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (new.is_first) EXECUTE FUNCTION apply_product_listing_changes();

CREATE OR REPLACE FUNCTION note_new_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(SELECT id FROM changed), 'catalog');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_insert_listing AFTER INSERT ON products REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_listing();

CREATE OR REPLACE FUNCTION note_products_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(
    SELECT changed.id FROM changed JOIN former USING (id)
    WHERE (changed.name, changed.description, changed.available_on, changed.discontinue_on, changed.deleted_at, changed.priced_in)
        IS DISTINCT FROM (former.name, former.description, former.available_on, former.discontinue_on, former.deleted_at,
        former.priced_in)
  ), 'catalog');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_update_listing AFTER UPDATE ON products REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_products_listing();

CREATE OR REPLACE FUNCTION note_variants_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected), 'catalog');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER variants_delete_listing AFTER DELETE ON variants REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_listing();
CREATE OR REPLACE TRIGGER variants_insert_listing AFTER INSERT ON variants REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_listing();
CREATE OR REPLACE TRIGGER variants_move_listing AFTER UPDATE ON variants REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_listing();
CREATE OR REPLACE TRIGGER variants_update_listing AFTER UPDATE ON variants REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_listing();

CREATE OR REPLACE FUNCTION note_prices_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(SELECT DISTINCT product_id FROM (SELECT variants.product_id FROM changed
      JOIN variants ON variants.id = changed.variant_id) AS affected), 'offer');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER prices_delete_listing AFTER DELETE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_listing();
CREATE OR REPLACE TRIGGER prices_insert_listing AFTER INSERT ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_listing();
CREATE OR REPLACE TRIGGER prices_move_listing AFTER UPDATE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_listing();
CREATE OR REPLACE TRIGGER prices_update_listing AFTER UPDATE ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_listing();

CREATE OR REPLACE FUNCTION note_variant_option_values_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(SELECT DISTINCT product_id FROM (SELECT variants.product_id FROM changed
      JOIN variants ON variants.id = changed.variant_id) AS affected), 'catalog');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER variant_option_values_delete_listing AFTER DELETE ON variant_option_values REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_listing();
CREATE OR REPLACE TRIGGER variant_option_values_insert_listing AFTER INSERT ON variant_option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_listing();
CREATE OR REPLACE TRIGGER variant_option_values_move_listing AFTER UPDATE ON variant_option_values REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_listing();
CREATE OR REPLACE TRIGGER variant_option_values_update_listing AFTER UPDATE ON variant_option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_listing();

CREATE OR REPLACE FUNCTION note_product_properties_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected), 'catalog');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER product_properties_delete_listing AFTER DELETE ON product_properties REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_listing();
CREATE OR REPLACE TRIGGER product_properties_insert_listing AFTER INSERT ON product_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_listing();
CREATE OR REPLACE TRIGGER product_properties_move_listing AFTER UPDATE ON product_properties REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_listing();
CREATE OR REPLACE TRIGGER product_properties_update_listing AFTER UPDATE ON product_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_listing();

CREATE OR REPLACE FUNCTION note_classifications_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected), 'catalog');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER classifications_delete_listing AFTER DELETE ON classifications REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_classifications_listing();
CREATE OR REPLACE TRIGGER classifications_insert_listing AFTER INSERT ON classifications REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_classifications_listing();

CREATE OR REPLACE FUNCTION note_currency_of_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT currency FROM changed WHERE is_default) IS DISTINCT FROM (SELECT currency FROM former WHERE is_default) THEN
    PERFORM note_listing_changes(ARRAY(SELECT id FROM products), 'catalog');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stores_update_listings AFTER UPDATE ON stores REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_currency_of_listings();

CREATE OR REPLACE FUNCTION note_first_currency() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT currency FROM changed WHERE is_default) <> 'USD' THEN
    PERFORM note_listing_changes(ARRAY(SELECT id FROM products), 'catalog');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stores_delete_listings AFTER DELETE ON stores REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_first_currency();
CREATE OR REPLACE TRIGGER stores_insert_listings AFTER INSERT ON stores REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_first_currency();

CREATE OR REPLACE FUNCTION note_changed_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(
    ARRAY(SELECT DISTINCT product_id FROM variants WHERE id IN (OLD.variant_id, NEW.variant_id)), 'offer');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stock_items_update_listing AFTER UPDATE ON stock_items
  FOR EACH ROW
  WHEN ((old.deleted_at IS NULL AND (old.count_on_hand > 0 OR old.backorderable)) <> (new.deleted_at IS NULL AND (new.count_on_hand > 0
    OR new.backorderable)) OR old.variant_id <> new.variant_id OR old.stock_location_id <> new.stock_location_id)
  EXECUTE FUNCTION note_changed_stock();

CREATE OR REPLACE FUNCTION note_available_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(
    ARRAY(SELECT DISTINCT variants.product_id FROM (
  SELECT variant_id FROM changed WHERE (changed.deleted_at IS NULL AND (changed.count_on_hand > 0 OR changed.backorderable))) AS item
      JOIN variants ON variants.id = item.variant_id), 'offer');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stock_items_delete_listing AFTER DELETE ON stock_items REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_available_stock();
CREATE OR REPLACE TRIGGER stock_items_insert_listing AFTER INSERT ON stock_items REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_available_stock();

CREATE OR REPLACE FUNCTION note_stock_of_locations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_listing_changes(
    ARRAY(SELECT DISTINCT variants.product_id FROM (
  SELECT stock_items.variant_id FROM changed JOIN former USING (id)
  JOIN stock_items ON stock_items.stock_location_id = changed.id
  WHERE (changed.active AND changed.deleted_at IS NULL) <> (former.active AND former.deleted_at IS NULL)
    AND (stock_items.deleted_at IS NULL AND (stock_items.count_on_hand > 0 OR stock_items.backorderable))) AS item
        JOIN variants ON variants.id = item.variant_id), 'offer');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stock_locations_update_listing AFTER UPDATE ON stock_locations REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION note_stock_of_locations();
