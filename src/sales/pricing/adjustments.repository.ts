import type { Db } from '../../platform/database/knex';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage, selectColumns } from '../../platform/query-builder/row-page';
import type { AdjustmentRow } from '../order/order-graph';
import { adjustmentSearch } from './adjustments.search';

/** Returns one page of the adjustments of an order and its parts. Omits taxes and discounts of zero. */
export async function findAdjustmentPage(
  db: Db,
  orderId: number,
  list: ListQuery,
): Promise<Page<AdjustmentRow>> {
  const matching = applyFilters(db('adjustments'), list, adjustmentSearch)
    .where('adjustments.order_id', orderId)
    .whereRaw('(adjustments.source_type IS NULL OR adjustments.amount <> 0)');
  const select = selectColumns<AdjustmentRow>('adjustments.*');
  return findRowPage(db, { matching, select }, list, adjustmentSearch);
}
