import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { MoneyDisplay } from '../../platform/money-format';
import { STORE_MONEY_FORMAT } from '../../catalog/store-settings-sql';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import type { PaymentRow, RefundedPayment } from '../order/order-graph';
import { HAS_FOREIGN_CARD, selectRefunds, selectWaiting } from '../order/order-graph-sql';
import { paymentSearch } from './payments.search';

/** A payment with its refunds, and how its order shows amounts. */
export interface ListedPayment extends RefundedPayment, MoneyDisplay {}

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
        refundsOf(db),
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
    .first<RefundedPayment | undefined>('payments.*', refundsOf(db));
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

function refundsOf(db: Db) {
  return db.raw(`${selectRefunds('payments')} AS refunds, ${selectWaiting('payments')} AS waiting`);
}

const FIND_FOREIGN_CARD = {
  name: 'payment_has_foreign_card',
  sql: `SELECT ${HAS_FOREIGN_CARD} AS found
          FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id WHERE p.id = ?`,
};

/** Returns `has_foreign_card` of a stored payment. */
export async function hasForeignCard(db: Db, { id }: Pick<PaymentRow, 'id'>): Promise<boolean> {
  const [row] = await queryPrepared<{ found: boolean }>(db, FIND_FOREIGN_CARD, [id]);
  if (row === undefined) throw new Error(`payment ${id} does not exist`);
  return row.found;
}
