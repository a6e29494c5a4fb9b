-- A decrease below zero requires `backorderable`, which may be cleared while units are owed.

CREATE OR REPLACE FUNCTION refuse_owing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'stock item % is not backorderable and cannot fall to %', NEW.id, NEW.count_on_hand
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

CREATE OR REPLACE TRIGGER stock_items_count_on_hand_owed BEFORE UPDATE OF count_on_hand ON stock_items
  FOR EACH ROW WHEN (new.count_on_hand < 0 AND new.count_on_hand < old.count_on_hand AND NOT new.backorderable)
  EXECUTE FUNCTION refuse_owing();
