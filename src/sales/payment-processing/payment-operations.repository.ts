import type { Db } from '../../platform/database/knex';
import { queryPrepared, type BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { expectFew } from '../order/json-rows-sql';
import type { PaymentCall, PaymentEvent, PaymentState } from '../order/payment.machine';
import type { Decided } from '../../platform/perform';
import type { PaymentRow, RequiredAction } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';

/** What continues with the result: the payment alone, or the completion or cancellation of its order. */
export type OperationPurpose = 'payment' | 'complete_order' | 'cancel_order';

export interface PaymentOperationRow {
  id: number;
  payment_id: number;
  /** The function of the gateway that is called. */
  kind: PaymentCall;
  /** The event of the payment that caused the call. */
  event: PaymentEvent;
  purpose: OperationPurpose;
  amount: string;
  idempotency_key: string;
  state_before: PaymentState;
  state: 'started' | 'approved' | 'declined';
  /** The account of the actor; null for guests. */
  user_id: number | null;
  /** Why a credit was requested; null if the request had no reason. */
  reason: string | null;
  response_code: string | null;
  message: string | null;
  started_at: Date;
  claimed_until: Date;
  finished_at: Date | null;
  /** Until when the decision of the gateway is waited for; kept when it is made. Null if it never waited. */
  waits_until: Date | null;
  /** What the buyer must do, while it waits. */
  requires_action: RequiredAction | null;
}

export type NewOperation = Pick<
  PaymentOperationRow,
  | 'payment_id'
  | 'kind'
  | 'event'
  | 'purpose'
  | 'amount'
  | 'idempotency_key'
  | 'state_before'
  | 'user_id'
  | 'reason'
>;

/** How long a claim on an operation lasts, in seconds. Until it expires, no other process takes the operation over. */
const CLAIM_SECONDS = 8;

const CLAIM = `clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`;

const START_OPERATIONS = {
  name: 'start_payment_operations',
  sql: `WITH new AS (
       SELECT * FROM json_to_recordset(?::json) AS n(payment_id integer, kind text, event text, purpose text,
         amount numeric, idempotency_key text, state_before text, through text, user_id integer, reason text)
        WHERE ${expectFew('payment_id')}),
     made AS (
       INSERT INTO payment_operations
         (payment_id, kind, event, purpose, amount, idempotency_key, state_before, user_id, reason, claimed_until)
       SELECT payment_id, kind, event, purpose, amount, idempotency_key, state_before, user_id, reason, ${CLAIM} FROM new),
     moved AS (UPDATE payments SET state = new.through FROM new
                WHERE payments.id = new.payment_id AND payments.order_id = ?
               RETURNING payments.id, payments.order_id, new.state_before, new.through, new.user_id),
     noted AS (
       INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state, user_id, reason)
       SELECT order_id, 'payment', id, state_before, through, user_id, ? FROM moved)
     UPDATE orders SET updated_at = updated_at WHERE id = ?`,
};

/**
 * Builds the insert of operations, at most one for each payment, claimed for this process. The same statement moves the
 * payments to the state `through`, in which they wait for the result, and adds the step to their history.
 *
 * It sets the order's updated_at: a concurrent request with `If-Match` then sees that the order has changed.
 */
export function buildOperationsStart(
  order: LockedOrder,
  operations: readonly (NewOperation & { through: Decided<PaymentState> })[],
  reason: string,
): BoundStatement {
  return {
    statement: START_OPERATIONS,
    bindings: [JSON.stringify(operations), order.id, reason, order.id],
  };
}

/** Returns the ids of the payments whose cancellation with their order has begun. */
export async function findCanceledPayments(tx: Tx, order: LockedOrder): Promise<ReadonlySet<number>> {
  const rows = await tx('payment_operations')
    .join('payments', 'payments.id', 'payment_operations.payment_id')
    .where({ 'payments.order_id': order.id, purpose: 'cancel_order' })
    .distinct<{ id: number }[]>('payments.id');
  return new Set(rows.map(({ id }) => id));
}

/** What identifies an operation. */
export interface OperationKey extends Pick<PaymentOperationRow, 'idempotency_key' | 'payment_id'> {
  order_id: number;
}

const LOCKED_COLUMNS = [
  ...(['id', 'kind', 'event', 'amount', 'state_before', 'state'] as const),
  ...(['user_id', 'reason', 'message', 'response_code'] as const),
] satisfies (keyof PaymentOperationRow)[];

/** An operation read under its lock; its payment is locked as well. */
export type LockedOperation = Pick<PaymentOperationRow, (typeof LOCKED_COLUMNS)[number]>;

// The rows are locked in the order of their names in FOR UPDATE.
const LOCK_OPERATION = {
  name: 'lock_order_and_operation',
  sql: `SELECT ${LOCKED_COLUMNS.map((column) => `op.${column}`).join(', ')}
      FROM orders o JOIN payments p ON p.order_id = o.id JOIN payment_operations op ON op.payment_id = p.id
     WHERE o.id = ? AND p.id = ? AND op.idempotency_key = ?
       FOR UPDATE OF o, p, op`,
};

/**
 * Locks an order, its payment and the operation on that payment, in this order, so that the result of the operation is
 * recorded only once. One statement. Read the order after it. @throws Error if there is no such operation
 */
export async function lockOperation(
  tx: Tx,
  { idempotency_key, payment_id, order_id }: OperationKey,
): Promise<LockedOperation> {
  const bindings = [order_id, payment_id, idempotency_key];
  const [operation] = await queryPrepared<LockedOperation>(tx, LOCK_OPERATION, bindings);
  if (operation === undefined) throw new Error(`operation ${idempotency_key} does not exist`);
  return operation;
}

/** The result of a gateway call, as stored in its operation. */
export type OperationResult = Pick<PaymentOperationRow, 'response_code' | 'message'> & {
  state: 'approved' | 'declined';
};

const STORE_RESULT = {
  name: 'store_operation_result',
  sql: `UPDATE payment_operations SET state = ?, response_code = coalesce(?, response_code), message = ?, requires_action = NULL,
              finished_at = clock_timestamp()
         WHERE id = ?`,
};

/** Builds the write of the result of an operation, which never changes again. */
export function buildOperationResult(
  id: number,
  { state, response_code, message }: OperationResult,
): BoundStatement {
  return { statement: STORE_RESULT, bindings: [state, response_code, message, id] };
}

/** A condition: operation `op` does not wait, or has waited long enough. */
const IS_DUE = 'coalesce(op.waits_until < clock_timestamp(), true)';

/** Returns the ids of the payment methods that have operations whose claim has expired without a result. */
export async function findMethodsToSettle(db: Db): Promise<number[]> {
  const found = await db.raw<{ rows: { id: number }[] }>(
    `SELECT DISTINCT p.payment_method_id AS id
       FROM payment_operations op JOIN payments p ON p.id = op.payment_id
      WHERE op.state = 'started' AND op.claimed_until < clock_timestamp() AND ${IS_DUE}`,
  );
  return found.rows.map(({ id }) => id);
}

/**
 * Claims operations of a payment method whose claim has expired without a result: the process was killed, it lost the
 * database, or the gateway did not respond. No other process can take them over until the new claim expires.
 * The array is selected once; a joined selection may be repeated, and then claims more.
 * @returns their ids, at most `limit`
 */
export async function claimAbandonedOperations(tx: Tx, methodId: number, limit: number): Promise<number[]> {
  const claimed = await tx.raw<{ rows: { id: number }[] }>(
    `UPDATE payment_operations SET claimed_until = ${CLAIM}
      WHERE id = ANY(ARRAY(
        SELECT op.id FROM payment_operations op JOIN payments p ON p.id = op.payment_id
         WHERE op.state = 'started' AND op.claimed_until < clock_timestamp() AND ${IS_DUE} AND p.payment_method_id = ?
         ORDER BY op.claimed_until, op.id LIMIT ? FOR UPDATE OF op SKIP LOCKED))
     RETURNING id`,
    [methodId, limit],
  );
  return claimed.rows.map((row) => row.id);
}

/** Locks the running operation of a payment, if there is one. `is_recent`: its first call may still get an answer. */
export async function lockStartedOperation(
  tx: Tx,
  payment: Pick<PaymentRow, 'id'>,
): Promise<(PaymentOperationRow & { is_recent: boolean }) | undefined> {
  return tx<PaymentOperationRow>('payment_operations')
    .where({ payment_id: payment.id, state: 'started' })
    .forUpdate()
    .first<(PaymentOperationRow & { is_recent: boolean }) | undefined>(
      '*',
      tx.raw(`started_at > clock_timestamp() - interval '${CLAIM_SECONDS} seconds' AS is_recent`),
    );
}

/** Claims an operation, so that the settling job does not repeat its call for now. */
export async function claimOperation(tx: Tx, { id }: Pick<PaymentOperationRow, 'id'>): Promise<void> {
  await tx('payment_operations')
    .where({ id })
    .update({ claimed_until: tx.raw(CLAIM) });
}

/** An operation whose gateway has not answered for a long time. */
export interface OverdueOperation {
  order: string;
  payment: string;
  kind: PaymentCall;
  started_at: Date;
}

/**
 * Returns the running operations that started more than `minutes` ago and were not returned in the last `interval`
 * minutes, to any instance; oldest first.
 */
export async function takeOverdueOperations(
  db: Db,
  { minutes, interval }: { minutes: number; interval: number },
): Promise<OverdueOperation[]> {
  const overdue = await db.raw<{ rows: OverdueOperation[] }>(
    `WITH overdue AS (
       UPDATE payment_operations SET alerted_at = clock_timestamp()
        WHERE state = 'started' AND started_at < clock_timestamp() - make_interval(mins => :minutes)
          AND coalesce(waits_until < clock_timestamp() - make_interval(mins => :minutes), true)
          AND coalesce(alerted_at < clock_timestamp() - make_interval(mins => :interval), true)
       RETURNING id, payment_id, kind, started_at)
     SELECT o.number AS order, p.number AS payment, overdue.kind, overdue.started_at
       FROM overdue JOIN payments p ON p.id = overdue.payment_id JOIN orders o ON o.id = p.order_id
      ORDER BY overdue.started_at, overdue.id`,
    { minutes, interval },
  );
  return overdue.rows;
}
