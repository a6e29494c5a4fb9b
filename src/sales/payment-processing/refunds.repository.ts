import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
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
