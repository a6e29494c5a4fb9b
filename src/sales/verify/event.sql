-- Invariants of events. Orders completed before there were events, or whose events are deleted by age, cannot be checked.

-- invariant: completed_orders_have_events
-- rule: The completion of an order is an event, or noted as one
-- table: orders
SELECT o.id, o.id AS order_id, o.number || ' has no event order.completed' AS detail
  FROM orders o
 WHERE o.completed_at > greatest(now() - interval '29 days',
         (SELECT migration_time FROM knex_migrations WHERE name = '20261129_0000_baseline'))
   AND o.created_at > (SELECT migration_time FROM knex_migrations WHERE name = '20261129_0000_baseline')
   AND NOT EXISTS (SELECT FROM events WHERE events.order_id = o.id AND type = 'order.completed')
   AND NOT EXISTS (SELECT FROM event_notes WHERE kind = 'order' AND event_notes.subject_id = o.id
                      AND types @> '[{"type": "order.completed"}]')
