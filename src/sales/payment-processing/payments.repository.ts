import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { MoneyDisplay } from '../../platform/money';
import { STORE_MONEY_FORMAT } from '../../catalog/store-settings-sql';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { buildStateChangesInsert, type PendingStateChange } from '../order/state-changes.repository';
import type { PaymentRow, RefundedPayment } from '../order/order-graph';
import { selectRefunds, selectWaiting } from '../order/order-graph-sql';
import type { LockedOrder } from '../order/order-lock';
import type { PaymentState } from '../order/payment.machine';
import { paymentSearch } from './payments.search';

/** A payment with its refunds, and how its order shows amounts. */
export interface ListedPayment extends RefundedPayment, MoneyDisplay {}

/** A payment with the values that rules need, read under its own lock. */
export interface LockedPayment extends RefundedPayment {
  method_type: 'gateway' | 'check';
  /** The setting of its method; defaults to the store's. */
  auto_capture: boolean;
  /** Sum of its refunds. */
  refunded: string;
}

/** Returns one page of the payments of an order, or of all orders if `orderId` is null. */
export async function findPaymentPage(
  db: Db,
  list: ListQuery,
  orderId: number | null,
): Promise<Page<ListedPayment>> {
  const matching = applyFilters(db('payments'), list, paymentSearch);
  if (orderId !== null) void matching.where('payments.order_id', orderId);
  const select = (payments: Knex.QueryBuilder) =>
    payments
      .join('orders', 'orders.id', 'payments.order_id')
      .select<ListedPayment[]>(
        'payments.*',
        'orders.currency',
        refundsOf(db, 'payments'),
        db.raw(`${STORE_MONEY_FORMAT} AS money_format`),
      );
  return findRowPage(db, { matching, select }, list, paymentSearch);
}

/** Reads a payment's key in a path: digits are its id, anything else is its number. */
function parsePaymentKey(key: string): { id: number } | { number: string } {
  return /^\d{1,10}$/.test(key) && Number(key) <= MAX_INT4 ? { id: Number(key) } : { number: key };
}

/** Returns whether `key`, an id or a number from a path, identifies this payment. */
export function hasKey(payment: Pick<PaymentRow, 'id' | 'number'>, key: string): boolean {
  const parsed = parsePaymentKey(key);
  return 'id' in parsed ? parsed.id === payment.id : parsed.number === payment.number;
}

/** Returns the payment of an order by its id or number. */
export async function findPayment(
  db: Db,
  orderId: number,
  key: string,
): Promise<RefundedPayment | undefined> {
  return db('payments')
    .where({ order_id: orderId, ...parsePaymentKey(key) })
    .first<RefundedPayment | undefined>('payments.*', refundsOf(db, 'payments'));
}

/** Returns the number of the order of a payment, by the id or number of the payment. */
export async function findOrderNumber(db: Db, key: string): Promise<string | undefined> {
  const parsed = parsePaymentKey(key);
  if ('number' in parsed && parsed.number.includes('\u0000')) return undefined;
  const payment = await db('payments')
    .join('orders', 'orders.id', 'payments.order_id')
    .where('id' in parsed ? { 'payments.id': parsed.id } : { 'payments.number': parsed.number })
    .first<{ number: string } | undefined>('orders.number');
  return payment?.number;
}

function refundsOf(db: Db, payment: string) {
  return db.raw(`${selectRefunds(payment)} AS refunds, ${selectWaiting(payment)} AS waiting`);
}

const COLUMNS: Record<keyof PaymentRow, true> = {
  id: true,
  number: true,
  order_id: true,
  payment_method_id: true,
  credit_card_id: true,
  amount: true,
  amount_is_explicit: true,
  authorized_amount: true,
  authorized_payment_id: true,
  state: true,
  response_code: true,
  avs_response: true,
  cvv_response_code: true,
  created_at: true,
  updated_at: true,
};

/** The columns of payments `p`. */
export const PAYMENT_ROW = Object.keys(COLUMNS)
  .map((column) => `p.${column}`)
  .join(', ');

const LOCK_PAYMENTS = {
  name: 'lock_payments',
  sql: `SELECT ${PAYMENT_ROW}, m.method_type,
            coalesce(m.auto_capture, (SELECT s.auto_capture FROM stores s WHERE s.is_default), false) AS auto_capture,
            (SELECT coalesce(sum(r.amount), 0)::text FROM refunds r WHERE r.payment_id = p.id) AS refunded,
            ${selectRefunds('p')} AS refunds, ${selectWaiting('p')} AS waiting
       FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id
      WHERE p.order_id = ?
      ORDER BY p.id
        FOR UPDATE OF p`,
};

/** Locks all payments of an order and returns them, oldest first. */
export async function lockPayments(tx: Tx, order: LockedOrder): Promise<LockedPayment[]> {
  return queryPrepared(tx, LOCK_PAYMENTS, [order.id]);
}

export type PaymentPatch = Partial<
  Pick<
    PaymentRow,
    | 'amount'
    | 'amount_is_explicit'
    | 'authorized_amount'
    | 'payment_method_id'
    | 'credit_card_id'
    | 'response_code'
    | 'avs_response'
    | 'cvv_response_code'
  >
>;

/** Updates columns of a payment, except its state, which only the runner of the state machine writes. */
export async function updatePayment(
  tx: Tx,
  order: LockedOrder,
  { id, patch }: { id: number; patch: PaymentPatch },
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('payments').where({ id, order_id: order.id }).update(patch);
}

/** Writes the states of payments of an order and their history, in one statement. */
export async function updatePaymentStates(
  tx: Tx,
  order: LockedOrder,
  moves: readonly PendingStateChange<PaymentState>[],
): Promise<void> {
  await tx.raw(
    `WITH noted AS (?)
     UPDATE payments SET state = m.to_state
       FROM json_to_recordset(?::json) AS m(subject_id integer, to_state text)
      WHERE payments.id = m.subject_id AND payments.order_id = ?`,
    [buildStateChangesInsert(tx, moves), JSON.stringify(moves), order.id],
  );
}
