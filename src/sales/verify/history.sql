-- Invariants of the histories: every state follows from its history.

-- part: SUBJECTS
-- All records with a history, in their current state.
SELECT 'order' AS subject_type, id AS subject_id, id AS order_id, number, state FROM orders
UNION ALL SELECT 'payment', id, order_id, number, state FROM payments
UNION ALL SELECT 'shipment', id, order_id, number, state FROM shipments
UNION ALL SELECT 'return_authorization', id, order_id, number, state FROM return_authorizations

-- part: CONTENT_CHANGES
-- The changes of quantities and amounts of sold orders, with the order and the value of what they changed.
SELECT change.*,
       coalesce(line.order_id, shipment.order_id, adjustment.order_id, payment.order_id) AS subject_order_id,
       CASE subject_type WHEN 'line_item' THEN CASE name WHEN 'quantity' THEN line.quantity ELSE line.price END
                         WHEN 'shipment' THEN shipment.cost WHEN 'adjustment' THEN adjustment.amount
                         WHEN 'payment' THEN payment.amount ELSE refund.amount END AS value
  FROM (SELECT c.id, c.order_id, c.subject_type, c.subject_id, changed.key AS name,
               (changed.value ->> 0)::numeric AS before, (changed.value ->> 1)::numeric AS after
          FROM order_changes c CROSS JOIN LATERAL jsonb_each(c.changes) changed
         WHERE changed.key IN ('quantity', 'price', 'cost', 'amount')) change
  LEFT JOIN line_items line ON subject_type = 'line_item' AND line.id = subject_id
  LEFT JOIN shipments shipment ON subject_type = 'shipment' AND shipment.id = subject_id
  LEFT JOIN adjustments adjustment ON subject_type = 'adjustment' AND adjustment.id = subject_id
  LEFT JOIN refunds refund ON subject_type = 'refund' AND refund.id = subject_id
  LEFT JOIN payments payment ON payment.id = CASE subject_type WHEN 'payment' THEN subject_id ELSE refund.payment_id END

-- invariant: history_ends_at_the_state
-- rule: The history of a record ends in its current state
-- table: state_changes
-- Proposed shipments are often replaced, so the history of a shipment starts when it first leaves `pending`.
SELECT coalesce(latest.id, subject.subject_id) AS id, subject.order_id,
       format('%s %s is %s, its history ends in %s', subject.subject_type, subject.number, subject.state,
              coalesce(latest.to_state, 'nothing')) AS detail
  FROM (${SUBJECTS}) subject
  LEFT JOIN (SELECT DISTINCT ON (subject_id, subject_type) id, subject_type, subject_id, to_state
               FROM state_changes ORDER BY subject_id, subject_type, id DESC) latest
    ON latest.subject_type = subject.subject_type AND latest.subject_id = subject.subject_id
 WHERE subject.state IS DISTINCT FROM
       CASE WHEN subject.subject_type = 'shipment' THEN coalesce(latest.to_state, 'pending')
            ELSE latest.to_state END

-- invariant: history_is_a_chain
-- rule: A history begins with the creation of the record, and each entry begins in the state in which the previous one ended
-- table: state_changes
SELECT step.id, step.order_id,
       format('%s %s: from %s, but it was %s', step.subject_type, step.subject_id,
              coalesce(step.from_state, 'nothing'), coalesce(step.previous, 'nothing')) AS detail
  FROM (SELECT c.*, lag(c.to_state) OVER history AS previous
          FROM state_changes c
        WINDOW history AS (PARTITION BY c.subject_id, c.subject_type ORDER BY c.id)) step
 WHERE step.from_state IS DISTINCT FROM step.previous
   AND NOT (step.subject_type = 'shipment' AND step.previous IS NULL AND step.from_state = 'pending')

-- invariant: history_takes_known_steps
-- rule: Each step of a history is a transition of a state machine
-- table: state_changes
SELECT c.id, c.order_id,
       format('%s %s: from %s to %s', c.subject_type, c.subject_id, coalesce(c.from_state, 'nothing'), c.to_state)
         AS detail
  FROM state_changes c
  LEFT JOIN json_to_recordset(:edges::json) AS edge(subject_type text, from_state text, to_state text)
    ON edge.subject_type = c.subject_type AND edge.to_state = c.to_state
   AND coalesce(edge.from_state, '') = coalesce(c.from_state, '')
 WHERE edge.to_state IS NULL

-- invariant: history_is_told_of_its_order
-- rule: The history of a payment, shipment or return belongs to its order
-- table: state_changes
SELECT c.id, c.order_id, format('%s %s is of order %s', c.subject_type, subject.number, subject.order_id) AS detail
  FROM state_changes c
  JOIN (${SUBJECTS}) subject
    ON subject.subject_type = c.subject_type AND subject.subject_id = c.subject_id
 WHERE subject.order_id <> c.order_id

-- invariant: changes_are_a_chain
-- rule: Each change of a quantity or an amount of a sold order begins with what the previous one ended with; the last ends with the stored value
-- table: order_changes
-- The creation and the removal of a payment are changes of its state only.
SELECT step.id, step.order_id,
       format('%s %s of order %s: %s from %s to %s, it was %s, is %s', step.subject_type, step.subject_id,
              step.subject_order_id, step.name, step.before, step.after, step.previous, step.value) AS detail
  FROM (SELECT c.*, lag(c.after) OVER history AS previous, lag(c.id) OVER history IS NULL AS is_first,
               lead(c.id) OVER history IS NULL AS is_last
          FROM (${CONTENT_CHANGES}) c
        WINDOW history AS (PARTITION BY c.subject_type, c.subject_id, c.name ORDER BY c.id)) step
 WHERE step.order_id <> step.subject_order_id
    OR NOT step.is_first AND step.before IS DISTINCT FROM step.previous
    OR step.is_last AND step.after IS DISTINCT FROM step.value
       AND NOT (step.subject_type = 'payment' AND step.subject_order_id IS NULL)

-- invariant: history_has_its_subject
-- rule: Returns are deleted only before they are received, shipments only before they are shipped
-- table: state_changes
SELECT min(c.id) AS id, min(c.order_id) AS order_id, format('%s %s is deleted', c.subject_type, c.subject_id) AS detail
  FROM state_changes c
  LEFT JOIN shipments s ON c.subject_type = 'shipment' AND s.id = c.subject_id
  LEFT JOIN return_authorizations r ON c.subject_type = 'return_authorization' AND r.id = c.subject_id
 WHERE c.subject_type IN ('shipment', 'return_authorization') AND s.id IS NULL AND r.id IS NULL
 GROUP BY c.subject_type, c.subject_id
HAVING bool_or(c.to_state IN ('shipped', 'received'))

-- invariant: history_goes_forward
-- rule: The history of an order goes forward in time and ends before now, with a tolerance of one hour
-- table: state_changes
SELECT step.id, step.order_id, format('%s %s at %s, after %s', step.subject_type, step.to_state, step.created_at, step.before)
         AS detail
  FROM (SELECT c.*, lag(c.created_at) OVER (PARTITION BY c.order_id ORDER BY c.id) AS before
          FROM state_changes c) step
 WHERE step.created_at < step.before - interval '1 hour' OR step.created_at > clock_timestamp() + interval '1 hour'
