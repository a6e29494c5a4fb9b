import type { Db } from '../../platform/database/knex';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import type { RefundRow } from '../order/order-graph';
import { refundSearch } from './refunds.search';

/** Returns one page of the refunds of an order's payments. */
export async function findRefundPage(db: Db, list: ListQuery, orderId: number): Promise<Page<RefundRow>> {
  const ofOrder = db('payments').where({ order_id: orderId }).select('id');
  const matching = applyFilters(db('refunds'), list, refundSearch).whereIn('refunds.payment_id', ofOrder);
  const rows = matching.clone().select<RefundRow[]>('refunds.*');
  const found = await applySortAndPage(rows, list, refundSearch);
  return buildPage(found, await countAll(matching, found.length, list), list);
}
