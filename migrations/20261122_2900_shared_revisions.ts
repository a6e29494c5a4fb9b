import type { Knex } from 'knex';

/**
 * Changes of what products share add a random number to the revision instead of one. Equal sums therefore mean equal data, in
 * any database and after any rollback, so that what is read inside a transaction can be kept. Statements that read an order
 * read this sum, so an index finds it among the many rows of stock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO catalog_revisions (kind, n)
      VALUES (TG_ARGV[0], CASE TG_ARGV[0] WHEN 'shared' THEN 1 + floor(random() * 2147483648)::bigint ELSE 1 END);
      RETURN NULL;
    END $$;
    CREATE INDEX catalog_revisions_shared_index ON catalog_revisions (n) WHERE kind = 'shared';
    INSERT INTO catalog_revisions (kind, n) VALUES ('shared', 1 + floor(random() * 2147483648)::bigint);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX catalog_revisions_shared_index;
    CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO catalog_revisions (kind) VALUES (TG_ARGV[0]);
      RETURN NULL;
    END $$;
  `);
}
