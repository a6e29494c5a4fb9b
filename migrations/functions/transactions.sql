-- Whether this transaction has written a row, by its xmin. A row that was written in a savepoint counts as one of another transaction, so
-- callers may only save work by it.

CREATE OR REPLACE FUNCTION is_own_write(row_xmin xid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT row_xmin = pg_current_xact_id()::xid
$$;
