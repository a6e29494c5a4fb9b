import type { Knex } from 'knex';

const TABLES = ['products', 'variants', 'orders', 'line_items', 'users'];

/** The tables whose lists are searched by it. */
const SEARCHED = ['products', 'variants', 'orders', 'users'];

/**
 * Data of other systems: `metadata` for staff, `public_metadata` for everyone. The indexes leave out empty objects, so that
 * a record without data is not written to them.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.raw(`
      ALTER TABLE ${table}
        ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}'
          CONSTRAINT ${table}_metadata_object CHECK (jsonb_typeof(metadata) = 'object'),
        ADD COLUMN public_metadata jsonb NOT NULL DEFAULT '{}'
          CONSTRAINT ${table}_public_metadata_object CHECK (jsonb_typeof(public_metadata) = 'object');`);
  }
  for (const table of SEARCHED) {
    await knex.raw(`
      CREATE INDEX ${table}_metadata_index ON ${table} USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}';`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN metadata, DROP COLUMN public_metadata;`);
  }
}
