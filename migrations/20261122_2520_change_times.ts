import type { Knex } from 'knex';

/** Tables whose rows the JSON of a variant shows. */
const PARTS = ['prices', 'images', 'variant_option_values'];

/** A row that moves to another variant changes both variants. */
const EVENTS = {
  insert: ['INSERT', 'NEW'],
  update: ['UPDATE', 'NEW'],
  move: ['UPDATE', 'OLD'],
  delete: ['DELETE', 'OLD'],
} as const;

/**
 * Changes of what the JSON of a variant or of a user shows change its `updated_at`: prices, images and options of the variant,
 * name, slug and description of its product; roles and addresses of the user. Products do so since they have versions.
 *
 * Rows that this transaction has already written are not written again, and rows are locked by id.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION touch_variants(ids integer[]) RETURNS void LANGUAGE sql AS $$
      UPDATE variants SET updated_at = updated_at
      FROM (
        SELECT variants.id FROM variants
        WHERE variants.id = ANY (ids) AND variants.xmin <> pg_current_xact_id()::xid
        ORDER BY variants.id FOR NO KEY UPDATE
      ) AS locked
      WHERE variants.id = locked.id
    $$;
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

    CREATE FUNCTION touch_users(ids integer[]) RETURNS void LANGUAGE sql AS $$
      UPDATE users SET updated_at = updated_at
      FROM (
        SELECT users.id FROM users
        WHERE users.id = ANY (ids) AND users.xmin <> pg_current_xact_id()::xid
        ORDER BY users.id FOR NO KEY UPDATE
      ) AS locked
      WHERE users.id = locked.id
    $$;
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
  for (const table of PARTS) {
    for (const [event, [kind, rows]] of Object.entries(EVENTS)) {
      await knex.raw(`
        CREATE TRIGGER ${table}_${event}_variant AFTER ${kind} ON ${table} REFERENCING ${rows} TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION note_variant_part();`);
    }
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of PARTS) {
    for (const event of Object.keys(EVENTS)) {
      await knex.raw(`DROP TRIGGER ${table}_${event}_variant ON ${table};`);
    }
  }
  await knex.raw(`
    DROP TRIGGER addresses_update_user ON addresses;
    DROP TRIGGER user_roles_delete_user ON user_roles;
    DROP TRIGGER user_roles_insert_user ON user_roles;
    DROP TRIGGER products_update_variants ON products;
    DROP FUNCTION note_user_address(), note_user_roles(), touch_users(integer[]), note_product_of_variants(),
      note_variant_part(), touch_variants(integer[]);
  `);
}
