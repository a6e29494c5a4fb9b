import type { Knex } from 'knex';
import {
  createIndex,
  createUniqueIndex,
  dropIndex,
  replaceIndex,
  run,
  type Step,
  type Steps,
} from '../src/platform/database/migrations/steps';

/**
 * Writes fewer index entries for each checkout (docs/decisions/0027-indexes-and-plans.md): drops indexes that repeat the
 * start of another or serve no list, and leaves out the rows that no search finds.
 */
export const up: Steps = [
  // Histories and rates are only read through their order or shipment: one index instead of two.
  ...replacePrimaryKey('state_changes', 'order_id, id'),
  dropIndex('state_changes_order_id_index'),
  ...replacePrimaryKey('order_changes', 'order_id, id'),
  dropIndex('order_changes_order_id_index'),
  ...replacePrimaryKey('shipping_rates', 'shipment_id, id'),
  createUniqueIndex('shipping_rates_new_unique', 'shipping_rates (shipping_method_id, shipment_id)'),
  run(`
    ALTER TABLE shipping_rates DROP CONSTRAINT shipping_rates_method_unique,
      ADD CONSTRAINT shipping_rates_method_unique UNIQUE USING INDEX shipping_rates_new_unique`),
  dropIndex('shipping_rates_shipping_method_id_index'),

  // One GIN index of two columns serves both, with half the records in the WAL.
  createIndex('orders_texts_trigram', 'orders USING gin (number gin_trgm_ops, email gin_trgm_ops)'),
  dropIndex('orders_number_trigram'),
  dropIndex('orders_email_trigram'),
  ...replaceIndex('orders_buyer_email_index', 'orders (lower(email)) WHERE email IS NOT NULL'),

  // The pending shipments are the unsettled ones, and shipments_state_index has them.
  dropIndex('shipments_unsettled_index'),
  ...replaceIndex('shipments_tracking_index', 'shipments (tracking, id) WHERE tracking IS NOT NULL'),

  // payment_operations_one_running has the started operations, which are few.
  ...['payments_amount_index', 'payment_operations_claimed_until_index'].map(dropIndex),
  createIndex('payments_response_code_index', 'payments (response_code, id) WHERE response_code IS NOT NULL'),
  dropIndex('payments_response_code_trigram'),

  // Only saved cards have a user, and only they are searched by user or profile.
  ...replaceIndex('credit_cards_user_id_index', 'credit_cards (user_id) WHERE user_id IS NOT NULL'),
  ...replaceIndex(
    'credit_cards_customer_profile_index',
    'credit_cards (gateway_customer_profile_id) WHERE gateway_customer_profile_id IS NOT NULL AND user_id IS NOT NULL',
  ),
  ...replaceIndex(
    'credit_cards_payment_profile_index',
    'credit_cards (gateway_payment_profile_id) WHERE gateway_payment_profile_id IS NOT NULL AND user_id IS NOT NULL',
  ),

  dropIndex('stock_movements_quantity_index'),

  createUniqueIndex('documents_new_unique', 'documents (refund_id) WHERE refund_id IS NOT NULL'),
  run(`
    ALTER TABLE documents DROP CONSTRAINT documents_refund_unique;
    ALTER INDEX documents_new_unique RENAME TO documents_refund_unique;`),
];

/** Builds the index first, so that the table is locked only while the constraint changes. */
function replacePrimaryKey(table: string, columns: string): Step[] {
  return [
    createUniqueIndex(`${table}_new_key`, `${table} (${columns})`),
    run(`
      ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey,
        ADD CONSTRAINT ${table}_pkey PRIMARY KEY USING INDEX ${table}_new_key`),
  ];
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX documents_refund_unique;
    ALTER TABLE documents ADD CONSTRAINT documents_refund_unique UNIQUE (refund_id);

    CREATE INDEX stock_movements_quantity_index ON stock_movements (quantity, id);

    DROP INDEX credit_cards_user_id_index, credit_cards_customer_profile_index, credit_cards_payment_profile_index;
    CREATE INDEX credit_cards_user_id_index ON credit_cards (user_id);
    CREATE INDEX credit_cards_customer_profile_index ON credit_cards (gateway_customer_profile_id)
      WHERE gateway_customer_profile_id IS NOT NULL;
    CREATE INDEX credit_cards_payment_profile_index ON credit_cards (gateway_payment_profile_id)
      WHERE gateway_payment_profile_id IS NOT NULL;

    DROP INDEX payments_response_code_index;
    CREATE INDEX payment_operations_claimed_until_index ON payment_operations (claimed_until) WHERE state = 'started';
    CREATE INDEX payments_response_code_trigram ON payments USING gin (response_code gin_trgm_ops);
    CREATE INDEX payments_amount_index ON payments (amount, id);

    DROP INDEX shipments_tracking_index;
    CREATE INDEX shipments_unsettled_index ON shipments (id) WHERE feed_at IS NULL;
    CREATE INDEX shipments_tracking_index ON shipments (tracking, id);

    DROP INDEX orders_texts_trigram, orders_buyer_email_index;
    CREATE INDEX orders_buyer_email_index ON orders (lower(email));
    CREATE INDEX orders_email_trigram ON orders USING gin (email gin_trgm_ops);
    CREATE INDEX orders_number_trigram ON orders USING gin (number gin_trgm_ops);

    ALTER TABLE shipping_rates DROP CONSTRAINT shipping_rates_pkey, DROP CONSTRAINT shipping_rates_method_unique,
      ADD CONSTRAINT shipping_rates_pkey PRIMARY KEY (id),
      ADD CONSTRAINT shipping_rates_method_unique UNIQUE (shipment_id, shipping_method_id);
    ALTER TABLE order_changes DROP CONSTRAINT order_changes_pkey, ADD CONSTRAINT order_changes_pkey PRIMARY KEY (id);
    ALTER TABLE state_changes DROP CONSTRAINT state_changes_pkey, ADD CONSTRAINT state_changes_pkey PRIMARY KEY (id);
    CREATE INDEX shipping_rates_shipping_method_id_index ON shipping_rates (shipping_method_id);
    CREATE INDEX order_changes_order_id_index ON order_changes (order_id, id);
    CREATE INDEX state_changes_order_id_index ON state_changes (order_id, id);
  `);
}
