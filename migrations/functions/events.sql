-- Notes of what has happened, which are published as events. The writer of orders (save-order.ts) takes down those of orders, with the order
-- as it is then; these triggers take down the others, whose order is that of the same transaction. One note of each record and transaction: a created record
-- that the transaction changes again is created, and one that it deletes is deleted. A seed sets `store.notes_events` to `no`.

CREATE OR REPLACE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  name text := CASE
    WHEN current_setting('store.erases_person', true) = 'yes' AND TG_ARGV[0] = 'customer' THEN 'erased'
    WHEN TG_OP = 'INSERT' THEN 'created'
    WHEN TG_OP = 'DELETE' THEN 'deleted'
    WHEN to_jsonb(OLD) -> 'deleted_at' = 'null' AND to_jsonb(NEW) -> 'deleted_at' <> 'null' THEN 'deleted'
    ELSE 'updated' END;
BEGIN
  IF current_setting('store.notes_events', true) = 'no' OR name = 'updated' AND to_jsonb(NEW) ->> 'deleted_at' IS NOT NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO event_notes (kind, subject_id, types)
  VALUES (TG_ARGV[0], COALESCE(NEW.id, OLD.id), jsonb_build_array(TG_ARGV[0] || '.' || name))
  ON CONFLICT (transaction_id, kind, subject_id) WHERE kind <> 'order'
  DO UPDATE SET types = excluded.types WHERE name IN ('deleted', 'erased');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_event_added AFTER INSERT ON products
  FOR EACH ROW EXECUTE FUNCTION note_event('product');
CREATE OR REPLACE TRIGGER products_event_changed AFTER UPDATE ON products
  FOR EACH ROW WHEN (old.updated_at IS DISTINCT FROM new.updated_at OR old.deleted_at IS DISTINCT FROM new.deleted_at)
  EXECUTE FUNCTION note_event('product');
CREATE OR REPLACE TRIGGER variants_event_added AFTER INSERT ON variants
  FOR EACH ROW WHEN (NOT new.is_master) EXECUTE FUNCTION note_event('variant');
CREATE OR REPLACE TRIGGER variants_event_changed AFTER UPDATE ON variants
  FOR EACH ROW WHEN (NOT new.is_master AND (old.updated_at IS DISTINCT FROM new.updated_at OR old.deleted_at IS DISTINCT FROM new.deleted_at))
  EXECUTE FUNCTION note_event('variant');
CREATE OR REPLACE TRIGGER users_event_added AFTER INSERT ON users
  FOR EACH ROW EXECUTE FUNCTION note_event('customer');
-- `updated_at` alone is written with their addresses and roles (touched_records.sql).
CREATE OR REPLACE TRIGGER users_event_changed
  AFTER UPDATE OF email, bill_address_id, ship_address_id, metadata, public_metadata, vat_id, updated_at ON users
  FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION note_event('customer');
CREATE OR REPLACE TRIGGER users_event_gone AFTER DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION note_event('customer');

-- The counts before and after, of the whole transaction: whether stock became low or ran out follows from both.
CREATE OR REPLACE FUNCTION note_stock_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('store.notes_events', true) = 'no' THEN RETURN NULL; END IF;
  INSERT INTO event_notes (kind, subject_id, types, record)
  VALUES ('stock', NEW.id, '["stock.changed"]', json_build_object('before', OLD.count_on_hand, 'after', NEW.count_on_hand))
  ON CONFLICT (transaction_id, kind, subject_id) WHERE kind <> 'order'
  DO UPDATE SET record = json_build_object('before', event_notes.record -> 'before', 'after', NEW.count_on_hand);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stock_items_event AFTER UPDATE OF count_on_hand ON stock_items
  FOR EACH ROW WHEN (old.count_on_hand IS DISTINCT FROM new.count_on_hand) EXECUTE FUNCTION note_stock_event();

CREATE OR REPLACE FUNCTION note_return_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_notes (kind, subject_id, types, record)
  VALUES ('return', NEW.id, jsonb_build_array(CASE NEW.state WHEN 'received' THEN 'return.received' WHEN 'canceled' THEN 'return.canceled'
            ELSE 'return.created' END), json_build_object('state', NEW.state))
  ON CONFLICT (transaction_id, kind, subject_id) WHERE kind <> 'order'
  DO UPDATE SET types = event_notes.types || excluded.types, record = excluded.record;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER return_authorizations_event_added AFTER INSERT ON return_authorizations
  FOR EACH ROW EXECUTE FUNCTION note_return_event();
CREATE OR REPLACE TRIGGER return_authorizations_event_changed AFTER UPDATE OF state ON return_authorizations
  FOR EACH ROW WHEN (old.state <> new.state AND (new.state = ANY (ARRAY['received'::text, 'canceled'::text])))
  EXECUTE FUNCTION note_return_event();

-- A completion of which the writer of orders has noted nothing: of an order that was sold elsewhere and is complete from the start, or by an
-- instance of the version before. At the commit, when its note would be there.
CREATE OR REPLACE FUNCTION note_completion_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most often it was noted just before. The notes are searched for it otherwise, which takes longer the more are there.
  IF NEW.id::text = current_setting('store.noted_completion', true) OR current_setting('store.notes_events', true) = 'no' THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM event_notes WHERE transaction_id = pg_current_xact_id() AND kind = 'order' AND subject_id = NEW.id
                AND types @> '[{"type": "order.completed"}]') THEN
    RETURN NULL;
  END IF;
  PERFORM note_order_event(NEW.id, 'order.completed', NEW.id);
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER orders_event_added AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION note_completion_event();
CREATE CONSTRAINT TRIGGER orders_event_completed AFTER UPDATE OF completed_at ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (old.completed_at IS NULL AND new.completed_at IS NOT NULL) EXECUTE FUNCTION note_completion_event();

CREATE OR REPLACE FUNCTION note_order_event(id_of_order integer, type text, id_of_subject integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_notes (kind, subject_id, types)
  SELECT 'order', id_of_order, jsonb_build_array(jsonb_build_object('type', type, 'id', id_of_subject))
   WHERE current_setting('store.notes_events', true) IS DISTINCT FROM 'no';
END $$;

-- The states of payments and shipments, from their history. A payment is captured once, also if a refund or a failed call returns it to the
-- state before.
CREATE OR REPLACE FUNCTION note_state_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  type text := CASE NEW.subject_type
    WHEN 'payment' THEN CASE NEW.to_state WHEN 'pending' THEN 'payment.authorized' WHEN 'completed' THEN 'payment.captured'
      WHEN 'failed' THEN 'payment.failed' WHEN 'void' THEN 'payment.voided' END
    ELSE CASE NEW.to_state WHEN 'ready' THEN 'shipment.ready' WHEN 'shipped' THEN 'shipment.shipped'
      WHEN 'canceled' THEN 'shipment.updated'
      WHEN 'pending' THEN CASE WHEN NEW.from_state IN ('ready', 'canceled') THEN 'shipment.updated' END END
    END;
BEGIN
  IF type IS NOT NULL AND NOT (NEW.subject_type = 'payment' AND EXISTS (
       SELECT FROM state_changes WHERE order_id = NEW.order_id AND subject_type = 'payment' AND subject_id = NEW.subject_id
          AND to_state = NEW.to_state AND id < NEW.id)) THEN
    PERFORM note_order_event(NEW.order_id, type, NEW.subject_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER state_changes_event AFTER INSERT ON state_changes
  FOR EACH ROW WHEN (new.subject_type = ANY (ARRAY['payment'::text, 'shipment'::text])) EXECUTE FUNCTION note_state_event();

CREATE OR REPLACE FUNCTION note_shipment_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM orders WHERE id = NEW.order_id AND completed_at IS NOT NULL) THEN
    PERFORM note_order_event(NEW.order_id, 'shipment.updated', NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER shipments_event AFTER UPDATE OF tracking, tracking_url, cost ON shipments
  FOR EACH ROW WHEN (old.tracking IS DISTINCT FROM new.tracking OR old.tracking_url IS DISTINCT FROM new.tracking_url
      OR old.cost <> new.cost) EXECUTE FUNCTION note_shipment_event();

CREATE OR REPLACE FUNCTION note_refund_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_order_event(payments.order_id, 'payment.refunded', payments.id) FROM payments WHERE payments.id = NEW.payment_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER refunds_event AFTER INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION note_refund_event();

-- A dispute, with each of its states.
CREATE OR REPLACE FUNCTION note_dispute_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_notes (kind, subject_id, types)
  SELECT 'order', p.order_id, jsonb_build_array(jsonb_build_object('type', 'payment.disputed', 'id', p.id, 'dispute', jsonb_build_object(
           'reference', NEW.reference, 'state', NEW.state, 'amount', NEW.amount::text, 'reason', NEW.reason)))
    FROM payments p WHERE p.id = NEW.payment_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER disputes_event_added AFTER INSERT ON disputes
  FOR EACH ROW EXECUTE FUNCTION note_dispute_event();
CREATE OR REPLACE TRIGGER disputes_event_changed AFTER UPDATE OF state ON disputes
  FOR EACH ROW WHEN (old.state <> new.state) EXECUTE FUNCTION note_dispute_event();

-- The partition of events of a day. The role of the running store may not create tables, so these functions do it as their owner.
CREATE OR REPLACE FUNCTION prepare_events_of(day date)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'public', 'pg_temp' AS $$
DECLARE
  name text := 'events_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass('public.' || name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
  -- Attaching, unlike creating a partition, does not lock the readers out.
  EXECUTE format('ALTER TABLE events ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', name,
    day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
END $$;

CREATE OR REPLACE FUNCTION drop_events_before(day date)
  RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path TO 'pg_catalog', 'public', 'pg_temp' SET lock_timeout TO '300ms' AS $$
DECLARE
  name text;
  dropped integer := 0;
BEGIN
  -- Never what is still kept.
  IF day > current_date - 29 THEN RAISE EXCEPTION 'events are kept for 30 days'; END IF;
  FOR name IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass
    AND inhrelid::regclass::text < 'events_' || to_char(day, 'YYYYMMDD')
  LOOP
    EXECUTE format('DROP TABLE %s', name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
EXCEPTION WHEN lock_not_available THEN
  -- Such as during a backup. The next call does it.
  RETURN dropped;
END $$;
