-- What a sold order leaves behind is never deleted with the record it belongs to. Foreign keys alone cannot keep it: the rows of a cart
-- go with the cart, and a sold order that is made smaller gives up lines, units that have not left, and empty shipments.

CREATE OR REPLACE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'row % of % belongs to a sale and cannot be deleted', OLD.id, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

CREATE OR REPLACE TRIGGER adjustments_kept BEFORE DELETE ON adjustments
  FOR EACH ROW WHEN (old.source_type = 'Store::ReturnAuthorization'::text) EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER document_offsets_kept BEFORE DELETE ON document_offsets FOR EACH ROW EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER documents_kept BEFORE DELETE ON documents FOR EACH ROW EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER inventory_units_kept BEFORE DELETE ON inventory_units
  FOR EACH ROW WHEN (old.state = ANY (ARRAY['shipped'::text, 'returned'::text])) EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER orders_kept BEFORE DELETE ON orders
  FOR EACH ROW WHEN (old.completed_at IS NOT NULL) EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER refunds_kept BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER return_authorizations_kept BEFORE DELETE ON return_authorizations
  FOR EACH ROW WHEN (old.state = 'received'::text) EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER return_freights_kept BEFORE DELETE ON return_freights FOR EACH ROW EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER return_items_kept BEFORE DELETE ON return_items
  FOR EACH ROW WHEN (old.amount IS NOT NULL) EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER return_remainders_kept BEFORE DELETE ON return_remainders FOR EACH ROW EXECUTE FUNCTION refuse_deletion();
CREATE OR REPLACE TRIGGER stock_movements_kept BEFORE DELETE ON stock_movements FOR EACH ROW EXECUTE FUNCTION refuse_deletion();

CREATE OR REPLACE FUNCTION refuse_deletion_alone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_parent boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE id = $1)', TG_ARGV[0])
    INTO has_parent USING (to_jsonb(OLD) ->> TG_ARGV[1])::integer;
  IF has_parent THEN
    RAISE EXCEPTION 'row % of % can only be deleted together with its %', OLD.id, TG_TABLE_NAME, TG_ARGV[0]
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END IF;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER order_changes_kept BEFORE DELETE ON order_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_alone('orders', 'order_id');
CREATE OR REPLACE TRIGGER payment_operations_kept BEFORE DELETE ON payment_operations
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_alone('payments', 'payment_id');
CREATE OR REPLACE TRIGGER payments_kept BEFORE DELETE ON payments
  FOR EACH ROW WHEN (old.state <> 'checkout'::text) EXECUTE FUNCTION refuse_deletion_alone('orders', 'order_id');
CREATE OR REPLACE TRIGGER state_changes_kept BEFORE DELETE ON state_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_alone('orders', 'order_id');

CREATE OR REPLACE FUNCTION refuse_deletion_of_sold_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM orders WHERE id = OLD.order_id AND completed_at IS NOT NULL)
     AND EXISTS (SELECT FROM inventory_units WHERE shipment_id = OLD.id) THEN
    RAISE EXCEPTION 'shipment % of a sold order is not empty and cannot be deleted', OLD.number
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END IF;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER shipments_kept BEFORE DELETE ON shipments FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_sold_shipment();

CREATE OR REPLACE FUNCTION refuse_deletion_of_buyer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM orders WHERE user_id = OLD.id AND completed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'user % has completed orders and cannot be deleted', OLD.id
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END IF;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER users_kept BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_buyer();

CREATE OR REPLACE FUNCTION refuse_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM orders WHERE completed_at IS NOT NULL) THEN
    RAISE EXCEPTION '% cannot be truncated: there are sold orders', TG_TABLE_NAME
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER adjustments_not_truncated BEFORE TRUNCATE ON adjustments FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER book_entries_not_truncated BEFORE TRUNCATE ON book_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER documents_not_truncated BEFORE TRUNCATE ON documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER inventory_units_not_truncated BEFORE TRUNCATE ON inventory_units
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER line_items_not_truncated BEFORE TRUNCATE ON line_items FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER order_changes_not_truncated BEFORE TRUNCATE ON order_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER orders_not_truncated BEFORE TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER payment_operations_not_truncated BEFORE TRUNCATE ON payment_operations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER payments_not_truncated BEFORE TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER refunds_not_truncated BEFORE TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER return_authorizations_not_truncated BEFORE TRUNCATE ON return_authorizations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER shipments_not_truncated BEFORE TRUNCATE ON shipments FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER state_changes_not_truncated BEFORE TRUNCATE ON state_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
CREATE OR REPLACE TRIGGER stock_movements_not_truncated BEFORE TRUNCATE ON stock_movements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
