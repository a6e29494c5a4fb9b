import type { Knex } from 'knex';

/**
 * Looks for shipments to touch in one statement instead of two. Each is still looked up by itself, as since
 * `20261122_2920_written_shipments`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION note_units() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM changed
          WHERE (SELECT xmin FROM shipments WHERE shipments.id = changed.shipment_id) <> pg_current_xact_id()::xid) THEN
        PERFORM touch_shipments(ARRAY(SELECT DISTINCT shipment_id FROM changed));
      END IF;
      RETURN NULL;
    END $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION note_units() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE ids integer[] := ARRAY(SELECT DISTINCT shipment_id FROM changed);
    BEGIN
      IF EXISTS (SELECT FROM unnest(ids) AS written (id)
          WHERE (SELECT xmin FROM shipments WHERE shipments.id = written.id) <> pg_current_xact_id()::xid) THEN
        PERFORM touch_shipments(ids);
      END IF;
      RETURN NULL;
    END $$`);
}
