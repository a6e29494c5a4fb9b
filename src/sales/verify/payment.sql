-- Invariants of payments.

-- part: PAID
-- For order `o`: the amount paid, the number of payments, and the number of failed and invalid ones.
SELECT coalesce(sum(counted.amount - counted.refunded) FILTER (WHERE counted.state = 'completed'), 0) AS amount,
       count(*) AS payments,
       count(*) FILTER (WHERE counted.state IN ('failed', 'invalid')) AS dead
  FROM (SELECT p.amount, ${COUNTED_STATE} AS state,
               (SELECT coalesce(sum(r.amount), 0) FROM refunds r WHERE r.payment_id = p.id) AS refunded
          FROM payments p WHERE p.order_id = o.id) counted

-- part: AUTHORIZATIONS
-- Each payment with the payment whose authorization it is part of: itself, or, for the rest of a partial capture, the
-- captured payment, which the history names.
WITH RECURSIVE rests AS (
  SELECT c.subject_id AS id, whole.id AS of
    FROM state_changes c
    JOIN payments whole ON whole.order_id = c.order_id AND c.reason = 'rest of payment ' || whole.number
   WHERE c.subject_type = 'payment' AND c.from_state IS NULL AND c.to_state = 'pending'),
members AS (
  SELECT p.id, p.id AS root FROM payments p WHERE NOT EXISTS (SELECT FROM rests WHERE rests.id = p.id)
  UNION
  SELECT rests.id, members.root FROM rests JOIN members ON members.id = rests.of)

-- invariant: payment_total_is_what_was_paid
-- rule: The payment_total of an order is the sum of its completed payments less their refunds
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: payment_total is %s instead of %s', o.number, o.payment_total, paid.amount) AS detail
  FROM orders o CROSS JOIN LATERAL (${PAID}) paid
 WHERE o.payment_total <> paid.amount

-- invariant: payment_state_follows_payments
-- rule: The payment_state of an order follows from its state, total and payments; it has none before completion
-- table: orders
SELECT o.id, o.id AS order_id,
       format('%s: %s instead of %s', o.number, coalesce(o.payment_state, 'none'), coalesce(real.state, 'none'))
         AS detail
  FROM orders o
  CROSS JOIN LATERAL (${PAID}) paid
  CROSS JOIN LATERAL (
    SELECT CASE WHEN o.state = 'canceled' THEN 0 ELSE o.total END - paid.amount AS outstanding) balance
  CROSS JOIN LATERAL (
    SELECT CASE WHEN o.completed_at IS NULL THEN NULL
                WHEN balance.outstanding > 0 AND paid.payments > 0 AND paid.dead = paid.payments THEN 'failed'
                WHEN o.state = 'canceled' AND paid.amount = 0 THEN 'void'
                WHEN balance.outstanding > 0 THEN 'balance_due'
                WHEN balance.outstanding < 0 THEN 'credit_owed'
                ELSE 'paid' END AS state) real
 WHERE o.payment_state IS DISTINCT FROM real.state

-- invariant: payable_orders_have_payments
-- rule: An order that was completed with a payment still has records of its payments
-- table: orders
-- Emptying an order deletes payments in `checkout`; their history remains.
SELECT o.id, o.id AS order_id, format('%s: %s, total %s, no payment', o.number, o.state, o.total) AS detail
  FROM orders o
 WHERE o.state IN ${SOLD}
   AND EXISTS (SELECT FROM state_changes c WHERE c.order_id = o.id AND c.subject_type = 'order'
                  AND c.from_state = 'confirm' AND c.to_state = 'complete')
   AND NOT EXISTS (SELECT FROM payments WHERE payments.order_id = o.id)
   AND NOT EXISTS (SELECT FROM state_changes c WHERE c.order_id = o.id AND c.subject_type = 'payment')

-- invariant: asked_payments_are_kept
-- rule: Only payments in state checkout are deleted
-- table: payments
SELECT c.subject_id AS id, min(c.order_id) AS order_id,
       format('was %s', string_agg(c.to_state, ', then ' ORDER BY c.id)) AS detail
  FROM state_changes c
 WHERE c.subject_type = 'payment' AND NOT EXISTS (SELECT FROM payments p WHERE p.id = c.subject_id)
 GROUP BY c.subject_id
HAVING (array_agg(c.to_state ORDER BY c.id DESC))[1] <> 'checkout'

-- invariant: refunds_are_within_their_payment
-- rule: Refunds belong to a completed payment and never exceed it
-- table: payments
SELECT p.id, p.order_id,
       format('%s: %s of %s refunded while %s', p.number, refunded.amount, p.amount, ${COUNTED_STATE}) AS detail
  FROM payments p
  JOIN (SELECT payment_id, sum(amount) AS amount FROM refunds GROUP BY payment_id) refunded
    ON refunded.payment_id = p.id
 WHERE refunded.amount > p.amount OR ${COUNTED_STATE} <> 'completed'

-- invariant: credits_are_refunded_once
-- rule: Each approved credit has one refund of the same amount, and each refund has one approved credit
-- table: payments
SELECT coalesce(credit.payment_id, r.payment_id) AS id, p.order_id,
       format('%s: approved %s, refunded %s', p.number, credit.amount, r.amount) AS detail
  FROM (SELECT * FROM payment_operations WHERE kind = 'credit' AND state = 'approved' AND state_before <> 'failed') credit
  FULL JOIN refunds r ON r.payment_operation_id = credit.id
  JOIN payments p ON p.id = coalesce(credit.payment_id, r.payment_id)
 WHERE (credit.payment_id, credit.amount) IS DISTINCT FROM (r.payment_id, r.amount)

-- invariant: processing_payments_are_being_asked
-- rule: A payment is processing exactly while one of its operations is running
-- table: payments
SELECT p.id, p.order_id,
       format('%s: %s, running operations %s', p.number, p.state, count(running.id)) AS detail
  FROM payments p
  LEFT JOIN payment_operations running ON running.payment_id = p.id AND running.state = 'started'
 GROUP BY p.id
HAVING (p.state = 'processing') <> (count(running.id) > 0)

-- invariant: operations_follow_the_history
-- rule: Each time a payment was processing, one operation called its gateway, and the payment took the state of the result
-- table: payments
SELECT coalesce(turn.payment_id, op.payment_id) AS id, coalesce(turn.order_id, p.order_id) AS order_id,
       format('turn %s: %s from %s was %s; the history goes from %s to %s', coalesce(turn.place, op.place),
              coalesce(op.kind, 'no operation'), op.state_before, op.state, turn.before, turn.after) AS detail
  FROM (SELECT *, row_number() OVER (PARTITION BY payment_id ORDER BY id) AS place FROM payment_operations) op
  FULL JOIN (SELECT payment_id, order_id, before, after, row_number() OVER (PARTITION BY payment_id ORDER BY id) AS place
               FROM (SELECT id, subject_id AS payment_id, order_id, from_state AS before, to_state,
                            lead(to_state) OVER (PARTITION BY subject_id ORDER BY id) AS after
                       FROM state_changes WHERE subject_type = 'payment') step
              WHERE to_state = 'processing') turn
    ON turn.payment_id = op.payment_id AND turn.place = op.place
  LEFT JOIN payments p ON p.id = op.payment_id
 WHERE op.id IS NULL OR turn.payment_id IS NULL OR op.state_before IS DISTINCT FROM turn.before
    OR CASE op.state
         WHEN 'started' THEN turn.after IS NOT NULL
         WHEN 'approved' THEN turn.after IS DISTINCT FROM CASE op.kind
           WHEN 'authorize' THEN 'pending' WHEN 'void' THEN 'void'
           WHEN 'credit' THEN CASE op.state_before WHEN 'failed' THEN 'void' ELSE 'completed' END
           ELSE 'completed' END
         ELSE turn.after IS NULL OR turn.after NOT IN ('failed', op.state_before) END

-- invariant: completed_payments_are_what_was_taken
-- rule: The amount of a completed payment is the captured amount that its gateway approved
-- table: payments
SELECT p.id, p.order_id, format('%s: %s, captured %s', p.number, p.amount, coalesce(captured.amount::text, 'nothing')) AS detail
  FROM payments p
  LEFT JOIN LATERAL (
    SELECT op.amount FROM payment_operations op
     WHERE op.payment_id = p.id AND op.state = 'approved' AND op.kind IN ('purchase', 'capture')
     ORDER BY op.id DESC LIMIT 1) captured ON true
 WHERE ${COUNTED_STATE} = 'completed' AND p.amount IS DISTINCT FROM captured.amount

-- invariant: payments_are_within_their_authorization
-- rule: Payments that share one authorization do not exceed the authorized amount
-- table: payments
-- Checks have no authorization: the rest of a partly paid check is only expected.
${AUTHORIZATIONS},
held AS (
  SELECT members.root, sum(p.amount) AS amount, bool_or(p.credit_card_id IS NOT NULL) AS by_card
    FROM members JOIN payments p ON p.id = members.id AND ${COUNTED_STATE} IN ('pending', 'completed')
   GROUP BY members.root)
SELECT root.id, root.order_id,
       format('%s: %s held, %s authorized', root.number, held.amount, coalesce(approved.amount, 0)) AS detail
  FROM held
  JOIN payments root ON root.id = held.root
  LEFT JOIN (SELECT payment_id, max(amount) FILTER (WHERE kind IN ('authorize', 'purchase')) AS amount
               FROM payment_operations WHERE state = 'approved' GROUP BY payment_id) approved
    ON approved.payment_id = root.id
 WHERE held.amount > approved.amount OR approved.amount IS NULL AND held.by_card
UNION ALL
SELECT p.id, p.order_id, p.number || ' belongs to no authorization'
  FROM payments p
 WHERE NOT EXISTS (SELECT FROM members WHERE members.id = p.id)

-- invariant: ceilings_are_what_was_approved
-- rule: What can be captured of an authorized payment is at most what its gateway approved; the rest of a partial capture refers to its authorization
-- table: payments
${AUTHORIZATIONS}
SELECT p.id, p.order_id,
       format('%s: ceiling %s, approved %s, part of %s instead of %s', p.number, p.authorized_amount,
              approved.amount, coalesce(p.authorized_payment_id, p.id), members.root) AS detail
  FROM payments p
  JOIN members ON members.id = p.id
  LEFT JOIN (SELECT payment_id, max(amount) AS amount FROM payment_operations
              WHERE state = 'approved' AND kind IN ('authorize', 'purchase', 'capture')
              GROUP BY payment_id) approved ON approved.payment_id = members.root
 WHERE coalesce(p.authorized_payment_id, p.id) <> members.root
    OR p.authorized_amount > approved.amount AND p.credit_card_id IS NOT NULL
    OR p.authorized_amount IS NULL AND ${COUNTED_STATE} IN ('pending', 'completed')

-- invariant: payments_have_their_own_card
-- rule: A card is charged by its own payment method for its own user, and an authorized card payment has a card
-- table: payments
SELECT p.id, p.order_id,
       format('%s: card %s of user %s, method %s', p.number, card.id, card.user_id, card.payment_method_id) AS detail
  FROM payments p
  JOIN orders o ON o.id = p.order_id
  JOIN payment_methods m ON m.id = p.payment_method_id
  LEFT JOIN credit_cards card ON card.id = p.credit_card_id
 WHERE card.payment_method_id <> p.payment_method_id OR card.user_id <> o.user_id
    OR o.user_id IS NULL AND card.user_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM order_changes c WHERE c.order_id = o.id AND jsonb_exists(c.changes, 'user_id'))
    OR m.method_type = 'gateway' AND p.credit_card_id IS NULL
       AND ${COUNTED_STATE} IN ('pending', 'completed')
       -- The card of an imported payment may be unknown.
       AND NOT EXISTS (SELECT FROM payment_operations op WHERE op.payment_id = coalesce(p.authorized_payment_id, p.id)
                          AND op.event = 'import')
