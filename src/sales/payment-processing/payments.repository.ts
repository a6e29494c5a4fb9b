import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { generatePaymentNumber } from '../../platform/numbers';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import {
  buildInitialStatesInsert,
  buildStateChangesInsert,
  type StateChange,
  type PendingStateChange,
} from '../order/state-changes.repository';
import { insertWithUniqueNumber } from '../order/unique-number';
import type { PaymentRow } from '../order/order-graph';
import type { PaymentState } from '../order/payment.machine';
import { paymentSearch } from './payments.search';

/** A payment with its order's currency, which its amount is shown in. */
export interface ListedPayment extends PaymentRow {
  currency: string;
}

/** A payment as rules decide about it, read under its own lock. */
export interface LockedPayment extends PaymentRow {
  method_type: 'gateway' | 'check';
  /** Its method's setting, or else the store's. */
  auto_capture: boolean;
  /** Sum of its refunds. */
  refunded: string;
}

/** Payments in list order: of one order or (null) of all. */
export async function findPaymentPage(
  db: Db,
  list: ListQuery,
  orderId: number | null,
): Promise<Page<ListedPayment>> {
  const matching = applyFilters(db('payments'), list, paymentSearch);
  if (orderId !== null) void matching.where('payments.order_id', orderId);
  const rows = matching
    .clone()
    .join('orders', 'orders.id', 'payments.order_id')
    .select<ListedPayment[]>('payments.*', 'orders.currency');
  const found = await applySortAndPage(rows, list, paymentSearch);
  return buildPage(found, await countAll(matching, found.length, list), list);
}

/** How a path names a payment: by its id in digits, or else by its number. */
function parsePaymentKey(key: string): { id: number } | { number: string } {
  return /^\d{1,10}$/.test(key) && Number(key) <= MAX_INT4 ? { id: Number(key) } : { number: key };
}

/** Whether a path means this payment. */
export function hasKey(payment: Pick<PaymentRow, 'id' | 'number'>, key: string): boolean {
  const named = parsePaymentKey(key);
  return 'id' in named ? named.id === payment.id : named.number === payment.number;
}

/** The order's payment of that id or number. */
export async function findPayment(db: Db, orderId: number, key: string): Promise<PaymentRow | undefined> {
  return db<PaymentRow>('payments')
    .where({ order_id: orderId, ...parsePaymentKey(key) })
    .first();
}

/** All payments of an order, oldest first, locked until the transaction ends. Expects the order locked. */
export async function lockPayments(tx: Tx, orderId: number): Promise<LockedPayment[]> {
  const locked = await tx.raw<{ rows: LockedPayment[] }>(
    `SELECT p.*, m.method_type,
            coalesce(m.auto_capture, (SELECT s.auto_capture FROM stores s WHERE s.is_default), false) AS auto_capture,
            (SELECT coalesce(sum(r.amount), 0)::text FROM refunds r WHERE r.payment_id = p.id) AS refunded
       FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id
      WHERE p.order_id = ?
      ORDER BY p.id
        FOR UPDATE OF p`,
    [orderId],
  );
  return locked.rows;
}

export type NewPayment = Pick<
  PaymentRow,
  'order_id' | 'payment_method_id' | 'credit_card_id' | 'amount' | 'amount_is_explicit'
> &
  Partial<Pick<PaymentRow, 'response_code' | 'avs_response' | 'cvv_response_code'>> & {
    /** `checkout` when left out; `pending` for the rest of an authorization. */
    state?: 'pending';
  };

/** Stores a payment under a new random number and notes its beginning, in one statement. */
export async function insertPayment(
  tx: Tx,
  payment: NewPayment,
  cause: Pick<StateChange, 'user_id' | 'reason'>,
): Promise<PaymentRow> {
  return insertWithUniqueNumber(async () => {
    const insert = tx('payments')
      .insert({ ...payment, number: generatePaymentNumber() })
      .onConflict('number')
      .ignore();
    return tx<PaymentRow>('made')
      .with('made', insert.returning('*'))
      .with('noted', buildInitialStatesInsert(tx, 'payment', cause))
      .first();
  });
}

export type PaymentPatch = Partial<
  Pick<
    PaymentRow,
    | 'amount'
    | 'amount_is_explicit'
    | 'payment_method_id'
    | 'credit_card_id'
    | 'response_code'
    | 'avs_response'
    | 'cvv_response_code'
  >
>;

/** Changes columns of a payment; its state is written by the runner of the state machine. */
export async function updatePayment(
  tx: Tx,
  { id }: Pick<LockedPayment, 'id'>,
  patch: PaymentPatch,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('payments').where({ id }).update(patch);
}

/** Writes the states of payments and their history, in one statement. Expects the payments' order locked. */
export async function updatePaymentStates(tx: Tx, moves: readonly PendingStateChange<PaymentState>[]): Promise<void> {
  await tx.raw(
    `WITH noted AS (?)
     UPDATE payments SET state = m.to_state
       FROM json_to_recordset(?::json) AS m(subject_id integer, to_state text) WHERE payments.id = m.subject_id`,
    [buildStateChangesInsert(tx, moves), JSON.stringify(moves)],
  );
}

/** Sets the amount of payments that nobody named one for, in one statement. */
export async function updatePaymentAmounts(tx: Tx, ids: readonly number[], amount: string): Promise<void> {
  if (ids.length > 0) await tx('payments').whereIn('id', ids).update({ amount });
}

/** Removes the payments of an order that no gateway was ever asked about. */
export async function deleteCheckoutPayments(tx: Tx, orderId: number): Promise<void> {
  await tx('payments').where({ order_id: orderId, state: 'checkout' }).delete();
}

/** Gives part of a payment back; at most once for one operation. */
export async function insertRefund(
  tx: Tx,
  refund: { payment_id: number; payment_operation_id: number; amount: string; response_code: string | null },
): Promise<void> {
  await tx('refunds').insert(refund);
}
