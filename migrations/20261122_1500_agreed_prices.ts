import type { Knex } from 'knex';

/** Marks line items whose price an admin set. Which existing ones these are is unknown, so none is marked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE line_items ADD COLUMN price_is_agreed boolean NOT NULL DEFAULT false;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE line_items DROP COLUMN price_is_agreed;`);
}
