import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The addresses that users keep. The default addresses of a user are columns of users; those that a checkout saved are not
    -- listed here until another address becomes the default.
    CREATE TABLE user_addresses (
      address_id integer CONSTRAINT user_addresses_pkey PRIMARY KEY
        CONSTRAINT user_addresses_address_id_fkey REFERENCES addresses,
      user_id integer NOT NULL CONSTRAINT user_addresses_user_id_fkey REFERENCES users ON DELETE CASCADE
    );
    CREATE INDEX user_addresses_user_id_index ON user_addresses (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TEMPORARY TABLE removed ON COMMIT DROP AS
      SELECT address_id FROM user_addresses WHERE NOT EXISTS (
        SELECT FROM users WHERE address_id IN (bill_address_id, ship_address_id));
    DROP TABLE user_addresses;
    DELETE FROM addresses WHERE id IN (SELECT address_id FROM removed);
    DROP TABLE removed;
  `);
}
