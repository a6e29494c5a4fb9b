import type { Knex } from 'knex';

/** What the store was filled with that takes longer than a start may take; an interrupted one goes on from here. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE seeds (
      name text NOT NULL CONSTRAINT seeds_pkey PRIMARY KEY,
      -- When the goods came in that its orders take.
      delivered_at timestamptz,
      finished_at timestamptz
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP TABLE seeds;`);
}
