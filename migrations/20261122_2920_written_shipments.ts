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
 * the units are inserted together with their shipment.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    buildNoteUnits(
      'EXISTS (SELECT FROM shipments WHERE id = ANY (ids) AND xmin <> pg_current_xact_id()::xid)',
    ),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(buildNoteUnits(`ids <> '{}'`));
}
