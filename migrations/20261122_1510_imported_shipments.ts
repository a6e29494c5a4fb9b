import type { Knex } from 'knex';

/** Marks shipments that had left before their order was imported: their units were never unstocked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE shipments ADD COLUMN is_imported boolean NOT NULL DEFAULT false
      CONSTRAINT shipments_imported_shipped CHECK (NOT is_imported OR state = 'shipped');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE shipments DROP COLUMN is_imported;`);
}
