import { buildErrorReply } from '../../../src/errors/error-handler';
import { testDb } from '../../support/database';

/** Unique constraints without a message: the program chooses the values, or checks or locks before it writes. */
const INTERNAL = [
  'api_tokens_token_hash_unique',
  'countries_iso3_unique',
  'countries_iso_unique',
  'credit_cards_one_default',
  'disputes_reference_unique',
  'documents_one_invoice',
  'documents_refund_unique',
  'documents_sequence_unique',
  'event_notes_once',
  'gateway_events_event_unique',
  'images_position_unique',
  'imports_storage_key_unique',
  'line_items_order_variant_unique',
  'mail_templates_name_unique',
  'orders_token_hash_unique',
  'password_resets_token_hash_unique',
  'payment_operations_idempotency_key_unique',
  'payment_operations_one_running',
  'payments_number_unique',
  'prices_variant_currency_unique',
  'refunds_operation_unique',
  'return_authorizations_number_unique',
  'return_freights_shipment_unique',
  'return_items_line_unique',
  'return_remainders_return_authorization_id_key',
  'return_request_items_line_unique',
  'shipping_rates_method_unique',
  'shipping_rates_one_selected',
  'states_abbr_unique',
  'stock_locations_one_default',
  'stores_one_default',
  'tax_categories_one_default',
  'taxons_one_root',
  'taxons_permalink_unique',
  'variants_one_master',
  'webhook_deliveries_event_unique',
  'zone_members_country_unique',
  'zone_members_state_unique',
  'zones_one_default_tax',
];

test('every unique constraint has a message for clients, or is listed as internal', async () => {
  const { rows } = await testDb().raw(`
    SELECT index.relname AS name FROM pg_index
      JOIN pg_class AS index ON index.oid = pg_index.indexrelid
     WHERE indisunique AND NOT indisprimary AND index.relnamespace = 'public'::regnamespace
     ORDER BY 1`);
  const unexplained = rows.filter(({ name }: { name: string }) => {
    const error = Object.assign(new Error(name), { code: '23505', constraint: name });
    return buildErrorReply(error) === null;
  });
  expect(unexplained.map(({ name }: { name: string }) => name)).toEqual(INTERNAL);
});
