-- The audit log. Triggers write it in the transaction of the change, if the transaction has set `store.author`: the JSON of who makes the
-- change. Shoppers set none. Values of secret columns are hidden, and all values while a person is erased (`store.erases_person`).
-- The units that a statement changes alike are one entry with their quantity: a large order has thousands.

CREATE OR REPLACE FUNCTION audit_value(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(value) = 'number' AND value::text LIKE '%.%' THEN to_jsonb(value::text) ELSE value END
$$;

-- Adds an entry that names the author of the transaction; none if it has no author.
CREATE OR REPLACE FUNCTION add_audit_entry(action text, subject_type text, subject_id integer, changes jsonb) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO audit_log
    (user_id, user_email, api_token_name, request_id, address, action, subject_type, subject_id, changes)
  SELECT (author ->> 'user_id')::integer, author ->> 'user_email', author ->> 'api_token_name', author ->> 'request_id',
         author ->> 'address', add_audit_entry.action, add_audit_entry.subject_type, add_audit_entry.subject_id, add_audit_entry.changes
    FROM (SELECT nullif(current_setting('store.author', true), '')::jsonb) AS of_transaction (author)
   WHERE author IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION note_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := COALESCE(to_jsonb(OLD), '{}');
  after jsonb := COALESCE(to_jsonb(NEW), '{}');
  changes jsonb;
BEGIN
  SELECT jsonb_object_agg(name, CASE
         WHEN name IN ('password_digest', 'token_hash', 'token_seed', 'secret', 'previous_secret', 'gateway_customer_profile_id', 'gateway_payment_profile_id',
               'sealed_secret', 'recovery_hashes')
             OR name = 'preferences' AND TG_TABLE_NAME = 'payment_methods' OR current_setting('store.erases_person', true) = 'yes' THEN
           jsonb_build_array(CASE WHEN before -> name <> 'null' THEN '***' END, CASE WHEN after -> name <> 'null' THEN '***' END)
         ELSE jsonb_build_array(audit_value(before -> name), audit_value(after -> name)) END)
    INTO changes
    FROM jsonb_object_keys(before || after) AS name
   WHERE before -> name IS DISTINCT FROM after -> name AND name NOT IN ('created_at', 'updated_at', 'feed_at', 'version', 'lft', 'rgt',
       'depth', 'priced_in', 'last_used_at', 'last_step', 'master_price', 'lowest_price', 'highest_price');
  IF changes IS NOT NULL THEN
    PERFORM add_audit_entry(CASE TG_OP WHEN 'INSERT' THEN 'create' ELSE lower(TG_OP) END,
      TG_ARGV[0], ((after || before) ->> TG_ARGV[1])::integer, changes);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER addresses_audit AFTER INSERT OR DELETE OR UPDATE ON addresses
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Address', 'id');
CREATE OR REPLACE TRIGGER adjustments_audit AFTER INSERT OR DELETE OR UPDATE ON adjustments
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Order', 'order_id');
CREATE OR REPLACE TRIGGER api_tokens_audit AFTER INSERT OR DELETE OR UPDATE ON api_tokens
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ApiToken', 'id');
CREATE OR REPLACE TRIGGER classifications_audit AFTER INSERT OR DELETE OR UPDATE ON classifications
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Product', 'product_id');
CREATE OR REPLACE TRIGGER countries_audit AFTER INSERT OR DELETE OR UPDATE ON countries
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Country', 'id');
CREATE OR REPLACE TRIGGER credit_cards_audit AFTER INSERT OR DELETE OR UPDATE ON credit_cards
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::CreditCard', 'id');
CREATE OR REPLACE TRIGGER images_audit AFTER INSERT OR DELETE OR UPDATE ON images
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Variant', 'variant_id');
CREATE OR REPLACE TRIGGER imports_audit AFTER INSERT ON imports
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Import', 'id');
CREATE OR REPLACE TRIGGER imports_cancel_audit AFTER UPDATE OF state ON imports
  FOR EACH ROW
  WHEN (new.state = 'canceled'::text AND old.state <> 'canceled'::text AND COALESCE(current_setting('store.author'::text, true),
      ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Import', 'id');
CREATE OR REPLACE TRIGGER kept_invoices_audit AFTER INSERT OR DELETE OR UPDATE ON kept_invoices
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Order', 'order_id');
CREATE OR REPLACE TRIGGER line_items_audit AFTER INSERT OR DELETE OR UPDATE ON line_items
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Order', 'order_id');
CREATE OR REPLACE TRIGGER merged_users_audit AFTER INSERT OR DELETE OR UPDATE ON merged_users
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::User', 'user_id');
CREATE OR REPLACE TRIGGER option_types_audit AFTER INSERT OR DELETE OR UPDATE ON option_types
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::OptionType', 'id');
CREATE OR REPLACE TRIGGER option_values_audit AFTER INSERT OR DELETE OR UPDATE ON option_values
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::OptionValue', 'id');
CREATE OR REPLACE TRIGGER order_promotions_audit AFTER INSERT OR DELETE OR UPDATE ON order_promotions
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Order', 'order_id');
CREATE OR REPLACE TRIGGER orders_audit AFTER INSERT OR DELETE OR UPDATE ON orders
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Order', 'id');
CREATE OR REPLACE TRIGGER payment_methods_audit AFTER INSERT OR DELETE OR UPDATE ON payment_methods
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::PaymentMethod', 'id');
CREATE OR REPLACE TRIGGER payments_audit AFTER INSERT OR DELETE OR UPDATE ON payments
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Payment', 'id');
CREATE OR REPLACE TRIGGER prices_audit AFTER INSERT OR DELETE OR UPDATE ON prices
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Variant', 'variant_id');
CREATE OR REPLACE TRIGGER product_option_types_audit AFTER INSERT OR DELETE OR UPDATE ON product_option_types
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Product', 'product_id');
CREATE OR REPLACE TRIGGER product_properties_audit AFTER INSERT OR DELETE OR UPDATE ON product_properties
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Product', 'product_id');
CREATE OR REPLACE TRIGGER product_relations_audit AFTER INSERT OR DELETE OR UPDATE ON product_relations
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Product', 'product_id');
CREATE OR REPLACE TRIGGER products_audit AFTER INSERT OR DELETE OR UPDATE ON products
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Product', 'id');
CREATE OR REPLACE TRIGGER promotion_actions_audit AFTER INSERT OR DELETE OR UPDATE ON promotion_actions
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Promotion', 'promotion_id');
CREATE OR REPLACE TRIGGER promotion_rule_products_audit AFTER INSERT OR DELETE OR UPDATE ON promotion_rule_products
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::PromotionRule', 'promotion_rule_id');
CREATE OR REPLACE TRIGGER promotion_rule_taxons_audit AFTER INSERT OR DELETE OR UPDATE ON promotion_rule_taxons
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::PromotionRule', 'promotion_rule_id');
CREATE OR REPLACE TRIGGER promotion_rule_users_audit AFTER INSERT OR DELETE OR UPDATE ON promotion_rule_users
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::PromotionRule', 'promotion_rule_id');
CREATE OR REPLACE TRIGGER promotion_rules_audit AFTER INSERT OR DELETE OR UPDATE ON promotion_rules
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Promotion', 'promotion_id');
CREATE OR REPLACE TRIGGER promotions_audit AFTER INSERT OR DELETE OR UPDATE ON promotions
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Promotion', 'id');
CREATE OR REPLACE TRIGGER properties_audit AFTER INSERT OR DELETE OR UPDATE ON properties
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Property', 'id');
CREATE OR REPLACE TRIGGER refunds_audit AFTER INSERT OR DELETE OR UPDATE ON refunds
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Payment', 'payment_id');
CREATE OR REPLACE TRIGGER released_freights_audit AFTER INSERT OR DELETE OR UPDATE ON released_freights
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Order', 'order_id');
CREATE OR REPLACE TRIGGER return_authorization_reasons_audit AFTER INSERT OR DELETE OR UPDATE ON return_authorization_reasons
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ReturnAuthorizationReason', 'id');
CREATE OR REPLACE TRIGGER return_authorizations_audit AFTER INSERT OR DELETE OR UPDATE ON return_authorizations
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ReturnAuthorization', 'id');
CREATE OR REPLACE TRIGGER return_freights_audit AFTER INSERT OR DELETE OR UPDATE ON return_freights
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ReturnAuthorization', 'return_authorization_id');
CREATE OR REPLACE TRIGGER return_items_audit AFTER INSERT OR DELETE OR UPDATE ON return_items
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ReturnAuthorization', 'return_authorization_id');
CREATE OR REPLACE TRIGGER return_request_items_audit AFTER INSERT OR DELETE OR UPDATE ON return_request_items
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ReturnAuthorization', 'return_authorization_id');
CREATE OR REPLACE TRIGGER roles_audit AFTER INSERT OR DELETE OR UPDATE ON roles
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Role', 'id');
CREATE OR REPLACE TRIGGER shipments_audit AFTER INSERT OR DELETE OR UPDATE ON shipments
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Shipment', 'id');
CREATE OR REPLACE TRIGGER shipping_categories_audit AFTER INSERT OR DELETE OR UPDATE ON shipping_categories
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ShippingCategory', 'id');
CREATE OR REPLACE TRIGGER shipping_method_categories_audit AFTER INSERT OR DELETE OR UPDATE ON shipping_method_categories
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ShippingMethod', 'shipping_method_id');
CREATE OR REPLACE TRIGGER shipping_method_zones_audit AFTER INSERT OR DELETE OR UPDATE ON shipping_method_zones
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ShippingMethod', 'shipping_method_id');
CREATE OR REPLACE TRIGGER shipping_methods_audit AFTER INSERT OR DELETE OR UPDATE ON shipping_methods
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::ShippingMethod', 'id');
CREATE OR REPLACE TRIGGER states_audit AFTER INSERT OR DELETE OR UPDATE ON states
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::State', 'id');
CREATE OR REPLACE TRIGGER stock_items_audit AFTER INSERT OR DELETE OR UPDATE ON stock_items
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::StockItem', 'id');
CREATE OR REPLACE TRIGGER stock_locations_audit AFTER INSERT OR DELETE OR UPDATE ON stock_locations
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::StockLocation', 'id');
CREATE OR REPLACE TRIGGER stock_movements_audit AFTER INSERT OR DELETE OR UPDATE ON stock_movements
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::StockMovement', 'id');
CREATE OR REPLACE TRIGGER stores_audit AFTER INSERT OR DELETE OR UPDATE ON stores
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Store', 'id');
CREATE OR REPLACE TRIGGER tax_categories_audit AFTER INSERT OR DELETE OR UPDATE ON tax_categories
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::TaxCategory', 'id');
CREATE OR REPLACE TRIGGER tax_rates_audit AFTER INSERT OR DELETE OR UPDATE ON tax_rates
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::TaxRate', 'id');
CREATE OR REPLACE TRIGGER taxonomies_audit AFTER INSERT OR DELETE OR UPDATE ON taxonomies
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Taxonomy', 'id');
CREATE OR REPLACE TRIGGER taxons_audit AFTER INSERT OR DELETE OR UPDATE ON taxons
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Taxon', 'id');
CREATE OR REPLACE TRIGGER two_factors_audit AFTER INSERT OR DELETE OR UPDATE ON two_factors
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::User', 'user_id');
CREATE OR REPLACE TRIGGER user_addresses_audit AFTER INSERT OR DELETE OR UPDATE ON user_addresses
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::User', 'user_id');
CREATE OR REPLACE TRIGGER user_roles_audit AFTER INSERT OR DELETE OR UPDATE ON user_roles
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::User', 'user_id');
CREATE OR REPLACE TRIGGER users_audit AFTER INSERT OR DELETE OR UPDATE ON users
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::User', 'id');
CREATE OR REPLACE TRIGGER variant_option_values_audit AFTER INSERT OR DELETE OR UPDATE ON variant_option_values
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Variant', 'variant_id');
CREATE OR REPLACE TRIGGER variants_audit AFTER INSERT OR DELETE OR UPDATE ON variants
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Variant', 'id');
CREATE OR REPLACE TRIGGER zone_members_audit AFTER INSERT OR DELETE OR UPDATE ON zone_members
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Zone', 'zone_id');
CREATE OR REPLACE TRIGGER zones_audit AFTER INSERT OR DELETE OR UPDATE ON zones
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Zone', 'id');

CREATE OR REPLACE FUNCTION note_insert_of_units() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  author jsonb := current_setting('store.author')::jsonb;
BEGIN
  INSERT INTO audit_log
    (user_id, user_email, api_token_name, request_id, address, action, subject_type, subject_id, changes)
  SELECT (author ->> 'user_id')::integer, author ->> 'user_email', author ->> 'api_token_name', author ->> 'request_id',
         author ->> 'address', 'create', 'Store::Shipment',
         ((after || before) ->> 'shipment_id')::integer,
         (SELECT jsonb_object_agg(name, jsonb_build_array(before -> name, after -> name))
            FROM jsonb_object_keys(before || after) AS name
           WHERE before -> name IS DISTINCT FROM after -> name) || jsonb_build_object('quantity', jsonb_build_array(NULL, units))
    FROM (SELECT before, after, count(*) AS units FROM (SELECT '{}'::jsonb AS before, to_jsonb(new_units) - ARRAY['id', 'lock_version',
        'created_at', 'updated_at'] AS after FROM new_units) AS unit
           WHERE before <> after GROUP BY before, after) AS alike;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER inventory_units_insert_audit AFTER INSERT ON inventory_units REFERENCING NEW TABLE AS new_units
  FOR EACH STATEMENT WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_insert_of_units();

CREATE OR REPLACE FUNCTION note_update_of_units() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  author jsonb := current_setting('store.author')::jsonb;
BEGIN
  INSERT INTO audit_log
    (user_id, user_email, api_token_name, request_id, address, action, subject_type, subject_id, changes)
  SELECT (author ->> 'user_id')::integer, author ->> 'user_email', author ->> 'api_token_name', author ->> 'request_id',
         author ->> 'address', 'update', 'Store::Shipment',
         ((after || before) ->> 'shipment_id')::integer,
         (SELECT jsonb_object_agg(name, jsonb_build_array(before -> name, after -> name))
            FROM jsonb_object_keys(before || after) AS name
           WHERE before -> name IS DISTINCT FROM after -> name) || jsonb_build_object('quantity', jsonb_build_array(units, units))
    FROM (SELECT before, after, count(*) AS units FROM (SELECT to_jsonb(old_units) - ARRAY['id', 'lock_version', 'created_at',
        'updated_at'] AS before, to_jsonb(new_units) - ARRAY['id', 'lock_version', 'created_at', 'updated_at'] AS after FROM old_units
        JOIN new_units USING (id)) AS unit
           WHERE before <> after GROUP BY before, after) AS alike;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER inventory_units_update_audit AFTER UPDATE ON inventory_units REFERENCING OLD TABLE AS old_units NEW TABLE AS new_units
  FOR EACH STATEMENT
  WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_update_of_units();

CREATE OR REPLACE FUNCTION note_delete_of_units() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  author jsonb := current_setting('store.author')::jsonb;
BEGIN
  INSERT INTO audit_log
    (user_id, user_email, api_token_name, request_id, address, action, subject_type, subject_id, changes)
  SELECT (author ->> 'user_id')::integer, author ->> 'user_email', author ->> 'api_token_name', author ->> 'request_id',
         author ->> 'address', 'delete', 'Store::Shipment',
         ((after || before) ->> 'shipment_id')::integer,
         (SELECT jsonb_object_agg(name, jsonb_build_array(before -> name, after -> name))
            FROM jsonb_object_keys(before || after) AS name
           WHERE before -> name IS DISTINCT FROM after -> name) || jsonb_build_object('quantity', jsonb_build_array(units, NULL))
    FROM (SELECT before, after, count(*) AS units FROM (SELECT to_jsonb(old_units) - ARRAY['id', 'lock_version', 'created_at',
        'updated_at'] AS before, '{}'::jsonb AS after FROM old_units) AS unit
           WHERE before <> after GROUP BY before, after) AS alike;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER inventory_units_delete_audit AFTER DELETE ON inventory_units REFERENCING OLD TABLE AS old_units
  FOR EACH STATEMENT WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_delete_of_units();
CREATE OR REPLACE TRIGGER mail_templates_audit AFTER INSERT OR DELETE OR UPDATE ON mail_templates
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::MailTemplate', 'id');

CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE OR REPLACE TRIGGER audit_log_is_final BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE OR REPLACE TRIGGER webhooks_audit AFTER INSERT OR DELETE OR UPDATE ON webhooks
  FOR EACH ROW WHEN (COALESCE(current_setting('store.author'::text, true), ''::text) <> ''::text)
  EXECUTE FUNCTION note_audit('Store::Webhook', 'id');
