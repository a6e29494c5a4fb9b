import type { Knex } from 'knex';
import { createIndex, inBatches, run, validate, type Steps } from '../src/platform/database/migrations/steps';

/**
 * Completes the books of stock: movements store who caused them, units store whether their sale was counted, and deleted
 * stock items count 0. A count below zero no longer requires `backorderable`, which may be cleared while units are owed;
 * only a decrease below zero does.
 */
export const up: Steps = [
  run(`
    ALTER TABLE stock_movements
      ADD COLUMN user_id integer CONSTRAINT stock_movements_user_id_fkey REFERENCES users ON DELETE SET NULL,
      DROP CONSTRAINT stock_movements_originator_type_known,
      ADD CONSTRAINT stock_movements_originator_type_known CHECK (
        originator_type IN ('Store::Shipment', 'Store::ReturnAuthorization', 'Store::Variant', 'Store::StockItem')
      ) NOT VALID;
  `),
  validate('stock_movements', 'stock_movements_originator_type_known'),
  createIndex('stock_movements_user_id_index', 'stock_movements (user_id) WHERE user_id IS NOT NULL'),
  run(`
    -- Whether the sale of the unit changed the count of its stock item; its return then changes it too. Meaningless in
    -- carts. True for imported units, which were sold before the ledger began.
    ALTER TABLE inventory_units ADD COLUMN counted boolean NOT NULL DEFAULT true;
  `),
  inBatches(
    'inventory_units',
    async (knex, { after, upTo }) => {
      await knex.raw(`
    UPDATE inventory_units u SET counted = false
     WHERE NOT u.pending AND u.id > ${after} AND u.id <= ${upTo}
       AND NOT EXISTS (SELECT FROM stock_movements m JOIN stock_items i ON i.id = m.stock_item_id
                        WHERE m.originator_type = 'Store::Shipment' AND m.originator_id = u.shipment_id
                          AND i.variant_id = u.variant_id AND m.counted)
       AND (EXISTS (SELECT FROM stock_movements m JOIN stock_items i ON i.id = m.stock_item_id
                     WHERE m.originator_type = 'Store::Shipment' AND m.originator_id = u.shipment_id
                       AND i.variant_id = u.variant_id)
            OR EXISTS (SELECT FROM variants v WHERE v.id = u.variant_id AND NOT v.track_inventory));
    `);
    },
    { size: 20_000 },
  ),
  run(`
    INSERT INTO stock_movements (stock_item_id, quantity, action, created_at)
    SELECT id, -count_on_hand, 'removed', deleted_at FROM stock_items
     WHERE deleted_at IS NOT NULL AND count_on_hand <> 0 ORDER BY id;
    UPDATE stock_items SET count_on_hand = 0 WHERE deleted_at IS NOT NULL AND count_on_hand <> 0;

    ALTER TABLE stock_items
      DROP CONSTRAINT stock_items_count_on_hand_owed,
      ADD CONSTRAINT stock_items_deleted_empty CHECK (deleted_at IS NULL OR count_on_hand = 0);
    CREATE FUNCTION refuse_owing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'stock item % is not backorderable and cannot fall to %', NEW.id, NEW.count_on_hand
        USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END $$;
    CREATE TRIGGER stock_items_count_on_hand_owed BEFORE UPDATE OF count_on_hand ON stock_items
    FOR EACH ROW WHEN (NEW.count_on_hand < 0 AND NEW.count_on_hand < OLD.count_on_hand AND NOT NEW.backorderable)
    EXECUTE FUNCTION refuse_owing();
  `),
];

export async function down(knex: Knex): Promise<void> {
  // Movements that refer to a stock item are kept, so the constraint holds for new rows only.
  await knex.raw(`
    DROP TRIGGER stock_items_count_on_hand_owed ON stock_items;
    DROP FUNCTION refuse_owing();
    UPDATE stock_items SET backorderable = true WHERE count_on_hand < 0 AND NOT backorderable;
    ALTER TABLE stock_items
      DROP CONSTRAINT stock_items_deleted_empty,
      ADD CONSTRAINT stock_items_count_on_hand_owed CHECK (count_on_hand >= 0 OR backorderable OR deleted_at IS NOT NULL);
    ALTER TABLE inventory_units DROP COLUMN counted;
    ALTER TABLE stock_movements
      DROP COLUMN user_id,
      DROP CONSTRAINT stock_movements_originator_type_known,
      ADD CONSTRAINT stock_movements_originator_type_known CHECK (
        originator_type IN ('Store::Shipment', 'Store::ReturnAuthorization', 'Store::Variant')
      ) NOT VALID;
  `);
}
