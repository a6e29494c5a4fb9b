import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A request that may be sent again: what it has committed so far, and its reply. Nothing here can be read without the
    -- program's secret: digest and fingerprint are keyed hashes, results and reply are encrypted.
    CREATE TABLE idempotency_keys (
      digest bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
      fingerprint bytea NOT NULL,
      -- Who works on the request; a request whose claim has run out is taken over by the next one with the same key.
      claim uuid NOT NULL,
      claimed_until timestamptz NOT NULL,
      -- The results of the request's transactions, each written by the transaction itself.
      results bytea[] NOT NULL DEFAULT '{}',
      reply bytea,
      created_at timestamptz NOT NULL,
      CONSTRAINT idempotency_keys_digest_length CHECK (octet_length(digest) = 32),
      CONSTRAINT idempotency_keys_fingerprint_length CHECK (octet_length(fingerprint) = 32)
    );
    CREATE INDEX idempotency_keys_created_at_index ON idempotency_keys (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP TABLE idempotency_keys;`);
}
