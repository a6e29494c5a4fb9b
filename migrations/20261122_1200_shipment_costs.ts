import type { Knex } from 'knex';

/**
 * Stores which costs of shipments no rate changes, and finds shipments by their last change. The index is a BRIN index
 * because updates of other columns then stay HOT.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE shipments
      -- Set by an admin, or of a shipment that was made after the sale. Null: the cost is that of the selected rate.
      ADD COLUMN fixed_cost numeric(20,2),
      ADD CONSTRAINT shipments_cost_fixed CHECK (cost = fixed_cost);
    CREATE INDEX shipments_updated_at_index ON shipments USING brin (updated_at)
      WITH (pages_per_range = 16, autosummarize = on);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX shipments_updated_at_index;
    ALTER TABLE shipments DROP COLUMN fixed_cost;
  `);
}
