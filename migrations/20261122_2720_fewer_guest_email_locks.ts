import type { Knex } from 'knex';

/**
 * Limits the locks of e-mail addresses to 256, so that a transaction with many orders of guests does not fill the lock table.
 * Addresses that share one wait for each other only while a person is erased.
 */
export async function up(knex: Knex): Promise<void> {
  await replaceKey(knex, `hashtext(lower(email)) & 255`);
}

export async function down(knex: Knex): Promise<void> {
  await replaceKey(knex, `hashtext('guest e-mail ' || lower(email))`);
}

async function replaceKey(knex: Knex, key: string): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION guest_email_key(email text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT ${key}
    $$;
  `);
}
