import type { Knex } from 'knex';

/** Stores when the log last reported that a gateway does not answer, so that several instances report it once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE payment_operations ADD COLUMN alerted_at timestamptz;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE payment_operations DROP COLUMN alerted_at;`);
}
