import type { Knex } from 'knex';

/** Tables whose rows the JSON of a variant shows. */
const PARTS = ['prices', 'images', 'variant_option_values'];

/** Tables with a function that moves `updated_at` of rows. */
const TOUCHED = ['variants', 'users', 'shipments', 'orders'];

/** A row that moves to another variant changes both variants. */
const EVENTS = {
  insert: ['INSERT', 'NEW'],
  update: ['UPDATE', 'NEW'],
  move: ['UPDATE', 'OLD'],
  delete: ['DELETE', 'OLD'],
} as const;

/**
 * Changes of what the JSON of a record shows change its `updated_at`: prices, images and options of a variant, name, slug and
 * description of its product; roles and addresses of a user; the units of a shipment; the returns of an order. Products do so
 * since they have versions, and the program writes an order after its other parts.
 *
 * Rows that this transaction has already written are not written again, and rows are locked by id.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TOUCHED) {
    await knex.raw(`
      CREATE FUNCTION touch_${table}(ids integer[]) RETURNS void LANGUAGE sql AS $$
        UPDATE ${table} SET updated_at = updated_at
        FROM (
          SELECT ${table}.id FROM unnest(ids) AS given (id) JOIN ${table} ON ${table}.id = given.id
          WHERE ${table}.xmin <> pg_current_xact_id()::xid
          ORDER BY ${table}.id FOR NO KEY UPDATE OF ${table}
        ) AS locked
        WHERE ${table}.id = locked.id
      $$;`);
  }
  await createVariantTriggers(knex);
  await createUserTriggers(knex);
  await createSalesTriggers(knex);
}

async function createVariantTriggers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION note_variant_part() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE ids integer[] := ARRAY(SELECT DISTINCT variant_id FROM changed);
    BEGIN
      IF ids <> '{}' THEN
        PERFORM touch_variants(ids);
      END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION note_product_of_variants() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER products_update_variants AFTER UPDATE ON products
      REFERENCING NEW TABLE AS changed OLD TABLE AS former
      FOR EACH STATEMENT EXECUTE FUNCTION note_product_of_variants();
  `);
  for (const table of PARTS) {
    for (const [event, [kind, rows]] of Object.entries(EVENTS)) {
      await knex.raw(`
        CREATE TRIGGER ${table}_${event}_variant AFTER ${kind} ON ${table} REFERENCING ${rows} TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();`);
    }
  }
}

async function createUserTriggers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION note_user_roles() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM touch_users(ARRAY(SELECT DISTINCT user_id FROM changed));
      RETURN NULL;
    END $$;
    CREATE TRIGGER user_roles_insert_user AFTER INSERT ON user_roles REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_user_roles();
    CREATE TRIGGER user_roles_delete_user AFTER DELETE ON user_roles REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_user_roles();
    CREATE FUNCTION note_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
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
    CREATE TRIGGER addresses_update_user AFTER UPDATE ON addresses REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_user_address();
  `);
}

/** Whoever writes units or returns holds the lock of their order, which protects the shipments too. */
async function createSalesTriggers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION note_units() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE ids integer[] := ARRAY(SELECT DISTINCT shipment_id FROM changed);
    BEGIN
      IF ids <> '{}' THEN
        PERFORM touch_shipments(ids);
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER inventory_units_insert_shipment AFTER INSERT ON inventory_units REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_units();
    CREATE TRIGGER inventory_units_delete_shipment AFTER DELETE ON inventory_units REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_units();
    CREATE FUNCTION note_changed_unit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM touch_shipments(ARRAY[OLD.shipment_id, NEW.shipment_id]);
      RETURN NULL;
    END $$;
    -- For each row: its condition costs a sale nothing, unlike a statement over the changed rows.
    CREATE TRIGGER inventory_units_update_shipment AFTER UPDATE ON inventory_units FOR EACH ROW
      WHEN ((OLD.state, OLD.shipment_id, OLD.variant_id) IS DISTINCT FROM (NEW.state, NEW.shipment_id, NEW.variant_id))
      EXECUTE FUNCTION note_changed_unit();

    CREATE FUNCTION note_return() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM touch_orders(ARRAY[COALESCE(NEW.order_id, OLD.order_id)]);
      RETURN NULL;
    END $$;
    CREATE TRIGGER return_authorizations_order AFTER INSERT OR UPDATE OR DELETE ON return_authorizations
      FOR EACH ROW EXECUTE FUNCTION note_return();
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of PARTS) {
    for (const event of Object.keys(EVENTS)) {
      await knex.raw(`DROP TRIGGER ${table}_${event}_variant ON ${table};`);
    }
  }
  await knex.raw(`
    DROP TRIGGER return_authorizations_order ON return_authorizations;
    DROP TRIGGER inventory_units_update_shipment ON inventory_units;
    DROP TRIGGER inventory_units_delete_shipment ON inventory_units;
    DROP TRIGGER inventory_units_insert_shipment ON inventory_units;
    DROP FUNCTION note_return(), note_changed_unit(), note_units();
    DROP TRIGGER addresses_update_user ON addresses;
    DROP TRIGGER user_roles_delete_user ON user_roles;
    DROP TRIGGER user_roles_insert_user ON user_roles;
    DROP TRIGGER products_update_variants ON products;
    DROP FUNCTION note_user_address(), note_user_roles(), note_product_of_variants(), note_variant_part();
  `);
  for (const table of TOUCHED) await knex.raw(`DROP FUNCTION touch_${table}(integer[]);`);
}
