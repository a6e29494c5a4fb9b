-- Every product has a version, which changes in the transaction of each change that its JSON shows, except stock. Instances keep the
-- JSON of a product for its version. Versions are random: a promoted replica that lacks the last commits must not assign them again.
-- A new or removed classification changes its product; a new position of one is a change of the shared part.

CREATE OR REPLACE FUNCTION random_revision() RETURNS bigint LANGUAGE sql AS $$
  SELECT floor((random() - 0.5) * 4398046511104)::bigint
$$;

CREATE OR REPLACE FUNCTION change_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := random_revision();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER products_version BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION change_product_version();

CREATE OR REPLACE FUNCTION touch_products(ids integer[]) RETURNS void LANGUAGE sql AS $$
  UPDATE products SET version = version
  FROM (
    SELECT products.id FROM products
    WHERE products.id = ANY (ids) AND NOT is_own_write(products.xmin)
    ORDER BY products.id FOR NO KEY UPDATE
  ) AS locked
  WHERE products.id = locked.id
$$;

CREATE OR REPLACE FUNCTION note_classifications_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER classifications_delete_version AFTER DELETE ON classifications REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_classifications_change();
CREATE OR REPLACE TRIGGER classifications_insert_version AFTER INSERT ON classifications REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_classifications_change();

CREATE OR REPLACE FUNCTION note_images_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT variants.product_id FROM changed
    JOIN variants ON variants.id = changed.variant_id) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER images_delete_version AFTER DELETE ON images REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_images_change();
CREATE OR REPLACE TRIGGER images_insert_version AFTER INSERT ON images REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_images_change();
CREATE OR REPLACE TRIGGER images_move_version AFTER UPDATE ON images REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_images_change();
CREATE OR REPLACE TRIGGER images_update_version AFTER UPDATE ON images REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_images_change();

CREATE OR REPLACE FUNCTION note_prices_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT variants.product_id FROM changed
    JOIN variants ON variants.id = changed.variant_id) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
    IF TG_TABLE_NAME <> 'variants' OR TG_OP <> 'INSERT' THEN
      PERFORM update_product_prices(ids);
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER prices_delete_version AFTER DELETE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_change();
CREATE OR REPLACE TRIGGER prices_insert_version AFTER INSERT ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_change();
CREATE OR REPLACE TRIGGER prices_move_version AFTER UPDATE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_change();
CREATE OR REPLACE TRIGGER prices_update_version AFTER UPDATE ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_prices_change();

CREATE OR REPLACE FUNCTION note_product_option_types_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER product_option_types_delete_version AFTER DELETE ON product_option_types REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_option_types_change();
CREATE OR REPLACE TRIGGER product_option_types_insert_version AFTER INSERT ON product_option_types REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_option_types_change();
CREATE OR REPLACE TRIGGER product_option_types_move_version AFTER UPDATE ON product_option_types REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_option_types_change();
CREATE OR REPLACE TRIGGER product_option_types_update_version AFTER UPDATE ON product_option_types REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_option_types_change();

CREATE OR REPLACE FUNCTION note_product_properties_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER product_properties_delete_version AFTER DELETE ON product_properties REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_change();
CREATE OR REPLACE TRIGGER product_properties_insert_version AFTER INSERT ON product_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_change();
CREATE OR REPLACE TRIGGER product_properties_move_version AFTER UPDATE ON product_properties REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_change();
CREATE OR REPLACE TRIGGER product_properties_update_version AFTER UPDATE ON product_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_properties_change();

CREATE OR REPLACE FUNCTION note_variant_option_values_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT variants.product_id FROM changed
    JOIN variants ON variants.id = changed.variant_id) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER variant_option_values_delete_version AFTER DELETE ON variant_option_values REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_change();
CREATE OR REPLACE TRIGGER variant_option_values_insert_version AFTER INSERT ON variant_option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_change();
CREATE OR REPLACE TRIGGER variant_option_values_move_version AFTER UPDATE ON variant_option_values REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_change();
CREATE OR REPLACE TRIGGER variant_option_values_update_version AFTER UPDATE ON variant_option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_option_values_change();

CREATE OR REPLACE FUNCTION note_variants_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT product_id FROM (SELECT product_id FROM changed) AS affected);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_products(ids);
    IF TG_TABLE_NAME <> 'variants' OR TG_OP <> 'INSERT' THEN
      PERFORM update_product_prices(ids);
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER variants_delete_version AFTER DELETE ON variants REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_change();
CREATE OR REPLACE TRIGGER variants_insert_version AFTER INSERT ON variants REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_change();
CREATE OR REPLACE TRIGGER variants_move_version AFTER UPDATE ON variants REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_change();
CREATE OR REPLACE TRIGGER variants_update_version AFTER UPDATE ON variants REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variants_change();
