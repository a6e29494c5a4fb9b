import { AS_RESTORED, buildViolation, buildRefusal, type Damage } from './damage';

const PAYMENT_OF = (order: string): string => `(SELECT min(id) FROM payments WHERE order_id = :${order})`;
const OPERATIONS_OF = (order: string): string =>
  `payment_id IN (SELECT id FROM payments WHERE order_id = :${order})`;
const STEP = `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state)`;

const IN_YEN = (order: string): string => `UPDATE orders SET currency = 'JPY' WHERE id = :${order}`;

/** Amounts with a fraction of a yen. */
const fractionDamages: readonly Damage[] = (
  [
    ['line_items', 'returned', `UPDATE line_items SET price = price + 0.1 WHERE order_id = :returned`],
    ['shipments', 'returned', `UPDATE shipments SET cost = cost + 0.1 WHERE order_id = :returned`],
    [
      ...(['adjustments', 'returned'] as const),
      `UPDATE adjustments SET amount = amount - 0.1
        WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
    ],
    [
      ...(['released_freights', 'returned'] as const),
      `INSERT INTO released_freights (order_id, cost, adjustments) VALUES (:returned, 0.1, '[]')`,
    ],
    ['payments', 'returned', `UPDATE payments SET amount = amount - 0.1 WHERE order_id = :returned`],
    ['refunds', 'paid', `UPDATE refunds SET amount = amount + 0.1 WHERE ${OPERATIONS_OF('paid')}`],
    [
      ...(['return_authorizations', 'returned'] as const),
      `UPDATE return_authorizations SET amount = amount + 0.1 WHERE order_id = :returned`,
    ],
  ] as const
).map(([table, order, sql]) =>
  buildViolation(`${table} have fractions of a yen`, `${table}_have_whole_units`, IN_YEN(order), sql),
);

export const moneyDamages: readonly Damage[] = [
  ...fractionDamages,
  buildRefusal(
    'a completed payment is larger than its capture',
    'payments_amount_within_authorization',
    `UPDATE payments SET amount = amount + 1 WHERE order_id = :paid`,
  ),
  buildViolation(
    'a completed payment and its ceiling are larger than its capture',
    'completed_payments_are_what_was_taken',
    `UPDATE payments SET amount = amount + 1, authorized_amount = amount + 1 WHERE order_id = :paid`,
  ),
  buildViolation(
    'the ceiling of a payment is larger than its authorization',
    'ceilings_are_what_was_approved',
    `UPDATE payments SET authorized_amount = 5000 WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'an authorized payment loses its ceiling',
    'ceilings_are_what_was_approved',
    `UPDATE payments SET authorized_amount = NULL WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the rest of a partial capture no longer refers to its authorization',
    'ceilings_are_what_was_approved',
    `UPDATE payments SET authorized_payment_id = NULL WHERE order_id = :partly`,
  ),
  buildViolation(
    'a completed payment and the totals are larger than its capture',
    'completed_payments_are_what_was_taken',
    `UPDATE payments SET amount = amount + 1, authorized_amount = amount + 1 WHERE order_id = :paid`,
    `UPDATE orders SET payment_total = payment_total + 1, payment_state = 'paid' WHERE id = :paid`,
  ),
  buildViolation(
    'a pending payment is larger than its authorization',
    'payments_are_within_their_authorization',
    `UPDATE payments SET amount = 5000, authorized_amount = 5000 WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the rest of a partial capture is larger',
    'payments_are_within_their_authorization',
    `UPDATE payments SET amount = amount + 10, authorized_amount = amount + 10 WHERE order_id = :partly AND state = 'pending'`,
  ),
  buildViolation(
    'the rest of a partial capture has no authorization',
    'payments_are_within_their_authorization',
    `UPDATE state_changes SET reason = 'payment create' WHERE order_id = :partly AND reason LIKE 'rest of payment %'`,
  ),
  buildViolation(
    'the state of a payment is set to completed',
    'history_ends_at_the_state',
    `UPDATE payments SET state = 'completed' WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a payment is completed with a history but no operation',
    'operations_follow_the_history',
    `UPDATE payments SET state = 'completed' WHERE order_id = :unpaid`,
    `${STEP} SELECT :unpaid, 'payment', ${PAYMENT_OF('unpaid')}, s.before, s.after FROM (VALUES ('pending', 'processing'), ('processing', 'completed')) AS s (before, after)`,
  ),
  buildViolation(
    'the state of a check payment is set to completed',
    'completed_payments_are_what_was_taken',
    `UPDATE payments SET state = 'completed' WHERE order_id = :check`,
  ),
  buildViolation(
    'a payment is processing without an operation',
    'processing_payments_are_being_asked',
    `UPDATE payments SET state = 'processing' WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a payment is moved to another order',
    'history_is_told_of_its_order',
    `UPDATE payments SET order_id = :unpaid WHERE order_id = :paid`,
  ),
  buildViolation(
    'a payment loses its card',
    'payments_have_their_own_card',
    `UPDATE payments SET credit_card_id = NULL WHERE order_id = :paid`,
  ),
  buildViolation(
    'a payment gets another method',
    'payments_have_their_own_card',
    `UPDATE payments SET payment_method_id = (SELECT id FROM payment_methods WHERE method_type = 'check' LIMIT 1) WHERE order_id = :paid`,
  ),
  buildViolation(
    'a card gets another user',
    'payments_have_their_own_card',
    `UPDATE credit_cards SET user_id = (SELECT max(id) FROM users WHERE id <> coalesce(credit_cards.user_id, 0)) WHERE id = (SELECT credit_card_id FROM payments WHERE order_id = :shipped)`,
  ),
  buildRefusal('a payment is deleted', 'payments_kept', `DELETE FROM payments WHERE order_id = :paid`),
  buildViolation(
    'a restore without a payment',
    'asked_payments_are_kept',
    AS_RESTORED,
    `DELETE FROM payments WHERE order_id = :paid`,
  ),
  buildViolation(
    'a restore without a payment and its history',
    'payable_orders_have_payments',
    AS_RESTORED,
    `DELETE FROM payments WHERE order_id = :unpaid`,
    `DELETE FROM state_changes WHERE order_id = :unpaid AND subject_type = 'payment'`,
  ),
  buildRefusal(
    'a negative payment',
    'payments_amount_positive',
    `UPDATE payments SET amount = -1 WHERE order_id = :paid`,
  ),
  buildRefusal(
    'a payment of NaN',
    'payments_amount_number',
    `UPDATE payments SET amount = 'NaN' WHERE order_id = :paid`,
  ),
  buildRefusal(
    'two payments with the same number',
    'payments_number_unique',
    `UPDATE payments SET number = 'P0000000'`,
  ),

  buildRefusal(
    'an operation is deleted',
    'payment_operations_kept',
    `DELETE FROM payment_operations WHERE ${OPERATIONS_OF('paid')} AND kind = 'capture'`,
  ),
  buildViolation(
    'a restore without an operation',
    'operations_follow_the_history',
    AS_RESTORED,
    `DELETE FROM payment_operations WHERE ${OPERATIONS_OF('paid')} AND kind = 'capture'`,
  ),
  buildViolation(
    'an approved operation becomes declined',
    'operations_follow_the_history',
    `UPDATE payment_operations SET state = 'declined' WHERE ${OPERATIONS_OF('unpaid')}`,
  ),
  buildViolation(
    'a declined operation becomes approved',
    'operations_follow_the_history',
    `UPDATE payment_operations SET state = 'approved' WHERE ${OPERATIONS_OF('risky')} AND state = 'declined'`,
  ),
  buildViolation(
    'a capture is smaller',
    'completed_payments_are_what_was_taken',
    `UPDATE payment_operations SET amount = amount - 1 WHERE ${OPERATIONS_OF('paid')} AND kind = 'capture'`,
  ),
  buildViolation(
    'an authorization is smaller',
    'payments_are_within_their_authorization',
    `UPDATE payment_operations SET amount = amount - 1 WHERE ${OPERATIONS_OF('unpaid')}`,
  ),
  buildViolation(
    'a capture becomes a void',
    'operations_follow_the_history',
    `UPDATE payment_operations SET kind = 'void' WHERE ${OPERATIONS_OF('paid')} AND kind = 'capture'`,
  ),
  buildViolation(
    'an operation is moved to another payment',
    'operations_follow_the_history',
    `UPDATE payment_operations SET payment_id = ${PAYMENT_OF('unpaid')} WHERE ${OPERATIONS_OF('paid')} AND kind = 'capture'`,
  ),
  buildViolation(
    'an operation without a step in the history',
    'operations_follow_the_history',
    `INSERT INTO payment_operations (payment_id, kind, event, amount, idempotency_key, state_before, state, claimed_until, finished_at) VALUES (${PAYMENT_OF('unpaid')}, 'capture', 'capture', 1, 'forged', 'pending', 'approved', now(), now())`,
  ),
  buildRefusal(
    'a finished operation without a time',
    'payment_operations_finished',
    `UPDATE payment_operations SET finished_at = NULL WHERE ${OPERATIONS_OF('paid')}`,
  ),
  buildRefusal(
    'an operation of NaN',
    'payment_operations_amount_number',
    `UPDATE payment_operations SET amount = 'NaN' WHERE ${OPERATIONS_OF('paid')}`,
  ),

  buildViolation(
    'a refund is larger',
    'credits_are_refunded_once',
    `UPDATE refunds SET amount = amount + 1 WHERE ${OPERATIONS_OF('paid')}`,
  ),
  buildViolation(
    'a refund is larger than its payment',
    'refunds_are_within_their_payment',
    `UPDATE refunds SET amount = 1000 WHERE ${OPERATIONS_OF('paid')}`,
  ),
  buildViolation(
    'a refund without an operation',
    'credits_are_refunded_once',
    `INSERT INTO refunds (payment_id, amount) VALUES (${PAYMENT_OF('shipped')}, 1)`,
  ),
  buildViolation(
    'a refund is moved to another payment',
    'credits_are_refunded_once',
    `UPDATE refunds SET payment_id = ${PAYMENT_OF('shipped')} WHERE ${OPERATIONS_OF('paid')}`,
  ),
  buildRefusal('a refund is deleted', 'refunds_kept', `DELETE FROM refunds WHERE ${OPERATIONS_OF('paid')}`),
  buildViolation(
    'a restore without refunds',
    'credits_are_refunded_once',
    AS_RESTORED,
    `DELETE FROM refunds WHERE ${OPERATIONS_OF('paid')}`,
  ),
  buildRefusal(
    'a refund is duplicated',
    'refunds_operation_unique',
    `INSERT INTO refunds (payment_id, payment_operation_id, amount) SELECT payment_id, payment_operation_id, amount FROM refunds`,
  ),
  buildRefusal(
    'a refund of zero',
    'refunds_amount_positive',
    `UPDATE refunds SET amount = 0 WHERE ${OPERATIONS_OF('paid')}`,
  ),
];
