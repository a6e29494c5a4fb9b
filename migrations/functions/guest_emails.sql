-- A transaction that gives an order of a guest an e-mail address holds a shared lock of the address until it ends. Erasing a person takes
-- the same lock exclusively, and so waits for orders that it cannot see yet. There are 256 keys, so that a transaction with many orders
-- does not fill the lock table.

CREATE OR REPLACE FUNCTION guest_email_key(email text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtext(lower(email)) & 255
$$;

CREATE OR REPLACE FUNCTION share_guest_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7104, guest_email_key(NEW.email));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER orders_share_guest_email AFTER INSERT OR UPDATE OF email, user_id ON orders
  FOR EACH ROW WHEN (new.user_id IS NULL AND new.email IS NOT NULL) EXECUTE FUNCTION share_guest_email();
