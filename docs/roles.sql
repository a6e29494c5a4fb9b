-- The two roles of a store. store_owner owns the tables and runs the migrations. store_app is the role of the running
-- store: it reads and writes rows and nothing else. Run this once as an administrator, in the database of the store,
-- and then give both roles a password. Safe to repeat.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'store_owner') THEN CREATE ROLE store_owner LOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'store_app') THEN CREATE ROLE store_app LOGIN; END IF;
  -- An administrator of a managed service is no superuser.
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN GRANT store_owner TO CURRENT_USER; END IF;
  -- CREATE on the database is needed for the extension pg_trgm.
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO store_owner', current_database());
  EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO store_app', current_database());
END $$;

-- Since PostgreSQL 15, only the owner of the schema may create tables in it.
ALTER SCHEMA public OWNER TO store_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO store_app;

-- The queue has a schema of its own, which migrations create.
DO $$
BEGIN
  IF to_regnamespace('graphile_worker') IS NOT NULL THEN ALTER SCHEMA graphile_worker OWNER TO store_owner; END IF;
END $$;

-- What another role has created so far passes to store_owner. REASSIGN OWNED refuses for the role that initdb created.
DO $$
DECLARE
  command text;
BEGIN
  FOR command IN
    SELECT format('ALTER TABLE %s OWNER TO store_owner', oid::regclass)
      FROM pg_class
     WHERE relnamespace IN ('public'::regnamespace, to_regnamespace('graphile_worker')) AND relkind IN ('r', 'p', 'v', 'm', 'S')
       AND relowner <> 'store_owner'::regrole
       -- A sequence of a column belongs to its table, and an object of an extension to the extension.
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid
                          AND (deptype = 'e' OR deptype IN ('a', 'i') AND relkind = 'S'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO store_owner', oid::regprocedure)
      FROM pg_proc
     WHERE pronamespace IN ('public'::regnamespace, to_regnamespace('graphile_worker')) AND proowner <> 'store_owner'::regrole
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
  LOOP
    EXECUTE command;
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO store_app;
-- UPDATE is needed for feed_marks, which the store sets.
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO store_app;
ALTER DEFAULT PRIVILEGES FOR ROLE store_owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO store_app;
ALTER DEFAULT PRIVILEGES FOR ROLE store_owner IN SCHEMA public GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO store_app;
