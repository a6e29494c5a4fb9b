import type { Knex } from 'knex';

/**
 * Creates what all later tables use: trigram search and the trigger that sets updated_at. The trigger uses clock_timestamp()
 * instead of now(), so that two changes in one transaction get different times.
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
