-- Each group of reference data has a revision, which every statement that changes one of its tables replaces. Equal revisions mean
-- equal data, in any database, also after a rollback. Changes of one group wait for each other.

CREATE OR REPLACE FUNCTION change_reference_revisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM reference_revisions WHERE name = ANY (TG_ARGV) ORDER BY name FOR NO KEY UPDATE;
  UPDATE reference_revisions SET revision = gen_random_uuid() WHERE name = ANY (TG_ARGV);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER countries_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON countries
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('countries');
CREATE OR REPLACE TRIGGER payment_methods_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON payment_methods
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('payment_methods');
CREATE OR REPLACE TRIGGER shipping_categories_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON shipping_categories
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('shipping_methods');
CREATE OR REPLACE TRIGGER shipping_method_categories_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON shipping_method_categories
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('shipping_methods');
CREATE OR REPLACE TRIGGER shipping_method_zones_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON shipping_method_zones
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('shipping_methods');
CREATE OR REPLACE TRIGGER shipping_methods_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON shipping_methods
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('shipping_methods', 'taxes');
CREATE OR REPLACE TRIGGER states_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON states
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('countries', 'shipping_methods', 'taxes');
CREATE OR REPLACE TRIGGER stores_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON stores
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('taxes');
CREATE OR REPLACE TRIGGER tax_categories_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON tax_categories
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('taxes');
CREATE OR REPLACE TRIGGER tax_rates_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON tax_rates
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('taxes');
CREATE OR REPLACE TRIGGER zone_members_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON zone_members
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('shipping_methods', 'taxes');
CREATE OR REPLACE TRIGGER zones_reference AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON zones
  FOR EACH STATEMENT EXECUTE FUNCTION change_reference_revisions('shipping_methods', 'taxes');
