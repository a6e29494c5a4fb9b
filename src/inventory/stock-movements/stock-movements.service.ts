import type { Ctx } from '../context';
import { BLANK, InvalidResource, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { notifyOrders } from '../backorders';
import { attachVariants, type StockItemGraph } from '../stock-items/stock-item-graph';
import { findStockItem, findStockItems } from '../stock-items/stock-items.repository';
import { adjustStock, rewriteMovement } from '../item-stock';
import { getStockLocationGraph } from '../stock-locations/stock-locations.service';
import {
  findStockMovement,
  findStockMovementPage,
  type StockMovementRow,
} from './stock-movements.repository';
import type { StockMovementAttributes, StockMovementChanges } from './stock-movements.schema';

/** A movement with the current state of its stock item. */
export interface StockMovementGraph extends StockMovementRow {
  stock_item: StockItemGraph;
}

/** The id of a movement, and of the location in the path. */
export interface StockMovementTarget {
  id: number;
  stock_location_id: number;
}

/** Returns one page of the movements of a location, oldest first. @throws NotFound if the location does not exist */
export async function listStockMovements(
  ctx: Ctx,
  locationId: number,
  list: ListQuery,
): Promise<Page<StockMovementGraph>> {
  await getStockLocationGraph(ctx.db, locationId);
  const page = await findStockMovementPage(ctx.db, locationId, list);
  return { ...page, rows: await attachStockItems(ctx.db, page.rows) };
}

/** Returns a movement. @throws NotFound also if it belongs to another location */
export async function getStockMovement(ctx: Ctx, target: StockMovementTarget): Promise<StockMovementGraph> {
  return getStockMovementGraph(ctx.db, target);
}

async function getStockMovementGraph(db: Db, target: StockMovementTarget): Promise<StockMovementGraph> {
  const movement = await findStockMovement(db, target);
  return requireFound((await attachStockItems(db, movement === undefined ? [] : [movement]))[0]);
}

async function attachStockItems(
  db: Db,
  movements: readonly StockMovementRow[],
): Promise<StockMovementGraph[]> {
  const ids = new Set(movements.map((movement) => movement.stock_item_id));
  const items = await attachVariants(db, await findStockItems(db, [...ids]));
  const byId = new Map(items.map((item) => [item.id, item]));
  return movements.flatMap((movement) => {
    const stock_item = byId.get(movement.stock_item_id);
    return stock_item === undefined ? [] : [{ ...movement, stock_item }];
  });
}

/**
 * Records a movement and adds its quantity to the count.
 * @throws NotFound if the location does not exist; InvalidResource if it has no such stock item, and as `adjustStock`
 */
export async function createStockMovement(
  ctx: Ctx,
  locationId: number,
  attributes: StockMovementAttributes,
): Promise<StockMovementGraph> {
  return withTransaction(ctx, async (tx) => {
    await getStockLocationGraph(tx, locationId);
    const { stock_item_id, quantity, action } = attributes;
    const item =
      stock_item_id == null
        ? undefined
        : await findStockItem(tx, { id: stock_item_id, stock_location_id: locationId });
    if (item === undefined) throw new InvalidResource({ stock_item: [BLANK] });
    const change = { stock_item_id: item.id, quantity: quantity ?? 0, action };
    const [id] = await adjustStock(tx, [change], notifyOrders(ctx, tx));
    if (id === undefined) throw new Error('the ledger recorded no movement');
    return getStockMovementGraph(tx, { id, stock_location_id: locationId });
  });
}

/**
 * Corrects the quantity of a movement and adds the difference to the count.
 * @throws NotFound, and as `rewriteMovement`
 */
export async function changeStockMovement(
  ctx: Ctx,
  target: StockMovementTarget,
  changes: StockMovementChanges,
): Promise<StockMovementGraph> {
  return withTransaction(ctx, async (tx) => {
    const { id } = await getStockMovementGraph(tx, target);
    if (changes.quantity != null) {
      await rewriteMovement(tx, { movement_id: id, quantity: changes.quantity }, notifyOrders(ctx, tx));
    }
    return getStockMovementGraph(tx, target);
  });
}
