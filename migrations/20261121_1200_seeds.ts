import type { Knex } from 'knex';

/** Seed data that is loaded after startup; an interrupted load continues from its row. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE seeds (
      name text NOT NULL CONSTRAINT seeds_pkey PRIMARY KEY,
      -- When the stock for its orders was received.
      delivered_at timestamptz,
      finished_at timestamptz
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP TABLE seeds;`);
}
