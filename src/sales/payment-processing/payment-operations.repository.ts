import type { Db } from '../../platform/database/knex';
import { queryPrepared, type BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { expectFew } from '../order/json-rows-sql';
import type { PaymentCall, PaymentEvent, PaymentState } from '../order/payment.machine';
import type { Decided } from '../../platform/perform';
import type { PaymentRow, RequiredAction } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import type { GatewaySource } from './gateways/gateway';
import { PAYMENT_ROW, type LockedPayment, type PaymentPatch } from './payments.repository';

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
  'payment_id' | 'kind' | 'event' | 'purpose' | 'amount' | 'state_before' | 'user_id' | 'reason'
>;

/** Who has settled an operation whose gateway does not answer. */
export interface Settlement {
  outcome: 'approved' | 'declined';
  reason: string;
  user_id: number | null;
}

/** An operation with everything its gateway call needs, and its order. */
export interface GatewayRequest extends NewOperation {
  /** Instead of an answer of the gateway. */
  settled_by?: Settlement;
  id: number;
  idempotency_key: string;
  payment_number: string;
  order_id: number;
  order_number: string;
  currency: string;
  /** The gateway and its credentials. Never log them. */
  gateway: string;
  preferences: unknown;
  response_code: string | null;
  started_at: Date;
  /** The gateway has answered that it waits. */
  waits_until: Date | null;
  /** The payment is the rest of a partial capture. */
  is_remainder: boolean;
  /** The number of the payment whose authorization this one is part of; its own unless it is a rest. */
  authorization: string;
  /** For voids: a payment of the same authorization has refunds. False for all other calls. */
  has_refunds: boolean;
  source: GatewaySource | null;
}

/** How long a claim on an operation lasts, in seconds. Until it expires, no other process takes the operation over. */
export const CLAIM_SECONDS = 8;

const CLAIM = `clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`;

/** Selects gateway requests from a table of operations. */
export const SELECT_REQUESTS = (operations: string): string => `
  SELECT op.id, op.payment_id, op.kind, op.event, op.purpose, op.amount, op.idempotency_key, op.state_before,
         op.user_id, op.reason, op.started_at, op.waits_until, p.number AS payment_number,
         coalesce(CASE WHEN op.waits_until IS NOT NULL THEN op.response_code END, p.response_code) AS response_code, p.order_id,
         p.authorized_payment_id IS NOT NULL AS is_remainder,
         coalesce((SELECT first.number FROM payments first WHERE first.id = p.authorized_payment_id), p.number)
           AS "authorization",
         op.kind = 'void' AND EXISTS (
           SELECT FROM payments part JOIN refunds ON refunds.payment_id = part.id
            WHERE part.order_id = p.order_id
              AND coalesce(part.authorized_payment_id, part.id) = coalesce(p.authorized_payment_id, p.id))
           AS has_refunds, o.number AS order_number, o.currency,
         m.gateway, m.preferences,
         CASE WHEN c.id IS NOT NULL THEN json_build_object(
           'gateway_customer_profile_id', c.gateway_customer_profile_id,
           'gateway_payment_profile_id', c.gateway_payment_profile_id,
           'is_kept', c.user_id IS NOT NULL,
           'is_saved_by_another_user', c.gateway_payment_profile_id IS NOT NULL AND EXISTS (
             SELECT FROM credit_cards saved JOIN payment_methods method ON method.id = saved.payment_method_id
              WHERE (saved.gateway_customer_profile_id = c.gateway_payment_profile_id
                     OR saved.gateway_payment_profile_id = c.gateway_payment_profile_id)
                AND saved.gateway_customer_profile_id IS NOT NULL AND saved.user_id <> coalesce(c.user_id, 0)
                AND method.gateway = m.gateway)) END AS source
    FROM ${operations} op
    JOIN payments p ON p.id = op.payment_id
    JOIN orders o ON o.id = p.order_id
    JOIN payment_methods m ON m.id = p.payment_method_id
    LEFT JOIN credit_cards c ON c.id = p.credit_card_id`;

const INSERT_OPERATIONS = {
  name: 'insert_payment_operations',
  sql: `WITH new AS (
       SELECT * FROM json_to_recordset(?::json) AS n(payment_id integer, kind text, event text, purpose text,
         amount numeric, state_before text, through text, user_id integer, reason text)
        WHERE ${expectFew('payment_id')}),
     made AS (
       INSERT INTO payment_operations
         (payment_id, kind, event, purpose, amount, state_before, user_id, reason, idempotency_key, claimed_until)
       SELECT n.payment_id, n.kind, n.event, n.purpose, n.amount, n.state_before, n.user_id, n.reason,
              p.number || '-' || n.kind || '-' ||
                (SELECT count(*) + 1 FROM payment_operations before WHERE before.payment_id = p.id),
              ${CLAIM}
         FROM new n JOIN payments p ON p.id = n.payment_id AND p.order_id = ?
       RETURNING *),
     moved AS (UPDATE payments SET state = new.through FROM new
                WHERE payments.id = new.payment_id AND payments.order_id = ?
               RETURNING payments.id, payments.order_id, new.state_before, new.through, new.user_id),
     noted AS (
       INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state, user_id, reason)
       SELECT order_id, 'payment', id, state_before, through, user_id, ? FROM moved),
     touched AS (UPDATE orders SET updated_at = updated_at WHERE id = ?)
     ${SELECT_REQUESTS('made')}`,
};

/**
 * Stores operations, at most one for each payment, claimed for this process. In the same statement it moves the
 * payments to the state `through`, in which they wait for the result, and adds the step to their history. An
 * idempotency key consists of payment number, kind and a counter, so that a second capture after a declined one has a
 * new key.
 *
 * Sets the order's updated_at: a concurrent request with `If-Match` then sees that the order has changed.
 * @returns the requests, in the order of `operations`
 */
export async function insertOperations(
  tx: Tx,
  order: LockedOrder,
  operations: readonly (NewOperation & { through: Decided<PaymentState> })[],
  reason: string,
): Promise<GatewayRequest[]> {
  if (operations.length === 0) return [];
  const rows = await queryPrepared<GatewayRequest>(tx, INSERT_OPERATIONS, [
    JSON.stringify(operations),
    order.id,
    order.id,
    reason,
    order.id,
  ]);
  const requests = new Map(rows.map((row) => [row.payment_id, row]));
  return operations.flatMap(({ payment_id }) => requests.get(payment_id) ?? []);
}

/** Returns the requests of these operations, oldest first, in one statement. */
export async function findGatewayRequests(db: Db, ids: readonly number[]): Promise<GatewayRequest[]> {
  if (ids.length === 0) return [];
  const found = await db.raw<{ rows: GatewayRequest[] }>(
    `${SELECT_REQUESTS('payment_operations')} WHERE op.id = ANY(?::integer[]) ORDER BY op.id`,
    [[...ids]],
  );
  return found.rows;
}

/** Returns the ids of the payments whose cancellation with their order has begun. */
export async function findCanceledPayments(tx: Tx, order: LockedOrder): Promise<ReadonlySet<number>> {
  const rows = await tx('payment_operations')
    .join('payments', 'payments.id', 'payment_operations.payment_id')
    .where({ 'payments.order_id': order.id, purpose: 'cancel_order' })
    .distinct<{ id: number }[]>('payments.id');
  return new Set(rows.map(({ id }) => id));
}

/** An operation read under its lock, with its payment, which is locked as well. */
export interface LockedOperation {
  operation: Pick<
    PaymentOperationRow,
    | 'id'
    | 'kind'
    | 'event'
    | 'amount'
    | 'state_before'
    | 'state'
    | 'user_id'
    | 'reason'
    | 'message'
    | 'response_code'
  >;
  payment: PaymentRow;
}

/** The columns of `LockedOperation['operation']`; the statement prefixes them, because payments have the same ones. */
const OPERATION_COLUMNS: Record<keyof LockedOperation['operation'], true> = {
  id: true,
  kind: true,
  event: true,
  amount: true,
  state_before: true,
  state: true,
  user_id: true,
  reason: true,
  message: true,
  response_code: true,
};

type PrefixedColumns = {
  [K in keyof LockedOperation['operation'] as `op_${K}`]: LockedOperation['operation'][K];
};

// The rows are locked in the order of their names in FOR UPDATE.
const LOCK_OPERATION = {
  name: 'lock_order_and_operation',
  sql: `SELECT ${PAYMENT_ROW}, ${Object.keys(OPERATION_COLUMNS)
    .map((column) => `op.${column} AS op_${column}`)
    .join(', ')}
      FROM orders o JOIN payments p ON p.order_id = o.id JOIN payment_operations op ON op.payment_id = p.id
     WHERE o.id = ? AND p.id = ? AND op.id = ?
       FOR UPDATE OF o, p, op`,
};

/**
 * Locks an order, its payment and the operation on that payment, in this order, so that the result of the operation is
 * recorded only once. One statement. Read the order after it. @throws Error if there is no such operation
 */
export async function lockOperation(
  tx: Tx,
  { id, payment_id, order_id }: Pick<GatewayRequest, 'id' | 'payment_id' | 'order_id'>,
): Promise<LockedOperation> {
  const bindings = [order_id, payment_id, id];
  const [row] = await queryPrepared<PaymentRow & PrefixedColumns>(tx, LOCK_OPERATION, bindings);
  if (row === undefined) throw new Error(`operation ${id} does not exist`);
  const { op_id, op_kind, op_event, op_amount, op_state_before, op_state, ...others } = row;
  const { op_user_id, op_reason, op_message, op_response_code, ...payment } = others;
  return {
    payment,
    operation: {
      ...{ id: op_id, kind: op_kind, event: op_event, amount: op_amount, state_before: op_state_before },
      ...{ state: op_state, user_id: op_user_id, reason: op_reason, message: op_message },
      response_code: op_response_code,
    },
  };
}

/** The result of a gateway call, as stored in its operation. */
export type OperationResult = Pick<PaymentOperationRow, 'response_code' | 'message'> & {
  state: 'approved' | 'declined';
};

/** The columns of a payment that a result may change. */
export type ResultPatch = Pick<
  PaymentPatch,
  'amount' | 'authorized_amount' | 'response_code' | 'avs_response' | 'cvv_response_code'
>;

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
 * @returns their ids, at most `limit`
 */
export async function claimAbandonedOperations(tx: Tx, methodId: number, limit: number): Promise<number[]> {
  const claimed = await tx.raw<{ rows: { id: number }[] }>(
    `UPDATE payment_operations SET claimed_until = ${CLAIM}
      WHERE id IN (SELECT op.id FROM payment_operations op JOIN payments p ON p.id = op.payment_id
                    WHERE op.state = 'started' AND op.claimed_until < clock_timestamp() AND ${IS_DUE}
                      AND p.payment_method_id = ?
                    ORDER BY op.claimed_until, op.id LIMIT ? FOR UPDATE OF op SKIP LOCKED)
     RETURNING id`,
    [methodId, limit],
  );
  return claimed.rows.map((row) => row.id);
}

/** Locks the running operation of a payment, if there is one. `is_recent`: its first call may still get an answer. */
export async function lockStartedOperation(
  tx: Tx,
  payment: LockedPayment,
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
