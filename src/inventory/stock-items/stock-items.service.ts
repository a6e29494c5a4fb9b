import type { Ctx } from '../context';
import { BLANK, InvalidResource, NotFound, Refused, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { OnBackordersFilled } from '../backorders';
import { findUserId } from '../../access/actor';
import { lockOwedUnits, notifyOrders } from '../backorders';
import { adjustStock, removeStock, setStock, takeOverOwedUnits } from '../item-stock';
import { lockStockLocationForUse } from '../stock-locations/stock-locations.repository';
import { getStockLocationGraph } from '../stock-locations/stock-locations.service';
import { attachVariants, type StockItemGraph } from './stock-item-graph';
import {
  findStockItem,
  findStockItemPage,
  insertStockItem,
  isLiveVariant,
  updateBackorderable,
  type StockItemTarget,
} from './stock-items.repository';
import type { StockItemAttributes, StockItemChanges } from './stock-items.schema';

/**
 * Returns one page of the stock items of a location.
 * @throws Refused if `locationId` is null; NotFound if the location does not exist
 */
export async function listStockItems(
  ctx: Ctx,
  { locationId, deleted }: { locationId: number | null; deleted?: boolean | undefined },
  list: ListQuery,
): Promise<Page<StockItemGraph>> {
  if (locationId === null) {
    // Clients know this message, although it says movements.
    throw new Refused('A stock_location_id parameter must be provided in order to retrieve stock movements.');
  }
  await getStockLocationGraph(ctx.db, locationId);
  const page = await findStockItemPage(ctx.db, { locationId, deleted }, list);
  return { ...page, rows: await attachVariants(ctx.db, page.rows) };
}

/** Returns a stock item. @throws NotFound also if it belongs to another location than the target names */
export async function getStockItem(ctx: Ctx, target: StockItemTarget): Promise<StockItemGraph> {
  return getStockItemGraph(ctx.db, target);
}

async function getStockItemGraph(db: Db, target: StockItemTarget): Promise<StockItemGraph> {
  const item = await findStockItem(db, target);
  return requireFound((await attachVariants(db, item === undefined ? [] : [item]))[0]);
}

/**
 * Creates a stock item. Its initial count is its first movement. If an earlier stock item of the variant was deleted at
 * the location while it owed units, the new one owes them: they are taken off its count, and arriving units fill them.
 * @throws NotFound if the location does not exist; InvalidResource if the variant is missing, unknown, deleted or
 *   already stocked at the location, and as `adjustStock`
 */
export async function createStockItem(
  ctx: Ctx,
  locationId: number,
  attributes: StockItemAttributes,
): Promise<StockItemGraph> {
  return withTransaction(ctx, async (tx) => {
    const location = requireFound(await lockStockLocationForUse(tx, locationId));
    const { variant_id, count_on_hand } = attributes;
    if (variant_id == null || !(await isLiveVariant(tx, variant_id))) {
      throw new InvalidResource({ variant: [BLANK] });
    }
    const backorderable = attributes.backorderable ?? location.backorderable_default;
    const place = { stock_location_id: locationId, variant_id };
    const onFilled = notifyOrders(ctx, tx);
    const owed = await lockOwedUnits(tx, place);
    const id = await insertStockItem(tx, { ...place, backorderable: backorderable || owed > 0 });
    if (owed > 0) {
      await takeOverOwedUnits(tx, { ...place, id }, owed, onFilled);
      await updateBackorderable(tx, id, backorderable);
    }
    await addToStock(tx, { stock_item_id: id, quantity: count_on_hand ?? 0 }, onFilled);
    return getStockItemGraph(tx, { id, stock_location_id: locationId });
  });
}

/**
 * Adds `count_on_hand` to the count or, with `force`, sets it, and updates `backorderable`.
 * `backorderable` may be cleared while units are owed.
 * @throws NotFound; InvalidResource as `adjustStock`
 */
export async function changeStockItem(
  ctx: Ctx,
  target: StockItemTarget,
  changes: StockItemChanges,
): Promise<StockItemGraph> {
  return withTransaction(ctx, async (tx) => {
    const { id } = await getStockItemGraph(tx, target);
    const { backorderable, count_on_hand, force } = changes;
    // Written before the count falls, because it decides how far the count may. Otherwise after the count has changed:
    // a rising count locks orders, which come before stock items in the lock order.
    const comesFirst = count_on_hand != null && count_on_hand < 0;
    if (backorderable != null && comesFirst) await updateBackorderable(tx, id, backorderable);
    if (count_on_hand != null) {
      if (force === true)
        await setStock(tx, { stock_item_id: id, count: count_on_hand }, notifyOrders(ctx, tx));
      else await addToStock(tx, { stock_item_id: id, quantity: count_on_hand }, notifyOrders(ctx, tx));
    }
    if (backorderable != null && !comesFirst) await updateBackorderable(tx, id, backorderable);
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

/**
 * Soft-deletes a stock item with a movement of minus its count. The variant may get a new one at the location.
 * @throws NotFound
 */
export async function removeStockItem(ctx: Ctx, target: StockItemTarget): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const by = { user_id: findUserId(ctx.actor), now: ctx.now() };
    if ((await removeStock(tx, target, by)) === 0) throw new NotFound();
  });
}
