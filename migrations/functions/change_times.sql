-- The times of changes, which feeds read by. `updated_at` is not earlier than the begin of the transaction, nor than the mark of feeds
-- (feeds.sql). `change_time` is its default: the transaction has its number before the time is read, so that whoever does not see the
-- number yet has read the clock before. A statement may name the time, if it lies in the transaction.

CREATE OR REPLACE FUNCTION earliest_change() RETURNS timestamptz LANGUAGE sql AS $$
  SELECT date_trunc('milliseconds',
    greatest(clock_timestamp(), now(), to_timestamp(pg_sequence_last_value('feed_marks') / 1000.0)))
$$;

CREATE OR REPLACE FUNCTION change_time() RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_current_xact_id();
  RETURN earliest_change();
END $$;

CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present timestamptz := earliest_change();
BEGIN
  IF NEW.updated_at > OLD.updated_at AND (NEW.updated_at = present OR
    present <= clock_timestamp() AND NEW.updated_at BETWEEN date_trunc('milliseconds', now()) AND present)
  THEN
    RETURN NEW;
  END IF;
  NEW.updated_at := present;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER addresses_touch BEFORE UPDATE ON addresses FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER adjustments_touch BEFORE UPDATE ON adjustments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER classifications_touch BEFORE UPDATE ON classifications FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER credit_cards_touch BEFORE UPDATE ON credit_cards FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER disputes_touch BEFORE UPDATE ON disputes FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER images_touch BEFORE UPDATE ON images FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
-- Statements of units name the time, because an order may have 20,000 of them; those of the version before do not.
CREATE OR REPLACE TRIGGER inventory_units_touch BEFORE UPDATE ON inventory_units FOR EACH ROW
  WHEN (new.updated_at = old.updated_at) EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER line_items_touch BEFORE UPDATE ON line_items FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER mail_templates_touch BEFORE UPDATE ON mail_templates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER option_types_touch BEFORE UPDATE ON option_types FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER option_values_touch BEFORE UPDATE ON option_values FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER orders_touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER payment_methods_touch BEFORE UPDATE ON payment_methods FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER payments_touch BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER prices_touch BEFORE UPDATE ON prices FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER product_properties_touch BEFORE UPDATE ON product_properties FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER product_relations_touch BEFORE UPDATE ON product_relations FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER products_touch BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER promotion_actions_touch BEFORE UPDATE ON promotion_actions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER promotion_rules_touch BEFORE UPDATE ON promotion_rules FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER promotions_touch BEFORE UPDATE ON promotions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER properties_touch BEFORE UPDATE ON properties FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER released_freights_touch BEFORE UPDATE ON released_freights FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER return_authorization_reasons_touch BEFORE UPDATE ON return_authorization_reasons
  FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER return_authorizations_touch BEFORE UPDATE ON return_authorizations
  FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER return_freights_touch BEFORE UPDATE ON return_freights FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER return_items_touch BEFORE UPDATE ON return_items FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER shipments_touch BEFORE UPDATE ON shipments FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER shipping_categories_touch BEFORE UPDATE ON shipping_categories FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER shipping_methods_touch BEFORE UPDATE ON shipping_methods FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER stock_items_touch BEFORE UPDATE ON stock_items FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER stock_locations_touch BEFORE UPDATE ON stock_locations FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER stock_movements_touch BEFORE UPDATE ON stock_movements FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER stores_touch BEFORE UPDATE ON stores FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER tax_categories_touch BEFORE UPDATE ON tax_categories FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER tax_rates_touch BEFORE UPDATE ON tax_rates FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER taxonomies_touch BEFORE UPDATE ON taxonomies FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER taxons_touch BEFORE UPDATE ON taxons FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER two_factors_touch BEFORE UPDATE ON two_factors FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER users_touch BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER variants_touch BEFORE UPDATE ON variants FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER zones_touch BEFORE UPDATE ON zones FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE OR REPLACE TRIGGER webhooks_touch BEFORE UPDATE ON webhooks FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
