-- Changes of what the JSON of a record shows change its `updated_at`: prices, images and options of a variant, name, slug and
-- description of its product; roles and addresses of a user; the units of a shipment; the returns of an order. Rows are locked by id.

CREATE OR REPLACE FUNCTION touch_variants(ids integer[]) RETURNS void LANGUAGE sql AS $$
  UPDATE variants SET updated_at = updated_at
  FROM (
    SELECT variants.id FROM unnest(ids) AS given (id) JOIN variants ON variants.id = given.id
    WHERE NOT is_own_write(variants.xmin)
    ORDER BY variants.id FOR NO KEY UPDATE OF variants
  ) AS locked
  WHERE variants.id = locked.id
$$;

CREATE OR REPLACE FUNCTION touch_users(ids integer[]) RETURNS void LANGUAGE sql AS $$
  UPDATE users SET updated_at = updated_at
  FROM (
    SELECT users.id FROM unnest(ids) AS given (id) JOIN users ON users.id = given.id
    WHERE NOT is_own_write(users.xmin)
    ORDER BY users.id FOR NO KEY UPDATE OF users
  ) AS locked
  WHERE users.id = locked.id
$$;

CREATE OR REPLACE FUNCTION touch_shipments(ids integer[]) RETURNS void LANGUAGE sql AS $$
  UPDATE shipments SET updated_at = updated_at
  FROM (
    SELECT shipments.id FROM unnest(ids) AS given (id) JOIN shipments ON shipments.id = given.id
    WHERE NOT is_own_write(shipments.xmin)
    ORDER BY shipments.id FOR NO KEY UPDATE OF shipments
  ) AS locked
  WHERE shipments.id = locked.id
$$;

CREATE OR REPLACE FUNCTION touch_orders(ids integer[]) RETURNS void LANGUAGE sql AS $$
  UPDATE orders SET updated_at = updated_at
  FROM (
    SELECT orders.id FROM unnest(ids) AS given (id) JOIN orders ON orders.id = given.id
    WHERE NOT is_own_write(orders.xmin)
    ORDER BY orders.id FOR NO KEY UPDATE OF orders
  ) AS locked
  WHERE orders.id = locked.id
$$;

CREATE OR REPLACE FUNCTION note_variant_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(SELECT DISTINCT variant_id FROM changed);
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_variants(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER images_delete_variant AFTER DELETE ON images REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER images_insert_variant AFTER INSERT ON images REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER images_move_variant AFTER UPDATE ON images REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER images_update_variant AFTER UPDATE ON images REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER prices_delete_variant AFTER DELETE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER prices_insert_variant AFTER INSERT ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER prices_move_variant AFTER UPDATE ON prices REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER prices_update_variant AFTER UPDATE ON prices REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER variant_option_values_delete_variant AFTER DELETE ON variant_option_values REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER variant_option_values_insert_variant AFTER INSERT ON variant_option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER variant_option_values_move_variant AFTER UPDATE ON variant_option_values REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();
CREATE OR REPLACE TRIGGER variant_option_values_update_variant AFTER UPDATE ON variant_option_values REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();

CREATE OR REPLACE FUNCTION note_product_of_variants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE products integer[] := ARRAY(
  SELECT id FROM changed JOIN former USING (id)
  WHERE (changed.name, changed.slug, changed.description)
    IS DISTINCT FROM (former.name, former.slug, former.description));
BEGIN
  IF products <> '{}' THEN
    PERFORM touch_variants(ARRAY(SELECT id FROM variants WHERE product_id = ANY (products)));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_update_variants AFTER UPDATE ON products REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_product_of_variants();

CREATE OR REPLACE FUNCTION note_user_roles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch_users(ARRAY(SELECT DISTINCT user_id FROM changed));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_roles_delete_user AFTER DELETE ON user_roles REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_user_roles();
CREATE OR REPLACE TRIGGER user_roles_insert_user AFTER INSERT ON user_roles REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_user_roles();

CREATE OR REPLACE FUNCTION note_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[] := ARRAY(
  SELECT users.id FROM users
   WHERE users.bill_address_id = ANY (ARRAY(SELECT id FROM changed))
  UNION
  SELECT users.id FROM users
   WHERE users.ship_address_id = ANY (ARRAY(SELECT id FROM changed)));
BEGIN
  IF ids <> '{}' THEN
    PERFORM touch_users(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER addresses_update_user AFTER UPDATE ON addresses REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_user_address();

CREATE OR REPLACE FUNCTION note_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed
      WHERE NOT is_own_write((SELECT xmin FROM shipments WHERE shipments.id = changed.shipment_id))) THEN
    PERFORM touch_shipments(ARRAY(SELECT DISTINCT shipment_id FROM changed));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER inventory_units_delete_shipment AFTER DELETE ON inventory_units REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_units();
CREATE OR REPLACE TRIGGER inventory_units_insert_shipment AFTER INSERT ON inventory_units REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_units();

-- Once for each statement, because an order may have 20,000 units; for each row with the trigger of the version before.
CREATE OR REPLACE FUNCTION note_changed_unit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids integer[];
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    ids := ARRAY[OLD.shipment_id, NEW.shipment_id];
  ELSE
    ids := ARRAY(
      SELECT DISTINCT unnest(ARRAY[former.shipment_id, changed.shipment_id])
        FROM former JOIN changed USING (id)
       WHERE (former.state, former.shipment_id, former.variant_id)
             IS DISTINCT FROM (changed.state, changed.shipment_id, changed.variant_id));
  END IF;
  IF ids <> '{}' THEN
    PERFORM touch_shipments(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER inventory_units_update_shipment AFTER UPDATE ON inventory_units REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_unit();

CREATE OR REPLACE FUNCTION note_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch_orders(ARRAY[COALESCE(NEW.order_id, OLD.order_id)]);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER return_authorizations_order AFTER INSERT OR DELETE OR UPDATE ON return_authorizations
  FOR EACH ROW EXECUTE FUNCTION note_return();
