import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import { stockItemSearch } from './stock-items.search';

export interface StockItemRow {
  id: number;
  stock_location_id: number;
  variant_id: number;
  /** Below zero: units owed to backorders. Written by the stock ledger only. */
  count_on_hand: number;
  backorderable: boolean;
}

/** A stock item by id and, where the path names one, inside its location. */
export interface StockItemTarget {
  id: number;
  stock_location_id: number | null;
}

const COLUMNS = [
  'stock_items.id',
  'stock_items.stock_location_id',
  'stock_items.variant_id',
  'stock_items.count_on_hand',
  'stock_items.backorderable',
];

/** Items that are not deleted. */
function queryPresent(db: Db) {
  return db<StockItemRow>('stock_items').whereNull('stock_items.deleted_at');
}

/** One page of a location's stock items that are not deleted, without their variants; two queries at most. */
export async function findStockItemPage(
  db: Db,
  locationId: number,
  list: ListQuery,
): Promise<Page<StockItemRow>> {
  const atLocation = queryPresent(db).where('stock_items.stock_location_id', locationId);
  const matching = applyFilters(atLocation, list, stockItemSearch);
  const rows = await applySortAndPage(
    matching.clone().select<StockItemRow[]>(COLUMNS),
    list,
    stockItemSearch,
  );
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** The item; not a deleted one, nor (when a location is named) one of another location. */
export async function findStockItem(db: Db, target: StockItemTarget): Promise<StockItemRow | undefined> {
  const query = queryPresent(db).where('stock_items.id', target.id);
  if (target.stock_location_id !== null) {
    void query.where('stock_items.stock_location_id', target.stock_location_id);
  }
  return query.select<StockItemRow[]>(COLUMNS).first();
}

/** These items, deleted ones too, in no particular order. */
export async function findStockItems(db: Db, ids: readonly number[]): Promise<StockItemRow[]> {
  return db<StockItemRow>('stock_items')
    .whereRaw('stock_items.id = ANY(?)', [[...ids]])
    .select<StockItemRow[]>(COLUMNS);
}

/** Whether the variant exists and is not deleted. */
export async function isLiveVariant(db: Db, variantId: number): Promise<boolean> {
  const ids = await db('variants').where({ id: variantId, deleted_at: null }).pluck<number[]>('id');
  return ids.length > 0;
}

/** A new item has nothing on hand. @returns its id */
export async function insertStockItem(
  tx: Tx,
  item: Pick<StockItemRow, 'stock_location_id' | 'variant_id' | 'backorderable'>,
): Promise<number> {
  const rows = await tx('stock_items').insert(item).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Writes, and locks, nothing where nothing changes. */
export async function updateBackorderable(tx: Tx, id: number, backorderable: boolean): Promise<void> {
  await queryPresent(tx).where({ id }).whereNot({ backorderable }).update({ backorderable });
}

/** The count stays what the item's history says; no sum has it any more. @returns how many went: 0 or 1 */
export async function markStockItemDeleted(tx: Tx, target: StockItemTarget, now: Date): Promise<number> {
  const query = tx('stock_items').where({ id: target.id, deleted_at: null });
  if (target.stock_location_id !== null) void query.where({ stock_location_id: target.stock_location_id });
  return query.update({ deleted_at: now });
}
