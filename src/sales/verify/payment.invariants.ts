import { SETTLED_STATE, SOLD, type Invariant } from './invariant';

/** Per order `o`: what was paid, how many payments there are, and how many of them came to nothing. */
const PAID = `
  SELECT coalesce(sum(settled.amount - settled.refunded) FILTER (WHERE settled.state = 'completed'), 0) AS amount,
         count(*) AS payments,
         count(*) FILTER (WHERE settled.state IN ('failed', 'invalid')) AS dead
    FROM (SELECT p.amount, ${SETTLED_STATE} AS state,
                 (SELECT coalesce(sum(r.amount), 0) FROM refunds r WHERE r.payment_id = p.id) AS refunded
            FROM payments p WHERE p.order_id = o.id) settled`;

/** What holds of money (behaviour reference 7.6 and 9). */
export const paymentInvariants: readonly Invariant[] = [
  {
    name: 'payment_total_is_what_was_paid',
    rule: 'What an order says was paid is its completed payments less their refunds',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id,
             format('%s: payment_total is %s instead of %s', o.number, o.payment_total, paid.amount) AS detail
        FROM orders o CROSS JOIN LATERAL (${PAID}) paid
       WHERE o.payment_total <> paid.amount`,
  },
  {
    name: 'payment_state_follows_payments',
    rule: 'The payment_state of an order follows from its state, total and payments; it has none before completion',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id,
             format('%s: %s instead of %s', o.number, coalesce(o.payment_state, 'none'), coalesce(real.state, 'none'))
               AS detail
        FROM orders o
        CROSS JOIN LATERAL (${PAID}) paid
        CROSS JOIN LATERAL (
          SELECT CASE WHEN o.state = 'canceled' THEN 0 ELSE o.total END - paid.amount AS outstanding) balance
        CROSS JOIN LATERAL (
          SELECT CASE WHEN o.completed_at IS NULL THEN NULL
                      WHEN paid.payments > 0 AND paid.dead = paid.payments THEN 'failed'
                      WHEN o.state = 'canceled' AND paid.amount = 0 THEN 'void'
                      WHEN balance.outstanding > 0 THEN 'balance_due'
                      WHEN balance.outstanding < 0 THEN 'credit_owed'
                      ELSE 'paid' END AS state) real
       WHERE o.payment_state IS DISTINCT FROM real.state`,
  },
  {
    name: 'payable_orders_have_payments',
    rule: 'An order that was to be paid when it was completed has the records of its payments',
    table: 'orders',
    // Emptying an order takes away payments nobody was asked for yet; the history still tells of those.
    sql: `
      SELECT o.id, o.id AS order_id, format('%s: %s, total %s, no payment', o.number, o.state, o.total) AS detail
        FROM orders o
       WHERE o.state IN ${SOLD}
         AND EXISTS (SELECT FROM state_changes c WHERE c.order_id = o.id AND c.subject_type = 'order'
                        AND c.from_state = 'confirm' AND c.to_state = 'complete')
         AND NOT EXISTS (SELECT FROM payments WHERE payments.order_id = o.id)
         AND NOT EXISTS (SELECT FROM state_changes c WHERE c.order_id = o.id AND c.subject_type = 'payment')`,
  },
  {
    name: 'asked_payments_are_kept',
    rule: 'A payment is deleted only while nobody was asked about it',
    table: 'payments',
    sql: `
      SELECT c.subject_id AS id, min(c.order_id) AS order_id,
             format('was %s', string_agg(c.to_state, ', then ' ORDER BY c.id)) AS detail
        FROM state_changes c
       WHERE c.subject_type = 'payment' AND NOT EXISTS (SELECT FROM payments p WHERE p.id = c.subject_id)
       GROUP BY c.subject_id
      HAVING (array_agg(c.to_state ORDER BY c.id DESC))[1] <> 'checkout'`,
  },
  {
    name: 'refunds_are_within_their_payment',
    rule: 'Refunds belong to a completed payment and never exceed it',
    table: 'payments',
    sql: `
      SELECT p.id, p.order_id,
             format('%s: %s of %s refunded while %s', p.number, refunded.amount, p.amount, ${SETTLED_STATE}) AS detail
        FROM payments p
        JOIN (SELECT payment_id, sum(amount) AS amount FROM refunds GROUP BY payment_id) refunded
          ON refunded.payment_id = p.id
       WHERE refunded.amount > p.amount OR ${SETTLED_STATE} <> 'completed'`,
  },
  {
    name: 'credits_are_refunded_once',
    rule: 'Each credit that a gateway approved is one refund of the same amount, and each refund such a credit',
    table: 'payments',
    sql: `
      SELECT coalesce(credit.payment_id, r.payment_id) AS id, p.order_id,
             format('%s: approved %s, refunded %s', p.number, credit.amount, r.amount) AS detail
        FROM (SELECT * FROM payment_operations WHERE kind = 'credit' AND state = 'approved') credit
        FULL JOIN refunds r ON r.payment_operation_id = credit.id
        JOIN payments p ON p.id = coalesce(credit.payment_id, r.payment_id)
       WHERE (credit.payment_id, credit.amount) IS DISTINCT FROM (r.payment_id, r.amount)`,
  },
  {
    name: 'processing_payments_are_being_asked',
    rule: 'A payment is processing exactly while a question to its gateway is open',
    table: 'payments',
    sql: `
      SELECT p.id, p.order_id,
             format('%s: %s, open questions %s', p.number, p.state, count(running.id)) AS detail
        FROM payments p
        LEFT JOIN payment_operations running ON running.payment_id = p.id AND running.state = 'started'
       GROUP BY p.id
      HAVING (p.state = 'processing') <> (count(running.id) > 0)`,
  },
];
