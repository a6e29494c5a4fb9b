import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { stockMovementSearch } from './stock-movements.search';

/** A movement recorded by the stock ledger. */
export interface StockMovementRow {
  id: number;
  stock_item_id: number;
  quantity: number;
  action: string | null;
  /** The account of the actor; null for guests, for the program itself, and if the account was deleted. */
  user_id: number | null;
  created_at: Date;
  updated_at: Date;
}

/** Builds a query of the movements at a location, including those of deleted stock items. */
function queryMovementsAt(db: Db, locationId: number) {
  return db<StockMovementRow>('stock_movements')
    .join('stock_items', 'stock_items.id', 'stock_movements.stock_item_id')
    .where('stock_items.stock_location_id', locationId);
}

/** Returns one page of the movements of a location. At most two statements. */
export async function findStockMovementPage(
  db: Db,
  locationId: number,
  list: ListQuery,
): Promise<Page<StockMovementRow>> {
  const matching = applyFilters(queryMovementsAt(db, locationId), list, stockMovementSearch);
  const select = (movements: Knex.QueryBuilder) => movements.select<StockMovementRow[]>('stock_movements.*');
  return findRowPage(db, { matching, select }, list, stockMovementSearch);
}

/** Returns the movement; undefined if it belongs to another location. */
export async function findStockMovement(
  db: Db,
  target: { id: number; stock_location_id: number },
): Promise<StockMovementRow | undefined> {
  return queryMovementsAt(db, target.stock_location_id)
    .where('stock_movements.id', target.id)
    .select<StockMovementRow[]>('stock_movements.*')
    .first();
}
