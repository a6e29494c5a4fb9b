-- The replies of requests with an Idempotency-Key, in a ring of partitions by the day of the database. A whole day is emptied at once,
-- which gives its space back. The running store may not truncate tables, so the function does it as their owner.

CREATE OR REPLACE FUNCTION reply_slot(days integer DEFAULT 0) RETURNS smallint LANGUAGE sql AS $$
  SELECT ((floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint + days) % 4)::smallint
$$;

CREATE OR REPLACE FUNCTION empty_expired_replies()
  RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'public', 'pg_temp' SET lock_timeout TO '300ms' AS $$
DECLARE
  expired text := 'idempotency_replies_' || reply_slot(-2);
  size bigint := pg_total_relation_size(expired::regclass);
BEGIN
  IF pg_relation_size(expired::regclass) = 0 THEN RETURN 0; END IF;
  EXECUTE 'TRUNCATE ' || expired;
  RETURN size;
EXCEPTION WHEN lock_not_available THEN
  -- Such as during a backup. The next call does it.
  RETURN 0;
END $$;
