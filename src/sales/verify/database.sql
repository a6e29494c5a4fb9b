-- Invariants of the database itself. A partial restore or manipulation violates them.

-- part: GUARDS
-- The triggers that prevent deleting sold records.
'{orders_kept, payments_kept, payment_operations_kept, refunds_kept, shipments_kept, inventory_units_kept, state_changes_kept,
  stock_movements_kept, return_authorizations_kept, adjustments_kept, users_kept}'::text[]

-- invariant: triggers_are_enabled
-- rule: Every trigger is enabled, and the triggers that protect sold records exist
-- table: pg_trigger
-- of the database
SELECT row_number() OVER ()::integer AS id, NULL::integer AS order_id, broken.detail
  FROM (SELECT format('%s on %s is disabled', t.tgname, t.tgrelid::regclass) AS detail
          FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
         WHERE c.relnamespace = current_schema()::regnamespace AND t.tgenabled NOT IN ('O', 'A')
        UNION ALL
        SELECT guard || ' is missing' FROM unnest(${GUARDS}) AS guard
         WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                            WHERE c.relnamespace = current_schema()::regnamespace AND t.tgname = guard)) broken
