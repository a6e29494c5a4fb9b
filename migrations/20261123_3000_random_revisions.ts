import type { Knex } from 'knex';

/**
 * Each change adds a random number to the revision of the catalog, and gives its product a random version. A replica that is
 * promoted before it has the last commits counts on from an earlier number, and so does a restored backup: instances would take
 * what they keep of the lost commits for the data of the new ones. Equal revisions mean equal data in any copy of a database.
 *
 * A number lies between -2^41 and 2^41, so that sums do not overflow.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION random_revision() RETURNS bigint LANGUAGE sql VOLATILE AS $$
      SELECT floor((random() - 0.5) * 4398046511104)::bigint
    $$;

    ALTER TABLE catalog_revisions ALTER n SET DEFAULT random_revision();
    CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO catalog_revisions (kind) VALUES (TG_ARGV[0]);
      RETURN NULL;
    END $$;

    ALTER TABLE products ALTER version SET DEFAULT random_revision();
    CREATE FUNCTION change_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.version := random_revision();
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER products_version BEFORE UPDATE ON products
      FOR EACH ROW EXECUTE FUNCTION change_product_version();
    DROP FUNCTION increase_product_version();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION increase_product_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.version := OLD.version + 1;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER products_version BEFORE UPDATE ON products
      FOR EACH ROW EXECUTE FUNCTION increase_product_version();
    DROP FUNCTION change_product_version();
    ALTER TABLE products ALTER version SET DEFAULT 1;
    CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO catalog_revisions (kind, n)
      VALUES (TG_ARGV[0], CASE TG_ARGV[0] WHEN 'shared' THEN 1 + floor(random() * 2147483648)::bigint ELSE 1 END);
      RETURN NULL;
    END $$;
    ALTER TABLE catalog_revisions ALTER n SET DEFAULT 1;
    DROP FUNCTION random_revision();
  `);
}
