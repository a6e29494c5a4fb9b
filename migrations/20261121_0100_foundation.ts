import type { Knex } from 'knex';

/**
 * What every later table leans on: trigram search and the trigger that keeps updated_at true.
 * clock_timestamp() rather than now(): two changes inside one transaction still move the time forward.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE EXTENSION IF NOT EXISTS pg_trgm;

    CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := clock_timestamp();
      RETURN NEW;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP FUNCTION touch_updated_at(); DROP EXTENSION IF EXISTS pg_trgm;`);
}
