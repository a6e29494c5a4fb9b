import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A request with an Idempotency-Key: the results it has committed so far, and its reply. The secret key protects both:
    -- digest and fingerprint are keyed hashes, results and reply are encrypted.
    CREATE TABLE idempotency_keys (
      digest bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
      fingerprint bytea NOT NULL,
      -- The attempt that runs the request. The next request with the same key takes over an expired claim.
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
