import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The key from which order tokens, the digests of idempotency keys and the encryption of kept replies are derived. It is
    -- encrypted with SECRET_KEY, whose fingerprint is a keyed hash: an instance with another SECRET_KEY cannot read it.
    CREATE TABLE secret_keys (
      id integer NOT NULL DEFAULT 1 CONSTRAINT secret_keys_pkey PRIMARY KEY
        CONSTRAINT secret_keys_one_row CHECK (id = 1),
      fingerprint bytea NOT NULL CONSTRAINT secret_keys_fingerprint_length CHECK (octet_length(fingerprint) = 32),
      sealed_key bytea NOT NULL,
      updated_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP TABLE secret_keys;`);
}
