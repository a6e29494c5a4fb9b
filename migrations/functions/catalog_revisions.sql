-- The revision of the catalog is sum(n): each statement that changes a table of the catalog appends a row in its transaction, which
-- takes no lock that other writers would wait for. Rows have a kind: `shared` for what many products show, `visibility` for what decides
-- which products are listed, `product` and `stock` for the rest.

CREATE OR REPLACE FUNCTION note_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalog_revisions (kind) VALUES (TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER classifications_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON classifications
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER classifications_update_shared AFTER UPDATE ON classifications
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER images_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON images
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER option_types_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON option_types
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER option_values_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON option_values
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER prices_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON prices
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER product_option_types_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON product_option_types
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER product_properties_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON product_properties
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER product_relations_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON product_relations
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER product_slugs_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON product_slugs
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER products_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER products_visibility AFTER INSERT OR DELETE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('visibility');
CREATE OR REPLACE TRIGGER properties_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON properties
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER shipping_categories_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON shipping_categories
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER stock_items_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON stock_items
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('stock');
CREATE OR REPLACE TRIGGER stock_locations_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON stock_locations
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('stock');
CREATE OR REPLACE TRIGGER stores_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON stores
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER stores_visibility AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON stores
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('visibility');
CREATE OR REPLACE TRIGGER tax_categories_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON tax_categories
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER taxonomies_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON taxonomies
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER taxons_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON taxons
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('shared');
CREATE OR REPLACE TRIGGER variant_option_values_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON variant_option_values
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');
CREATE OR REPLACE TRIGGER variants_revision AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON variants
  FOR EACH STATEMENT EXECUTE FUNCTION note_catalog_revision('product');

CREATE OR REPLACE FUNCTION note_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM changed JOIN former USING (id)
    WHERE (changed.available_on, changed.discontinue_on, changed.deleted_at, changed.priced_in)
      IS DISTINCT FROM (former.available_on, former.discontinue_on, former.deleted_at, former.priced_in)
  ) THEN
    INSERT INTO catalog_revisions (kind) VALUES ('visibility');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_update_visibility AFTER UPDATE ON products REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_visibility();
