-- `feed_at` is the `updated_at` of orders, payments and shipments once no checkout changes them any more. Its triggers are the last before a
-- write: after those of `touch_updated_at`, in the order of the names.
--
-- The horizon of a page: a time that no transaction which is running now, or begins later, writes below: the begin of the oldest one
-- that has written. It must be called in a statement before the page, whose snapshot then has everything that was committed.
--
-- The mark is the highest time that a page has seen. No later change has an earlier time, so a clock that goes back, or that of another
-- machine after a failover, hides nothing from a cursor. While the clock is behind the mark, each page moves the mark by a millisecond.
-- A sequence, because its value is visible at once and to every snapshot, survives a crash, and is replicated.
--
-- Stock items have a narrow row beside them with the time of their change: an index over a column that each sale changes would cost
-- them the heap-only updates. The rows follow their items in the same transaction, under the locks of the items.

CREATE OR REPLACE FUNCTION set_feed_time_of_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.feed_at := CASE WHEN NEW.completed_at IS NOT NULL THEN NEW.updated_at END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER orders_touched_feed BEFORE INSERT OR UPDATE ON orders
  FOR EACH ROW WHEN (new.feed_at IS DISTINCT FROM
        CASE
            WHEN new.completed_at IS NOT NULL THEN new.updated_at
            ELSE NULL::timestamp with time zone
        END) EXECUTE FUNCTION set_feed_time_of_orders();

CREATE OR REPLACE FUNCTION set_feed_time_of_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.feed_at := CASE WHEN NEW.state NOT IN ('checkout', 'processing') THEN NEW.updated_at END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER payments_touched_feed BEFORE INSERT OR UPDATE ON payments
  FOR EACH ROW WHEN (new.feed_at IS DISTINCT FROM
        CASE
            WHEN new.state <> ALL (ARRAY['checkout'::text, 'processing'::text]) THEN new.updated_at
            ELSE NULL::timestamp with time zone
        END) EXECUTE FUNCTION set_feed_time_of_payments();

CREATE OR REPLACE FUNCTION set_feed_time_of_shipments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.feed_at := CASE WHEN NEW.state <> 'pending' THEN NEW.updated_at END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER shipments_touched_feed BEFORE INSERT OR UPDATE ON shipments
  FOR EACH ROW WHEN (new.feed_at IS DISTINCT FROM
        CASE
            WHEN new.state <> 'pending'::text THEN new.updated_at
            ELSE NULL::timestamp with time zone
        END) EXECUTE FUNCTION set_feed_time_of_shipments();

CREATE OR REPLACE FUNCTION raise_feed_mark() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  mark bigint;
BEGIN
  -- A session that may not write leaves the mark to others.
  IF current_setting('transaction_read_only') = 'on' THEN
    RETURN earliest_change();
  END IF;
  PERFORM pg_advisory_xact_lock(7340129119);
  mark := greatest(
    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, pg_sequence_last_value('feed_marks') + 1);
  RETURN to_timestamp(setval('feed_marks', mark) / 1000.0);
END $$;

CREATE OR REPLACE FUNCTION feed_horizon() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  mark timestamptz := raise_feed_mark();
  oldest timestamptz;
BEGIN
  PERFORM pg_stat_clear_snapshot();
  SELECT min(CASE
           WHEN session.xact_start IS NOT NULL THEN session.xact_start
           -- A session of another role, or one that reports nothing: it may have begun at any time.
           WHEN session.state IS NULL OR session.state = 'disabled' THEN pg_postmaster_start_time()
         END)
    INTO oldest
    FROM pg_stat_activity AS session
   WHERE session.datid = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND session.pid <> pg_backend_pid()
     -- Autovacuum has no user, and writes no record.
     AND session.usesysid IS NOT NULL
     AND (session.backend_xid IS NOT NULL OR session.state IS NULL AND EXISTS (
       SELECT FROM pg_locks
        WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted AND pg_locks.pid = session.pid));
  IF EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()) THEN
    RETURN to_timestamp(0);
  END IF;
  RETURN date_trunc('milliseconds', least(mark, oldest));
END $$;

CREATE OR REPLACE FUNCTION note_stock_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock_item_changes SELECT id, stock_location_id, updated_at FROM changed;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stock_items_insert_change AFTER INSERT ON stock_items REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_stock_item();

CREATE OR REPLACE FUNCTION note_stock_item_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock_item_changes AS change
     SET updated_at = changed.updated_at, stock_location_id = changed.stock_location_id
    FROM changed WHERE change.stock_item_id = changed.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER stock_items_update_change AFTER UPDATE ON stock_items REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_stock_item_change();
