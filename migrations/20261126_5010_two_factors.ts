import type { Knex } from 'knex';

/** The second factor of accounts, and the setting that requires it of staff. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE two_factors (
      user_id integer CONSTRAINT two_factors_pkey PRIMARY KEY
        CONSTRAINT two_factors_user_id_foreign REFERENCES users ON DELETE CASCADE,
      sealed_secret bytea NOT NULL,
      recovery_hashes bytea[] NOT NULL,
      enabled_at timestamptz(3),
      last_step bigint,
      created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
      updated_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
    );
    ALTER TABLE stores ADD COLUMN require_two_factor boolean NOT NULL DEFAULT false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE stores DROP COLUMN require_two_factor;
    DROP TABLE two_factors;
  `);
}
