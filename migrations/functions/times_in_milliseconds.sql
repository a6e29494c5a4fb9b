-- Times of tables that grow with the orders are cut to milliseconds, as JSON shows them, so that a condition with a value of the API finds
-- its record. Their columns are finer, because changing the type would have rewritten the tables under a lock.

CREATE OR REPLACE FUNCTION cut_times_of_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER addresses_milliseconds BEFORE INSERT OR UPDATE ON addresses
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_addresses();

CREATE OR REPLACE FUNCTION cut_times_of_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER adjustments_milliseconds BEFORE INSERT OR UPDATE ON adjustments
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_adjustments();

CREATE OR REPLACE FUNCTION cut_times_of_credit_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER credit_cards_milliseconds BEFORE INSERT OR UPDATE ON credit_cards
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_credit_cards();

CREATE OR REPLACE FUNCTION cut_times_of_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER documents_milliseconds BEFORE INSERT OR UPDATE ON documents
  FOR EACH ROW WHEN (new.created_at <> new.created_at::timestamp(3) with time zone) EXECUTE FUNCTION cut_times_of_documents();

CREATE OR REPLACE FUNCTION cut_times_of_inventory_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER inventory_units_milliseconds BEFORE INSERT OR UPDATE ON inventory_units
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_inventory_units();

CREATE OR REPLACE FUNCTION cut_times_of_line_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER line_items_milliseconds BEFORE INSERT OR UPDATE ON line_items
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_line_items();

CREATE OR REPLACE FUNCTION cut_times_of_order_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER order_changes_milliseconds BEFORE INSERT OR UPDATE ON order_changes
  FOR EACH ROW WHEN (new.created_at <> new.created_at::timestamp(3) with time zone) EXECUTE FUNCTION cut_times_of_order_changes();

CREATE OR REPLACE FUNCTION cut_times_of_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.canceled_at := date_trunc('milliseconds', NEW.canceled_at);
  NEW.approved_at := date_trunc('milliseconds', NEW.approved_at);
  NEW.completed_at := date_trunc('milliseconds', NEW.completed_at);
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER orders_milliseconds BEFORE INSERT OR UPDATE ON orders
  FOR EACH ROW
  WHEN (new.canceled_at <> new.canceled_at::timestamp(3) with time zone
    OR new.approved_at <> new.approved_at::timestamp(3) with time zone
        OR new.completed_at <> new.completed_at::timestamp(3) with time zone
    OR new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_orders();

CREATE OR REPLACE FUNCTION cut_times_of_payment_operations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.started_at := date_trunc('milliseconds', NEW.started_at);
  NEW.claimed_until := date_trunc('milliseconds', NEW.claimed_until);
  NEW.finished_at := date_trunc('milliseconds', NEW.finished_at);
  NEW.alerted_at := date_trunc('milliseconds', NEW.alerted_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payment_operations_milliseconds BEFORE INSERT OR UPDATE ON payment_operations
  FOR EACH ROW
  WHEN (new.started_at <> new.started_at::timestamp(3) with time zone
    OR new.claimed_until <> new.claimed_until::timestamp(3) with time zone
    OR new.finished_at <> new.finished_at::timestamp(3) with time zone OR new.alerted_at <> new.alerted_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_payment_operations();

CREATE OR REPLACE FUNCTION cut_times_of_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payments_milliseconds BEFORE INSERT OR UPDATE ON payments
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_payments();

CREATE OR REPLACE FUNCTION cut_times_of_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER refunds_milliseconds BEFORE INSERT OR UPDATE ON refunds
  FOR EACH ROW WHEN (new.created_at <> new.created_at::timestamp(3) with time zone) EXECUTE FUNCTION cut_times_of_refunds();

CREATE OR REPLACE FUNCTION cut_times_of_return_authorizations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER return_authorizations_milliseconds BEFORE INSERT OR UPDATE ON return_authorizations
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_return_authorizations();

CREATE OR REPLACE FUNCTION cut_times_of_return_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER return_items_milliseconds BEFORE INSERT OR UPDATE ON return_items
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_return_items();

CREATE OR REPLACE FUNCTION cut_times_of_shipments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.shipped_at := date_trunc('milliseconds', NEW.shipped_at);
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER shipments_milliseconds BEFORE INSERT OR UPDATE ON shipments
  FOR EACH ROW
  WHEN (new.shipped_at <> new.shipped_at::timestamp(3) with time zone OR new.created_at <> new.created_at::timestamp(3) with time zone
    OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_shipments();

CREATE OR REPLACE FUNCTION cut_times_of_state_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER state_changes_milliseconds BEFORE INSERT OR UPDATE ON state_changes
  FOR EACH ROW WHEN (new.created_at <> new.created_at::timestamp(3) with time zone) EXECUTE FUNCTION cut_times_of_state_changes();

CREATE OR REPLACE FUNCTION cut_times_of_stock_movements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER stock_movements_milliseconds BEFORE INSERT OR UPDATE ON stock_movements
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_stock_movements();

CREATE OR REPLACE FUNCTION cut_times_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := date_trunc('milliseconds', NEW.created_at);
  NEW.updated_at := date_trunc('milliseconds', NEW.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_milliseconds BEFORE INSERT OR UPDATE ON users
  FOR EACH ROW
  WHEN (new.created_at <> new.created_at::timestamp(3) with time zone OR new.updated_at <> new.updated_at::timestamp(3) with time zone)
  EXECUTE FUNCTION cut_times_of_users();
