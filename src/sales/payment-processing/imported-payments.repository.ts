import { generatePaymentNumber } from '../order/numbers';
import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { PaymentState } from '../order/payment.machine';
import type { Cause } from '../order/state-changes.repository';
import { insertWithUniqueNumber } from '../order/unique-number';
import type { PaymentOperationRow } from './payment-operations.repository';

/** The states of an imported payment. None has a running gateway call. */
export type ImportedState = Exclude<PaymentState, 'processing'>;

/** A payment that was made before its order was imported. */
export interface ImportedPayment {
  payment_method_id: number;
  credit_card_id: number | null;
  /** A decimal string. */
  amount: string;
  state: ImportedState;
  response_code: string | null;
}

/**
 * What the payment went through: its states in order, and the gateway call that was made elsewhere, if there was one.
 */
const PASTS: Record<
  ImportedState,
  {
    states: readonly PaymentState[];
    call: { kind: 'purchase' | 'authorize'; state: PaymentOperationRow['state'] } | null;
  }
> = {
  checkout: { states: ['checkout'], call: null },
  pending: {
    states: ['checkout', 'processing', 'pending'],
    call: { kind: 'authorize', state: 'approved' },
  },
  completed: {
    states: ['checkout', 'processing', 'completed'],
    call: { kind: 'purchase', state: 'approved' },
  },
  failed: { states: ['checkout', 'processing', 'failed'], call: { kind: 'purchase', state: 'declined' } },
  void: { states: ['checkout', 'void'], call: null },
  invalid: { states: ['checkout', 'invalid'], call: null },
};

/** How the operation is recorded whose call was made elsewhere. */
interface RecordedCall {
  event: 'import' | 'refund_failed';
  /** Null for one of its own. An operation with the same key fails the statement. */
  idempotency_key: string | null;
}

const IMPORT: RecordedCall = { event: 'import', idempotency_key: null };

/**
 * Stores an imported payment with an opening history: the states that it went through, and an operation for the call
 * that was made elsewhere. Calls no gateway. One statement.
 */
export async function insertImportedPayment(
  tx: Tx,
  order: LockedOrder,
  payment: ImportedPayment,
  { user_id, reason }: Cause,
  { event, idempotency_key }: RecordedCall = IMPORT,
): Promise<void> {
  const { states, call } = PASTS[payment.state];
  const hasApproval = call?.state === 'approved';
  await insertWithUniqueNumber(async () => {
    const { rows } = await tx.raw<{ rows: { id: number }[] }>(
      `WITH made AS (
         INSERT INTO payments (number, order_id, payment_method_id, credit_card_id, amount, amount_is_explicit,
                               authorized_amount, state, response_code)
         VALUES (:number, :order, :method, :card, :amount::numeric, true, :authorized::numeric, :state, :code)
         ON CONFLICT (number) DO NOTHING RETURNING id, number, amount),
       called AS (
         INSERT INTO payment_operations (payment_id, kind, event, purpose, amount, idempotency_key, state_before, state,
                                         user_id, response_code, claimed_until, finished_at)
         SELECT id, call.kind, :event, 'payment', amount, coalesce(:key, number || '-' || call.kind || '-1'), 'checkout', call.state,
                :user::integer, :code, clock_timestamp(), clock_timestamp()
           FROM made CROSS JOIN json_to_record(:call::json) AS call(kind text, state text)
          WHERE call.kind IS NOT NULL),
       noted AS (
         INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state, user_id, reason)
         SELECT :order, 'payment', made.id, lag(step.state) OVER (ORDER BY step.place), step.state, :user::integer, :reason
           FROM made CROSS JOIN unnest(:states::text[]) WITH ORDINALITY AS step(state, place)
          ORDER BY step.place)
       SELECT id FROM made`,
      {
        number: generatePaymentNumber(),
        order: order.id,
        method: payment.payment_method_id,
        card: payment.credit_card_id,
        amount: payment.amount,
        authorized: hasApproval ? payment.amount : null,
        state: payment.state,
        code: payment.response_code,
        event,
        key: idempotency_key,
        user: user_id,
        reason,
        call: JSON.stringify(call ?? {}),
        states: [...states],
      },
    );
    return rows[0];
  });
}
