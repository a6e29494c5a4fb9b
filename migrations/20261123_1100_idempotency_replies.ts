import type { Knex } from 'knex';

/** One for each day of four: today, yesterday, and two without a reply that may still be given. */
const SLOTS = [0, 1, 2, 3];

/**
 * Kept replies, in a ring of partitions by the day of the database. A whole day is emptied at once, which gives its space
 * back; deleted rows of the largest table would leave it to vacuum. The key stays in `idempotency_keys`, where it is
 * unique whatever the day.
 *
 * `idempotency_keys.reply` is then the one byte of the slot. Versions before this one cannot open it, so that they
 * refuse a repeated request and do not run it again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_replies (
      slot smallint NOT NULL,
      digest bytea NOT NULL,
      reply bytea NOT NULL,
      CONSTRAINT idempotency_replies_pkey PRIMARY KEY (slot, digest)
    ) PARTITION BY LIST (slot);
    ${SLOTS.map((slot) => `CREATE TABLE idempotency_replies_${slot} PARTITION OF idempotency_replies FOR VALUES IN (${slot});`).join('\n    ')}

    -- The slot of a day, counted from today.
    CREATE FUNCTION reply_slot(days integer DEFAULT 0) RETURNS smallint LANGUAGE sql VOLATILE AS $$
      SELECT ((floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint + days) % ${SLOTS.length})::smallint
    $$;

    -- Empties the slot of the day before yesterday; returns how many bytes that has freed. It runs as the owner of the table, because
    -- the role of a running store may not truncate. Everybody may call it: what it empties depends on the clock alone. The
    -- fixed search_path keeps callers from naming another table.
    DO $do$ BEGIN EXECUTE format($create$
      CREATE FUNCTION empty_expired_replies() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, %I, pg_temp
        SET lock_timeout = '300ms' AS $$
      DECLARE
        expired text := 'idempotency_replies_' || reply_slot(-2);
        size bigint := pg_total_relation_size(expired::regclass);
      BEGIN
        IF pg_relation_size(expired::regclass) = 0 THEN RETURN 0; END IF;
        EXECUTE 'TRUNCATE ' || expired;
        RETURN size;
      EXCEPTION WHEN lock_not_available THEN
        -- Such as during a backup. The next call does it.
        RETURN 0;
      END $$ $create$, current_schema());
    END $do$;
  `);
}

/** Versions before this one keep the reply with the key. Keys whose reply is gone stay refused. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE idempotency_keys AS known SET reply = kept.reply FROM idempotency_replies AS kept
     WHERE octet_length(known.reply) = 1 AND kept.slot = get_byte(known.reply, 0) AND kept.digest = known.digest;
    DROP FUNCTION empty_expired_replies();
    DROP FUNCTION reply_slot(integer);
    DROP TABLE idempotency_replies;
  `);
}
