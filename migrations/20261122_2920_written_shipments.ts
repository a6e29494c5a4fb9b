import type { Knex } from 'knex';

const buildNoteUnits = (condition: string): string => `
  CREATE OR REPLACE FUNCTION note_units() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE ids integer[] := ARRAY(SELECT DISTINCT shipment_id FROM changed);
  BEGIN
    IF ${condition} THEN
      PERFORM touch_shipments(ids);
    END IF;
    RETURN NULL;
  END $$;`;

/**
 * Calls `touch_shipments` only if it finds a shipment to touch: PostgreSQL plans its statement at each call. In a checkout
 * the units are inserted together with their shipment. Each shipment is looked up by itself, because the plan for a list
 * of ids would be kept from when the table was empty, and read all of it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    buildNoteUnits(
      `EXISTS (SELECT FROM unnest(ids) AS written (id)
        WHERE (SELECT xmin FROM shipments WHERE shipments.id = written.id) <> pg_current_xact_id()::xid)`,
    ),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(buildNoteUnits(`ids <> '{}'`));
}
