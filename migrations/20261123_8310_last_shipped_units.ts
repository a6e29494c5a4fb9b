import type { Knex } from 'knex';

/**
 * When the last unit of a shipment left that was shipped by itself. If the other units are taken off the shipment later, this
 * is when it shipped. Units have no times of their own; what shipped before gets the time of its last change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE shipments ADD COLUMN unit_shipped_at timestamptz(3)');
  await knex.raw(`
    UPDATE shipments SET unit_shipped_at = left_at
      FROM (SELECT u.shipment_id, max(u.updated_at) AS left_at
              FROM inventory_units u JOIN shipments s ON s.id = u.shipment_id AND s.state IN ('pending', 'ready')
             WHERE u.state IN ('shipped', 'returned')
             GROUP BY u.shipment_id) units
     WHERE shipments.id = units.shipment_id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE shipments DROP COLUMN unit_shipped_at');
}
