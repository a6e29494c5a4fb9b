import type { Knex } from 'knex';

/**
 * A transaction that gives an order of a guest an e-mail address holds a shared lock of the address until it ends. Erasing a person
 * takes the same lock exclusively, and so waits for orders that it cannot see yet. The keys are those of `lockGuestEmails`.
 *
 * There are 256 keys, so that a transaction with many orders of guests does not fill the lock table. Addresses that share one wait
 * for each other only while a person is erased.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION guest_email_key(email text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT hashtext(lower(email)) & 255
    $$;
    CREATE FUNCTION share_guest_email() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(7104, guest_email_key(NEW.email));
      RETURN NULL;
    END $$;
    CREATE TRIGGER orders_share_guest_email AFTER INSERT OR UPDATE OF email, user_id ON orders FOR EACH ROW
    WHEN (NEW.user_id IS NULL AND NEW.email IS NOT NULL)
    EXECUTE FUNCTION share_guest_email();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER orders_share_guest_email ON orders;
    DROP FUNCTION share_guest_email();
    DROP FUNCTION guest_email_key(text);
  `);
}
