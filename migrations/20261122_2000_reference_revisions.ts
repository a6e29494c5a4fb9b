import type { Knex } from 'knex';

/** The tables of each group of reference data. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  countries: ['countries', 'states'],
  payment_methods: ['payment_methods'],
  shipping_methods: [
    ...['shipping_methods', 'shipping_method_categories', 'shipping_method_zones', 'shipping_categories'],
    ...['zones', 'zone_members', 'states'],
  ],
  taxes: ['tax_rates', 'tax_categories', 'zones', 'zone_members', 'states', 'stores', 'shipping_methods'],
};

/**
 * Each group of reference data has a revision: a random value that every statement that changes one of its tables replaces, in
 * its transaction. Equal revisions mean equal data, in any database, also after a rollback. Changes of one group wait for
 * each other.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE reference_revisions (
      name text CONSTRAINT reference_revisions_pkey PRIMARY KEY,
      revision uuid NOT NULL DEFAULT gen_random_uuid()
    ) WITH (fillfactor = 50);

    CREATE FUNCTION change_reference_revisions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM reference_revisions WHERE name = ANY (TG_ARGV) ORDER BY name FOR NO KEY UPDATE;
      UPDATE reference_revisions SET revision = gen_random_uuid() WHERE name = ANY (TG_ARGV);
      RETURN NULL;
    END $$;
  `);
  await knex('reference_revisions').insert(Object.keys(GROUPS).map((name) => ({ name })));
  for (const table of listTables()) {
    const groups = Object.keys(GROUPS).filter((name) => GROUPS[name]?.includes(table));
    await knex.raw(`
      CREATE TRIGGER ${table}_reference AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions(${groups.map((name) => `'${name}'`).join(', ')});
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of listTables()) await knex.raw(`DROP TRIGGER ${table}_reference ON ${table};`);
  await knex.raw(`DROP FUNCTION change_reference_revisions(); DROP TABLE reference_revisions;`);
}

function listTables(): string[] {
  return [...new Set(Object.values(GROUPS).flat())];
}
