import type { Knex } from 'knex';

/**
 * Accounts that were merged into others. The e-mail address of a merged account still belongs to the person: guest orders may have
 * it. The number of the account is kept for the audit log, which names both accounts; the account itself is deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE merged_users (
      id integer CONSTRAINT merged_users_pkey PRIMARY KEY,
      user_id integer NOT NULL CONSTRAINT merged_users_user_id_fkey REFERENCES users ON DELETE CASCADE,
      email text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
      CONSTRAINT merged_users_not_itself CHECK (id <> user_id)
    );
    CREATE INDEX merged_users_user_id_index ON merged_users (user_id);
    CREATE TRIGGER merged_users_audit AFTER INSERT OR UPDATE OR DELETE ON merged_users FOR EACH ROW
    WHEN (COALESCE(current_setting('store.author', true), '') <> '')
    EXECUTE FUNCTION note_audit('Store::User', 'user_id');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP TABLE merged_users;`);
}
