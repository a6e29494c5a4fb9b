import type { Knex } from 'knex';

/** The audited tables: the type of the subject, and the column with its id. */
const SUBJECTS: Record<string, [type: string, id: string]> = {
  users: ['Store::User', 'id'],
  user_roles: ['Store::User', 'user_id'],
  user_addresses: ['Store::User', 'user_id'],
  roles: ['Store::Role', 'id'],
  api_tokens: ['Store::ApiToken', 'id'],
  stores: ['Store::Store', 'id'],
  countries: ['Store::Country', 'id'],
  states: ['Store::State', 'id'],
  zones: ['Store::Zone', 'id'],
  zone_members: ['Store::Zone', 'zone_id'],
  addresses: ['Store::Address', 'id'],
  tax_categories: ['Store::TaxCategory', 'id'],
  tax_rates: ['Store::TaxRate', 'id'],
  shipping_categories: ['Store::ShippingCategory', 'id'],
  shipping_methods: ['Store::ShippingMethod', 'id'],
  shipping_method_categories: ['Store::ShippingMethod', 'shipping_method_id'],
  shipping_method_zones: ['Store::ShippingMethod', 'shipping_method_id'],
  payment_methods: ['Store::PaymentMethod', 'id'],
  return_authorization_reasons: ['Store::ReturnAuthorizationReason', 'id'],
  promotions: ['Store::Promotion', 'id'],
  promotion_rules: ['Store::Promotion', 'promotion_id'],
  promotion_actions: ['Store::Promotion', 'promotion_id'],
  promotion_rule_products: ['Store::PromotionRule', 'promotion_rule_id'],
  promotion_rule_taxons: ['Store::PromotionRule', 'promotion_rule_id'],
  promotion_rule_users: ['Store::PromotionRule', 'promotion_rule_id'],
  products: ['Store::Product', 'id'],
  product_option_types: ['Store::Product', 'product_id'],
  product_properties: ['Store::Product', 'product_id'],
  classifications: ['Store::Product', 'product_id'],
  variants: ['Store::Variant', 'id'],
  // A change of price is found by its variant.
  prices: ['Store::Variant', 'variant_id'],
  variant_option_values: ['Store::Variant', 'variant_id'],
  images: ['Store::Variant', 'variant_id'],
  option_types: ['Store::OptionType', 'id'],
  option_values: ['Store::OptionValue', 'id'],
  properties: ['Store::Property', 'id'],
  taxonomies: ['Store::Taxonomy', 'id'],
  taxons: ['Store::Taxon', 'id'],
  stock_locations: ['Store::StockLocation', 'id'],
  stock_items: ['Store::StockItem', 'id'],
  stock_movements: ['Store::StockMovement', 'id'],
  orders: ['Store::Order', 'id'],
  line_items: ['Store::Order', 'order_id'],
  adjustments: ['Store::Order', 'order_id'],
  order_promotions: ['Store::Order', 'order_id'],
  shipments: ['Store::Shipment', 'id'],
  inventory_units: ['Store::Shipment', 'shipment_id'],
  payments: ['Store::Payment', 'id'],
  refunds: ['Store::Payment', 'payment_id'],
  credit_cards: ['Store::CreditCard', 'id'],
  return_authorizations: ['Store::ReturnAuthorization', 'id'],
  return_items: ['Store::ReturnAuthorization', 'return_authorization_id'],
};

/** Columns whose values are not logged. */
const SECRETS = [
  'password_digest',
  'token_hash',
  'token_seed',
  'gateway_customer_profile_id',
  'gateway_payment_profile_id',
];

/** Columns that the store calculates. A change of nothing else is not logged. */
const CALCULATED = [
  ...['created_at', 'updated_at', 'version', 'lft', 'rgt', 'depth', 'priced_in', 'last_used_at'],
  ...['master_price', 'lowest_price', 'highest_price'],
];

const listSql = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/**
 * The audit log. Triggers write it in the transaction of the change, if the transaction has set `store.author`: the JSON of who
 * makes the change. Shoppers set none, so that the log has the writes of staff, jobs and the command line. The log refers to no
 * other table, because it is kept when a user or a record is deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_log (
      id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
      created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      user_id integer,
      user_email text,
      api_token_name text,
      request_id text,
      address text,
      action text NOT NULL CONSTRAINT audit_log_action_known CHECK (action IN ('create', 'update', 'delete')),
      subject_type text NOT NULL,
      subject_id integer,
      changes jsonb NOT NULL
    );
    CREATE INDEX audit_log_created_at_index ON audit_log (created_at, id);
    CREATE INDEX audit_log_subject_index ON audit_log (subject_type, subject_id, id);
    CREATE INDEX audit_log_user_id_index ON audit_log (user_id, id);
    CREATE INDEX audit_log_request_id_index ON audit_log (request_id);
    CREATE INDEX audit_log_changes_index ON audit_log USING gin (changes);

    CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
    END $$;
    CREATE TRIGGER audit_log_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

    -- Decimals become text, as in the JSON of the API, so that no reader rounds them.
    CREATE FUNCTION audit_value(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN jsonb_typeof(value) = 'number' AND value::text LIKE '%.%' THEN to_jsonb(value::text) ELSE value END
    $$;

    CREATE FUNCTION note_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      author jsonb := current_setting('store.author')::jsonb;
      before jsonb := COALESCE(to_jsonb(OLD), '{}');
      after jsonb := COALESCE(to_jsonb(NEW), '{}');
      changes jsonb;
    BEGIN
      SELECT jsonb_object_agg(name, CASE
             WHEN name IN (${listSql(SECRETS)}) OR name = 'preferences' AND TG_TABLE_NAME = 'payment_methods' THEN
               jsonb_build_array(CASE WHEN before -> name <> 'null' THEN '***' END, CASE WHEN after -> name <> 'null' THEN '***' END)
             ELSE jsonb_build_array(audit_value(before -> name), audit_value(after -> name)) END)
        INTO changes
        FROM jsonb_object_keys(before || after) AS name
       WHERE before -> name IS DISTINCT FROM after -> name AND name NOT IN (${listSql(CALCULATED)});
      IF changes IS NOT NULL THEN
        INSERT INTO audit_log
          (user_id, user_email, api_token_name, request_id, address, action, subject_type, subject_id, changes)
        VALUES (
          (author ->> 'user_id')::integer, author ->> 'user_email', author ->> 'api_token_name', author ->> 'request_id',
          author ->> 'address', CASE TG_OP WHEN 'INSERT' THEN 'create' ELSE lower(TG_OP) END,
          TG_ARGV[0], ((after || before) ->> TG_ARGV[1])::integer, changes);
      END IF;
      RETURN NULL;
    END $$;
  `);
  // The progress of an import is not a change by its author.
  await createTrigger(knex, { table: 'imports', type: 'Store::Import', id: 'id', events: 'INSERT' });
  for (const [table, [type, id]] of Object.entries(SUBJECTS)) {
    await createTrigger(knex, { table, type, id, events: 'INSERT OR UPDATE OR DELETE' });
  }
}

async function createTrigger(
  knex: Knex,
  { table, type, id, events }: { table: string; type: string; id: string; events: string },
): Promise<void> {
  await knex.raw(`
    CREATE TRIGGER ${table}_audit AFTER ${events} ON ${table} FOR EACH ROW
    WHEN (COALESCE(current_setting('store.author', true), '') <> '')
    EXECUTE FUNCTION note_audit('${type}', '${id}');`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['imports', ...Object.keys(SUBJECTS)])
    await knex.raw(`DROP TRIGGER ${table}_audit ON ${table};`);
  await knex.raw(
    'DROP FUNCTION note_audit(); DROP FUNCTION audit_value(jsonb); DROP TABLE audit_log; DROP FUNCTION refuse_audit_change();',
  );
}
