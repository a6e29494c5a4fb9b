import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE api_tokens
      -- Issued by sign-in or sign-up; expires after 30 days without use. Other tokens do not expire.
      ADD COLUMN is_session boolean NOT NULL DEFAULT false,
      -- Updated at most once an hour.
      ADD COLUMN last_used_at timestamptz;
    UPDATE api_tokens SET is_session = true, last_used_at = now() WHERE name IN ('sign-in', 'sign-up');
    CREATE INDEX api_tokens_session_use_index ON api_tokens (coalesce(last_used_at, created_at)) WHERE is_session;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX api_tokens_session_use_index;
    ALTER TABLE api_tokens DROP COLUMN is_session, DROP COLUMN last_used_at;
  `);
}
