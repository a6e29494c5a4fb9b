import type { Knex } from 'knex';

/** Identifies the lock of those who raise the mark. */
const LOCK_ID = 7_340_129_119;

/** The part of `feed_horizon` after the time `mark` is known: the begin of the oldest transaction that has written, if earlier. */
const OLDEST = `
      PERFORM pg_stat_clear_snapshot();
      SELECT min(CASE
               WHEN session.xact_start IS NOT NULL THEN session.xact_start
               -- A session of another role, or one that reports nothing: it may have begun at any time.
               WHEN session.state IS NULL OR session.state = 'disabled' THEN pg_postmaster_start_time()
             END)
        INTO oldest
        FROM pg_stat_activity AS session
       WHERE session.datid = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND session.pid <> pg_backend_pid()
         -- Autovacuum has no user, and writes no record.
         AND session.usesysid IS NOT NULL
         AND (session.backend_xid IS NOT NULL OR session.state IS NULL AND EXISTS (
           SELECT FROM pg_locks
            WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted AND pg_locks.pid = session.pid));
      IF EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()) THEN
        RETURN to_timestamp(0);
      END IF;
      RETURN date_trunc('milliseconds', least(mark, oldest));`;

/**
 * A high-water mark of the times of feeds, in milliseconds. Each page raises it before it looks for open transactions, and no later
 * change has an earlier time. So a clock that goes back, or that of another machine after a failover, hides nothing from a
 * cursor. While the clock is behind the mark, each page moves the mark by one millisecond.
 *
 * A sequence, because its value is visible at once and to every snapshot, survives a crash, and is replicated.
 *
 * A change is not earlier than the begin of its transaction either: the horizon of a page is that of the oldest open one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE SEQUENCE feed_marks;
    SELECT setval('feed_marks', floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);

    CREATE FUNCTION earliest_change() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
      SELECT date_trunc('milliseconds',
        greatest(clock_timestamp(), now(), to_timestamp(pg_sequence_last_value('feed_marks') / 1000.0)))
    $$;
    CREATE OR REPLACE FUNCTION change_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_current_xact_id();
      RETURN earliest_change();
    END $$;
    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := earliest_change();
      RETURN NEW;
    END $$;

    CREATE FUNCTION raise_feed_mark() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      mark bigint;
    BEGIN
      -- A session that may not write leaves the mark to others.
      IF current_setting('transaction_read_only') = 'on' THEN
        RETURN earliest_change();
      END IF;
      PERFORM pg_advisory_xact_lock(${LOCK_ID});
      mark := greatest(
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, pg_sequence_last_value('feed_marks') + 1);
      RETURN to_timestamp(setval('feed_marks', mark) / 1000.0);
    END $$;
    CREATE OR REPLACE FUNCTION feed_horizon() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      mark timestamptz := raise_feed_mark();
      oldest timestamptz;
    BEGIN${OLDEST}
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION feed_horizon() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      mark timestamptz := clock_timestamp();
      oldest timestamptz;
    BEGIN${OLDEST}
    END $$;
    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := date_trunc('milliseconds', clock_timestamp());
      RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION change_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_current_xact_id();
      RETURN date_trunc('milliseconds', clock_timestamp());
    END $$;
    DROP FUNCTION raise_feed_mark();
    DROP FUNCTION earliest_change();
    DROP SEQUENCE feed_marks;
  `);
}
