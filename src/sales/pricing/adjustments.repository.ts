import type { LockedOrder } from '../order/order-lock';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, countAll, type Page } from '../../platform/query-builder/page';
import type { AdjustmentRow } from '../order/order-graph';
import type { NewAdjustment } from './new-adjustment';
import { adjustmentSearch } from './adjustments.search';

const COLUMNS = `id, order_id, line_item_id, shipment_id, source_type, source_id, amount::text, label, mandatory, included,
  eligible, closed, taxed, rate::text, included_rates::text, action_type, percent::text, sold_amount::text, sold_base::text,
  included_tax::text, additional_tax::text, created_at, updated_at`;

/** Inserts adjustments of the order in one statement. @returns the stored rows */
export async function insertAdjustments(
  tx: Tx,
  order: LockedOrder,
  adjustments: readonly NewAdjustment[],
): Promise<AdjustmentRow[]> {
  if (adjustments.length === 0) return [];
  const { rows } = await tx.raw<{ rows: AdjustmentRow[] }>(
    `INSERT INTO adjustments (order_id, line_item_id, shipment_id, source_type, source_id, amount, label, mandatory,
                              included, eligible, closed, taxed, rate, included_rates, action_type, percent, sold_amount, sold_base,
                              included_tax, additional_tax)
     SELECT ?, line_item_id, shipment_id, source_type, source_id, amount, label, coalesce(mandatory, false),
            coalesce(included, false), coalesce(eligible, true), coalesce(closed, false),
            coalesce(taxed, false), rate, included_rates, action_type, percent, sold_amount, sold_base, included_tax, additional_tax
       FROM json_to_recordset(?::json)
            AS a(line_item_id integer, shipment_id integer, source_type text, source_id integer,
                 amount numeric, label text, mandatory boolean, included boolean, eligible boolean, closed boolean,
                 taxed boolean,
                 rate numeric, included_rates numeric, action_type text, percent numeric, sold_amount numeric,
                 sold_base numeric, included_tax numeric, additional_tax numeric)
     RETURNING ${COLUMNS}`,
    [order.id, JSON.stringify(adjustments)],
  );
  return rows;
}

/** Returns one page of the adjustments of an order and its parts. Omits taxes and discounts of zero. */
export async function findAdjustmentPage(
  db: Db,
  orderId: number,
  list: ListQuery,
): Promise<Page<AdjustmentRow>> {
  const matching = applyFilters(db('adjustments'), list, adjustmentSearch)
    .where('adjustments.order_id', orderId)
    .whereRaw('(adjustments.source_type IS NULL OR adjustments.amount <> 0)');
  const rows = matching.clone().select<AdjustmentRow[]>('adjustments.*');
  const found = await applySortAndPage(rows, list, adjustmentSearch);
  return buildPage(found, await countAll(matching, found.length, list), list);
}
