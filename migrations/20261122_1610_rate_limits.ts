import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The columns and their order are those of rate-limiter-flexible. A key is the name of a limit and the SHA-256 hash of
    -- an account, an order or a network address, so that none of them can be read here. expire is in milliseconds.
    CREATE TABLE rate_limits (
      key varchar(255) CONSTRAINT rate_limits_pkey PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    );
    CREATE INDEX rate_limits_expire_index ON rate_limits (expire);
    -- Addresses from which an account signed in stay familiar.
    INSERT INTO rate_limits (key, points, expire)
    SELECT 'familiar address:' || encode(bucket, 'hex'), 1, (extract(epoch FROM familiar_until) * 1000)::bigint
      FROM sign_in_attempts WHERE familiar_until > now();
    DROP TABLE sign_in_attempts;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sign_in_attempts (
      bucket bytea CONSTRAINT sign_in_attempts_pkey PRIMARY KEY,
      clear_at timestamptz NOT NULL,
      familiar_until timestamptz,
      forget_at timestamptz GENERATED ALWAYS AS (greatest(clear_at, familiar_until)) STORED,
      CONSTRAINT sign_in_attempts_bucket_length CHECK (octet_length(bucket) = 32)
    );
    CREATE INDEX sign_in_attempts_forget_at_index ON sign_in_attempts (forget_at);
    INSERT INTO sign_in_attempts (bucket, clear_at, familiar_until)
    SELECT decode(split_part(key, ':', 2), 'hex'), now(), to_timestamp(expire / 1000.0)
      FROM rate_limits WHERE key LIKE 'familiar address:%';
    DROP TABLE rate_limits;
  `);
}
