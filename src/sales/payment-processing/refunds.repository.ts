import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { toDecimal, type Amount } from '../../platform/money';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage, selectColumns } from '../../platform/query-builder/row-page';
import type { RefundRow } from '../order/order-graph';
import { refundSearch } from './refunds.search';
import type { FailedCredit } from './unreturned-payments';

/** Returns one page of the refunds of an order's payments. */
export async function findRefundPage(db: Db, list: ListQuery, orderId: number): Promise<Page<RefundRow>> {
  const ofOrder = db('payments').where({ order_id: orderId }).select('id');
  const matching = applyFilters(db('refunds'), list, refundSearch).whereIn('refunds.payment_id', ofOrder);
  return findRowPage(db, { matching, select: selectColumns<RefundRow>('refunds.*') }, list, refundSearch);
}

/**
 * Returns whether the store has asked for a refund with this reference itself. One whose reference is unknown, because staff have
 * settled it, is told by its amount.
 */
export async function isOwnRefund(
  tx: Tx,
  orderId: number,
  { id, amount }: { id: string; amount: Amount },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `SELECT FROM payment_operations op JOIN payments p ON p.id = op.payment_id
      WHERE p.order_id = ? AND op.kind = 'credit'
        AND (op.response_code = ? OR op.response_code IS NULL AND op.state = 'approved' AND op.amount = ?) LIMIT 1`,
    [orderId, id, toDecimal(amount)],
  );
  return rows.length > 0;
}

/** An approved credit that has failed since. */
export interface RefundToReturn extends FailedCredit {
  is_returned: boolean;
}

/** Returns the credit of a payment that the provider gave this reference; undefined if there is none. */
export async function findRefundToReturn(
  tx: Tx,
  paymentId: number,
  reference: string,
): Promise<RefundToReturn | undefined> {
  const { rows } = await tx.raw<{ rows: RefundToReturn[] }>(
    `SELECT amount, idempotency_key,
            EXISTS (SELECT FROM payment_operations made WHERE made.idempotency_key = op.idempotency_key || '-failed') AS is_returned
       FROM payment_operations op
      WHERE payment_id = ? AND kind = 'credit' AND state = 'approved' AND response_code = ?`,
    [paymentId, reference],
  );
  return rows[0];
}
