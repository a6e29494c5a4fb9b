import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { buildStateChangesInsert, type PendingStateChange } from '../order/state-changes.repository';
import type { PaymentCall, PaymentEvent, PaymentState } from '../order/payment.machine';
import type { Decided } from '../../platform/perform';
import type { PaymentPatch } from './payments.repository';

/** What waits for the answer: the payment alone, or the completion or cancellation of its order. */
export type OperationPurpose = 'payment' | 'complete_order' | 'cancel_order';

export interface PaymentOperationRow {
  id: number;
  payment_id: number;
  /** What the gateway is asked. */
  kind: PaymentCall;
  /** What was asked of the payment. */
  event: PaymentEvent;
  purpose: OperationPurpose;
  amount: string;
  idempotency_key: string;
  state_before: PaymentState;
  state: 'started' | 'approved' | 'declined';
  /** Who asked; null for guests. */
  user_id: number | null;
  response_code: string | null;
  message: string | null;
  started_at: Date;
  claimed_until: Date;
  finished_at: Date | null;
}

export type NewOperation = Pick<
  PaymentOperationRow,
  'payment_id' | 'kind' | 'event' | 'purpose' | 'amount' | 'state_before' | 'user_id'
>;

/** An operation with all that its gateway has to be told, and whom it concerns. */
export interface GatewayRequest extends NewOperation {
  id: number;
  idempotency_key: string;
  payment_number: string;
  order_id: number;
  order_number: string;
  currency: string;
  /** Which gateway, and its credentials: neither is for logs. */
  gateway: string;
  preferences: unknown;
  response_code: string | null;
  source: { gateway_customer_profile_id: string | null; gateway_payment_profile_id: string | null } | null;
}

/** How long whoever starts or takes over an operation has it to itself, in seconds. */
export const CLAIM_SECONDS = 8;

const CLAIM = `clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`;

/** What a gateway has to be told, of the operations called `op`. */
const SELECT_REQUESTS = (operations: string): string => `
  SELECT op.id, op.payment_id, op.kind, op.event, op.purpose, op.amount, op.idempotency_key, op.state_before,
         op.user_id, p.number AS payment_number, p.response_code, p.order_id, o.number AS order_number, o.currency,
         m.gateway, m.preferences,
         CASE WHEN c.id IS NOT NULL THEN json_build_object(
           'gateway_customer_profile_id', c.gateway_customer_profile_id,
           'gateway_payment_profile_id', c.gateway_payment_profile_id) END AS source
    FROM ${operations} op
    JOIN payments p ON p.id = op.payment_id
    JOIN orders o ON o.id = p.order_id
    JOIN payment_methods m ON m.id = p.payment_method_id
    LEFT JOIN credit_cards c ON c.id = p.credit_card_id`;

/**
 * Writes intents down, claimed for the caller, one for each payment, moves the payments to where they wait (`through`)
 * and notes it in their history; one statement. The keys are payment number, kind and a counter, so that a second
 * capture after a refused one is another request to the gateway. Expects the payments locked.
 * @returns what is to be asked, in the order of `operations`
 */
export async function insertOperations(
  tx: Tx,
  operations: readonly (NewOperation & { through: Decided<PaymentState> })[],
  reason: string,
): Promise<GatewayRequest[]> {
  if (operations.length === 0) return [];
  const inserted = await tx.raw<{ rows: GatewayRequest[] }>(
    `WITH new AS (
       SELECT * FROM json_to_recordset(?::json) AS n(payment_id integer, kind text, event text, purpose text,
         amount numeric, state_before text, through text, user_id integer)),
     made AS (
       INSERT INTO payment_operations
         (payment_id, kind, event, purpose, amount, state_before, user_id, idempotency_key, claimed_until)
       SELECT n.payment_id, n.kind, n.event, n.purpose, n.amount, n.state_before, n.user_id,
              p.number || '-' || n.kind || '-' ||
                (SELECT count(*) + 1 FROM payment_operations before WHERE before.payment_id = p.id),
              ${CLAIM}
         FROM new n JOIN payments p ON p.id = n.payment_id
       RETURNING *),
     moved AS (UPDATE payments SET state = new.through FROM new WHERE payments.id = new.payment_id
               RETURNING payments.id, payments.order_id, new.state_before, new.through, new.user_id),
     noted AS (
       INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state, user_id, reason)
       SELECT order_id, 'payment', id, state_before, through, user_id, ? FROM moved)
     ${SELECT_REQUESTS('made')}`,
    [JSON.stringify(operations), reason],
  );
  const requests = new Map(inserted.rows.map((row) => [row.payment_id, row]));
  return operations.flatMap(({ payment_id }) => requests.get(payment_id) ?? []);
}

/** What these operations ask their gateways, oldest first. One statement. */
export async function findGatewayRequests(db: Db, ids: readonly number[]): Promise<GatewayRequest[]> {
  if (ids.length === 0) return [];
  const found = await db.raw<{ rows: GatewayRequest[] }>(
    `${SELECT_REQUESTS('payment_operations')} WHERE op.id = ANY(?::integer[]) ORDER BY op.id`,
    [[...ids]],
  );
  return found.rows;
}

/**
 * Names what gateways are being asked about payments of this order: another name means that an answer has come since.
 * Null when nothing is.
 */
export async function findRunningRequests(db: Db, orderId: number): Promise<string | null> {
  const { rows } = await db.raw<{ rows: { name: string | null }[] }>(
    `SELECT string_agg(concat_ws('/', p.id, (SELECT max(o.id) FROM payment_operations o WHERE o.payment_id = p.id)),
                       ' ' ORDER BY p.id) AS name
       FROM payments p WHERE p.order_id = ? AND p.state = 'processing'`,
    [orderId],
  );
  return rows[0]?.name ?? null;
}

/** Of two who record an answer the second sees what the first has written. Expects the order locked. */
export async function lockOperation(tx: Tx, id: number): Promise<PaymentOperationRow | undefined> {
  return tx<PaymentOperationRow>('payment_operations').where({ id }).forUpdate().first();
}

/** What a gateway answered, as its operation keeps it. */
export type OperationResult = Pick<PaymentOperationRow, 'response_code' | 'message'> & {
  state: 'approved' | 'declined';
};

/**
 * Writes the answer down, with what becomes of the payment and the history of it, in one statement; from then on the
 * operation is history.
 */
export async function finishOperation(
  tx: Tx,
  operation: Pick<PaymentOperationRow, 'id' | 'payment_id'>,
  answer: OperationResult,
  payment: { patch: PaymentPatch; move: PendingStateChange<PaymentState> },
): Promise<void> {
  const finished = { ...answer, finished_at: tx.raw('clock_timestamp()') };
  await tx('payments')
    .with('finished', tx('payment_operations').where({ id: operation.id }).update(finished))
    .with('noted', buildStateChangesInsert(tx, [payment.move]))
    .where({ id: operation.payment_id })
    .update({ ...payment.patch, state: payment.move.to_state });
}

/**
 * Takes over operations whose asker has had its time and left no answer: it was killed, lost the database, or the
 * gateway kept silent. Nobody else gets them while the claim lasts.
 * @returns their ids, at most `limit`
 */
export async function claimAbandonedOperations(tx: Tx, limit: number): Promise<number[]> {
  const claimed = await tx.raw<{ rows: { id: number }[] }>(
    `UPDATE payment_operations SET claimed_until = ${CLAIM}
      WHERE id IN (SELECT id FROM payment_operations
                    WHERE state = 'started' AND claimed_until < clock_timestamp()
                    ORDER BY claimed_until, id LIMIT ? FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [limit],
  );
  return claimed.rows.map((row) => row.id);
}
