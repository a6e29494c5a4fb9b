import type { Knex } from 'knex';

const TOUCH = 'CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS';

/**
 * Lets a statement name the time of a change, so that the program knows it before it writes: the `earliest_change` when it
 * read the record, after its lock. The time is kept if it is later than that of the last change, has passed, and is not
 * before the begin of the transaction, which the horizon of feeds waits for. While the clock is behind the mark of feeds, only
 * the present is kept. Otherwise the time is that of the statement, as when none is named.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${TOUCH} $$
    DECLARE
      present timestamptz := earliest_change();
    BEGIN
      IF NEW.updated_at > OLD.updated_at AND (NEW.updated_at = present OR
        present <= clock_timestamp() AND NEW.updated_at BETWEEN date_trunc('milliseconds', now()) AND present)
      THEN
        RETURN NEW;
      END IF;
      NEW.updated_at := present;
      RETURN NEW;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${TOUCH} $$
    BEGIN
      NEW.updated_at := earliest_change();
      RETURN NEW;
    END $$;
  `);
}
