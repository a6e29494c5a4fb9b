import type { Knex } from 'knex';
import { dropIndex, replaceIndex, run, type Steps } from '../src/platform/database/migrations/steps';

/**
 * Removes the indexes of columns that every checkout step changes, and leaves room in the pages of the tables, so that PostgreSQL
 * updates their rows in place (heap-only tuples). Conditions and sorts of admins on the other columns read the whole table
 * (docs/decisions/0027-indexes-and-plans.md).
 */
export const up: Steps = [
  ...['orders_state_index', 'orders_updated_at_index', 'orders_total_index', 'orders_item_total_index'].map(
    dropIndex,
  ),
  ...replaceIndex('orders_user_id_index', 'orders (user_id, completed_at DESC) WHERE user_id IS NOT NULL'),
  ...replaceIndex('orders_email_index', 'orders (email, id) WHERE email IS NOT NULL'),
  ...replaceIndex('orders_payment_state_index', 'orders (payment_state, id) WHERE payment_state IS NOT NULL'),
  ...replaceIndex(
    'orders_shipment_state_index',
    'orders (shipment_state, id) WHERE shipment_state IS NOT NULL',
  ),
  ...replaceIndex(
    'orders_bill_address_id_index',
    'orders (bill_address_id) WHERE bill_address_id IS NOT NULL',
  ),
  ...replaceIndex(
    'orders_ship_address_id_index',
    'orders (ship_address_id) WHERE ship_address_id IS NOT NULL',
  ),
  ...['payments_state_index', 'payments_updated_at_index', 'payments_processing_index'].map(dropIndex),
  ...replaceIndex(
    'payments_credit_card_id_index',
    'payments (credit_card_id) WHERE credit_card_id IS NOT NULL',
  ),
  dropIndex('stock_items_location_count_index'),
  run('ALTER TABLE orders SET (fillfactor = 85)'),
  run('ALTER TABLE payments SET (fillfactor = 85)'),
  run('ALTER TABLE stock_items SET (fillfactor = 90)'),
];

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE stock_items RESET (fillfactor);
    CREATE INDEX stock_items_location_count_index ON stock_items (stock_location_id, count_on_hand);

    ALTER TABLE payments RESET (fillfactor);
    DROP INDEX payments_credit_card_id_index;
    CREATE INDEX payments_credit_card_id_index ON payments (credit_card_id);
    CREATE INDEX payments_updated_at_index ON payments (updated_at, id);
    CREATE INDEX payments_state_index ON payments (state, id);
    CREATE INDEX payments_processing_index ON payments (order_id) WHERE state = 'processing';

    ALTER TABLE orders RESET (fillfactor);
    DROP INDEX orders_user_id_index, orders_email_index, orders_payment_state_index, orders_shipment_state_index,
      orders_bill_address_id_index, orders_ship_address_id_index;
    CREATE INDEX orders_user_id_index ON orders (user_id, completed_at DESC);
    CREATE INDEX orders_email_index ON orders (email, id);
    CREATE INDEX orders_state_index ON orders (state, id);
    CREATE INDEX orders_payment_state_index ON orders (payment_state, id);
    CREATE INDEX orders_shipment_state_index ON orders (shipment_state, id);
    CREATE INDEX orders_updated_at_index ON orders (updated_at, id);
    CREATE INDEX orders_total_index ON orders (total, id);
    CREATE INDEX orders_item_total_index ON orders (item_total, id);
    CREATE INDEX orders_bill_address_id_index ON orders (bill_address_id);
    CREATE INDEX orders_ship_address_id_index ON orders (ship_address_id);
  `);
}
