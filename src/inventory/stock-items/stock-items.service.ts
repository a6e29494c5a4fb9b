import type { Ctx } from '../context';
import { BLANK, InvalidResource, NotFound, Refused } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { OnBackordersFilled } from '../backorders';
import { notifyOrders } from '../backorders';
import { adjustStock, setStock } from '../stock-ledger';
import { lockStockLocationForUse } from '../stock-locations/stock-locations.repository';
import { getStockLocationGraph } from '../stock-locations/stock-locations.service';
import { attachVariants, type StockItemGraph } from './stock-item-graph';
import {
  findStockItem,
  findStockItemPage,
  insertStockItem,
  isLiveVariant,
  markStockItemDeleted,
  updateBackorderable,
  type StockItemTarget,
} from './stock-items.repository';
import type { StockItemAttributes, StockItemChanges } from './stock-items.schema';

/**
 * The stock items of a location.
 * @throws Refused when no location is named; NotFound when there is none of that id
 */
export async function listStockItems(
  ctx: Ctx,
  locationId: number | null,
  list: ListQuery,
): Promise<Page<StockItemGraph>> {
  if (locationId === null) {
    // The specification's sentence, which speaks of movements here too (behaviour 1.2).
    throw new Refused('A stock_location_id parameter must be provided in order to retrieve stock movements.');
  }
  await getStockLocationGraph(ctx.db, locationId);
  const page = await findStockItemPage(ctx.db, locationId, list);
  return { ...page, rows: await attachVariants(ctx.db, page.rows) };
}

/** @throws NotFound also when the item belongs to another location than the one named */
export async function getStockItem(ctx: Ctx, target: StockItemTarget): Promise<StockItemGraph> {
  return getStockItemGraph(ctx.db, target);
}

async function getStockItemGraph(db: Db, target: StockItemTarget): Promise<StockItemGraph> {
  const item = await findStockItem(db, target);
  const [graph] = await attachVariants(db, item === undefined ? [] : [item]);
  if (graph === undefined) throw new NotFound();
  return graph;
}

/**
 * Puts a variant on the shelves of a location; what it starts with is its first movement.
 * @throws NotFound when there is no such location; InvalidResource for a missing, unknown or deleted variant, for one
 *   the location has already, and as `adjustStock`
 */
export async function createStockItem(
  ctx: Ctx,
  locationId: number,
  attributes: StockItemAttributes,
): Promise<StockItemGraph> {
  return withTransaction(ctx, async (tx) => {
    const location = await lockStockLocationForUse(tx, locationId);
    if (location === undefined) throw new NotFound();
    const { variant_id, count_on_hand } = attributes;
    if (variant_id == null || !(await isLiveVariant(tx, variant_id))) {
      throw new InvalidResource({ variant: [BLANK] });
    }
    const backorderable = attributes.backorderable ?? location.backorderable_default;
    const id = await insertStockItem(tx, { stock_location_id: locationId, variant_id, backorderable });
    await addToStock(tx, { stock_item_id: id, quantity: count_on_hand ?? 0 }, notifyOrders(ctx, tx));
    return getStockItemGraph(tx, { id, stock_location_id: locationId });
  });
}

/**
 * Adds `count_on_hand` to the count or, with `force`, sets it (behaviour 6.2), and opens or closes the item to backorders.
 * @throws NotFound; InvalidResource as `adjustStock`, and when an item that owes units is closed to backorders
 */
export async function changeStockItem(
  ctx: Ctx,
  target: StockItemTarget,
  changes: StockItemChanges,
): Promise<StockItemGraph> {
  return withTransaction(ctx, async (tx) => {
    const { id } = await getStockItemGraph(tx, target);
    const { backorderable, count_on_hand, force } = changes;
    // Only a backorderable item may go below zero, and only one that is not below zero may stop being backorderable.
    const opens = backorderable === true && count_on_hand != null && count_on_hand < 0;
    if (opens) await updateBackorderable(tx, id, true);
    if (count_on_hand != null) {
      if (force === true)
        await setStock(tx, { stock_item_id: id, count: count_on_hand }, notifyOrders(ctx, tx));
      else await addToStock(tx, { stock_item_id: id, quantity: count_on_hand }, notifyOrders(ctx, tx));
    }
    if (backorderable != null && !opens) await updateBackorderable(tx, id, backorderable);
    return getStockItemGraph(tx, target);
  });
}

async function addToStock(
  tx: Tx,
  change: { stock_item_id: number; quantity: number },
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  if (change.quantity !== 0) await adjustStock(tx, [change], onBackordersFilled);
}

/** Takes the item off the shelves, whatever its count; the variant may get a new one there. @throws NotFound */
export async function removeStockItem(ctx: Ctx, target: StockItemTarget): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await markStockItemDeleted(tx, target, ctx.now())) === 0) throw new NotFound();
  });
}
