import type { Knex } from 'knex';

const IGNORED = `ARRAY['id', 'lock_version', 'created_at', 'updated_at']`;
const BEFORE = `to_jsonb(old_units) - ${IGNORED}`;
const AFTER = `to_jsonb(new_units) - ${IGNORED}`;

/** The rows of each statement, before and after, and the columns that say how many units there were. */
const EVENTS = {
  insert: {
    tables: 'NEW TABLE AS new_units',
    rows: `SELECT '{}'::jsonb AS before, ${AFTER} AS after FROM new_units`,
    quantity: 'jsonb_build_array(NULL, units)',
  },
  update: {
    tables: 'OLD TABLE AS old_units NEW TABLE AS new_units',
    rows: `SELECT ${BEFORE} AS before, ${AFTER} AS after FROM old_units JOIN new_units USING (id)`,
    quantity: 'jsonb_build_array(units, units)',
  },
  delete: {
    tables: 'OLD TABLE AS old_units',
    rows: `SELECT ${BEFORE} AS before, '{}'::jsonb AS after FROM old_units`,
    quantity: 'jsonb_build_array(units, NULL)',
  },
};

/**
 * Logs the units that a statement of staff changes alike in one entry with their `quantity`. An entry for each of the units of a
 * large order took longer than a statement may run, so that it could not be shipped.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER inventory_units_audit ON inventory_units');
  for (const [event, { tables, rows, quantity }] of Object.entries(EVENTS)) {
    await knex.raw(`
      CREATE FUNCTION note_${event}_of_units() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        author jsonb := current_setting('store.author')::jsonb;
      BEGIN
        INSERT INTO audit_log
          (user_id, user_email, api_token_name, request_id, address, action, subject_type, subject_id, changes)
        SELECT (author ->> 'user_id')::integer, author ->> 'user_email', author ->> 'api_token_name', author ->> 'request_id',
               author ->> 'address', '${event === 'insert' ? 'create' : event}', 'Store::Shipment',
               ((after || before) ->> 'shipment_id')::integer,
               (SELECT jsonb_object_agg(name, jsonb_build_array(before -> name, after -> name))
                  FROM jsonb_object_keys(before || after) AS name
                 WHERE before -> name IS DISTINCT FROM after -> name) || jsonb_build_object('quantity', ${quantity})
          FROM (SELECT before, after, count(*) AS units FROM (${rows}) AS unit
                 WHERE before <> after GROUP BY before, after) AS alike;
        RETURN NULL;
      END $$;
      CREATE TRIGGER inventory_units_${event}_audit AFTER ${event} ON inventory_units REFERENCING ${tables}
        FOR EACH STATEMENT WHEN (COALESCE(current_setting('store.author', true), '') <> '')
        EXECUTE FUNCTION note_${event}_of_units();`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const event of Object.keys(EVENTS)) {
    await knex.raw(`DROP TRIGGER inventory_units_${event}_audit ON inventory_units`);
    await knex.raw(`DROP FUNCTION note_${event}_of_units()`);
  }
  await knex.raw(`
    CREATE TRIGGER inventory_units_audit AFTER INSERT OR UPDATE OR DELETE ON inventory_units FOR EACH ROW
    WHEN (COALESCE(current_setting('store.author', true), '') <> '')
    EXECUTE FUNCTION note_audit('Store::Shipment', 'shipment_id')`);
}
