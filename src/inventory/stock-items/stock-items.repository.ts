import type { Knex } from 'knex';
import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import type { StockPlace } from '../stock-place';
import { stockItemSearch } from './stock-items.search';

export interface StockItemRow {
  id: number;
  stock_location_id: number;
  variant_id: number;
  /** Below zero: backordered units. Only the stock ledger writes it. */
  count_on_hand: number;
  backorderable: boolean;
  updated_at: Date;
  deleted_at: Date | null;
}

/** The id of a stock item. `stock_location_id` is null if the path names no location. */
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
  'stock_items.updated_at',
  'stock_items.deleted_at',
];

/** Builds a query of the stock items that are not deleted. */
function queryPresent(db: Db) {
  return db<StockItemRow>('stock_items').whereNull('stock_items.deleted_at');
}

/** Which stock items a list has. */
export interface StockItemScope {
  locationId: number;
  /** Whether deleted ones are included. */
  deleted: boolean | undefined;
}

/** Returns one page of the stock items of a location. At most two statements. */
export async function findStockItemPage(
  db: Db,
  { locationId, deleted }: StockItemScope,
  list: ListQuery,
): Promise<Page<StockItemRow>> {
  const items = deleted === true ? db('stock_items') : queryPresent(db);
  const atLocation = items.where('stock_items.stock_location_id', locationId);
  const matching = applyFilters(atLocation, list, stockItemSearch);
  const select = (found: Knex.QueryBuilder) => found.select<StockItemRow[]>(COLUMNS);
  return findRowPage(db, { matching, select }, list, stockItemSearch);
}

/** Returns the stock item; undefined if it is deleted or belongs to another location than the target names. */
export async function findStockItem(db: Db, target: StockItemTarget): Promise<StockItemRow | undefined> {
  const query = queryPresent(db).where('stock_items.id', target.id);
  if (target.stock_location_id !== null) {
    void query.where('stock_items.stock_location_id', target.stock_location_id);
  }
  return query.select<StockItemRow[]>(COLUMNS).first();
}

/** Returns these stock items in no particular order. Includes deleted items. */
export async function findStockItems(db: Db, ids: readonly number[]): Promise<StockItemRow[]> {
  return db<StockItemRow>('stock_items')
    .whereRaw('stock_items.id = ANY(?)', [[...ids]])
    .select<StockItemRow[]>(COLUMNS);
}

/** Returns whether the variant exists and is not deleted. */
export async function isLiveVariant(db: Db, variantId: number): Promise<boolean> {
  return hasRow(db('variants').where({ id: variantId, deleted_at: null }).select('id'));
}

/** Inserts a stock item with a count of 0. @returns its id */
export async function insertStockItem(
  tx: Tx,
  item: Pick<StockItemRow, 'stock_location_id' | 'variant_id' | 'backorderable'>,
): Promise<number> {
  const rows = await tx('stock_items').insert(item).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Writes `backorderable`. Writes and locks nothing if the value is unchanged. */
export async function updateBackorderable(tx: Tx, id: number, backorderable: boolean): Promise<void> {
  await queryPresent(tx).where({ id }).whereNot({ backorderable }).update({ backorderable });
}

/**
 * Inserts stock items with a count of 0. @returns their ids, in order; fewer if another transaction has created one at
 * the same place
 */
export async function insertStockItems(
  tx: Tx,
  items: readonly (StockPlace & { backorderable: boolean })[],
): Promise<number[]> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    `INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
     SELECT stock_location_id, variant_id, backorderable
       FROM ROWS FROM (jsonb_to_recordset(?) AS (stock_location_id integer, variant_id integer, backorderable boolean))
            WITH ORDINALITY AS new (stock_location_id, variant_id, backorderable, place)
      ORDER BY place
     ON CONFLICT DO NOTHING
     RETURNING id`,
    [JSON.stringify(items)],
  );
  return rows.map((row) => row.id);
}

/** Returns the stock items at these places that are not deleted. Locks nothing. */
export async function findStockItemIdsAt(
  db: Db,
  places: readonly StockPlace[],
): Promise<(StockPlace & { id: number })[]> {
  const { rows } = await db.raw<{ rows: (StockPlace & { id: number })[] }>(
    `SELECT id, stock_location_id, variant_id FROM stock_items
      WHERE deleted_at IS NULL
        AND (stock_location_id, variant_id) IN (SELECT * FROM unnest(CAST(? AS integer[]), CAST(? AS integer[])))`,
    [places.map((place) => place.stock_location_id), places.map((place) => place.variant_id)],
  );
  return rows;
}
