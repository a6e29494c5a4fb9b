import { InvalidResource, NotFound, type FieldErrors } from '../platform/errors';
import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';
import {
  findBackorderedOrderIds,
  lockBackorderedUnits,
  lockBackorderedOrders,
  type OnBackordersFilled,
  type LockedOrderIds,
  type Arrival,
  type CountIncreases,
  type LockedStockItems,
} from './backorders';
import {
  addToCounts,
  findStockItemIds,
  getMovement,
  lockStockItems,
  lockStockItemsAt,
  MAX_COUNT,
  peekCount,
  recordMovements,
  updateMovementQuantity,
  type LockedStockItem,
} from './stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from './stock-place';

/*
 * The only writer of `count_on_hand`, except `emptyMasterStock` of the catalog, which follows the same rules. Every
 * change is a movement, and a count is the sum of its counted movements. Locks are taken in the usual order: first the
 * orders whose backorders arriving stock will fill, by id; then the stock items, by id. Which orders these are is known
 * for certain only once the stock is locked, so they are estimated first; backorders.ts handles a wrong estimate. The
 * number of statements does not depend on the number of changes.
 */

/** A change of the count of one stock item. Several changes of one item are summed before they are checked. */
export interface StockChange {
  stock_item_id: number;
  /** Above zero: units arrive. Below zero: units leave. */
  quantity: number;
  /** A free-form label of at most 255 characters, such as `received` or `sold`. */
  action?: string | null | undefined;
  /** The record that caused an automatic change; undefined for manual changes. */
  originator?: Originator | undefined;
  /** Default true. False for units that were never on hand, such as canceled backorders. */
  fills_backorders?: boolean | undefined;
}

export interface Originator {
  type: 'Store::Shipment' | 'Store::ReturnAuthorization';
  id: number;
}

/** A change identified by its place. The quantity is above zero; `unstock` and `restock` determine the sign. */
export type PlacedChange = StockPlace & Omit<StockChange, 'stock_item_id'>;

/**
 * Records the changes and updates the counts. Arriving stock fills backorders.
 * @returns the ids of the new movements, in the order of `changes`
 * @throws NotFound if a stock item does not exist; InvalidResource `count_on_hand` if a count would fall below zero
 *   for an item that is not backorderable, or leave the integer range
 */
export async function adjustStock(
  tx: Tx,
  changes: readonly StockChange[],
  onFilled: OnBackordersFilled,
): Promise<number[]> {
  const lockedOrders = await lockBackorderedOrders(tx, sumIncreases(changes));
  const items = await lockItems(tx, listItemIds(changes));
  if (!changes.every((change) => items.has(change.stock_item_id))) throw new NotFound();
  return applyChanges(tx, { items, changes, lockedOrders }, onFilled);
}

/**
 * Sets the count of one stock item to `count` by a movement of the difference. Records nothing if there is none.
 * @throws as `adjustStock`
 */
export async function setStock(
  tx: Tx,
  target: { stock_item_id: number; count: number },
  onFilled: OnBackordersFilled,
): Promise<void> {
  const { stock_item_id, count } = target;
  const estimate = count - (await peekCount(tx, stock_item_id));
  const lockedOrders = await lockBackorderedOrders(tx, new Map([[stock_item_id, estimate]]));
  const items = await lockItems(tx, [stock_item_id]);
  const item = items.get(stock_item_id);
  if (item === undefined) throw new NotFound();
  const quantity = count - item.count_on_hand;
  if (quantity === 0) return;
  await applyChanges(tx, { items, changes: [{ stock_item_id, quantity }], lockedOrders }, onFilled);
}

/**
 * Changes the quantity of a recorded movement. The count of its item changes by the difference, so that it remains the
 * sum of its movements. The count stays if the movement was not counted.
 * @throws NotFound if the movement or its stock item does not exist; InvalidResource as `adjustStock`
 */
export async function rewriteMovement(
  tx: Tx,
  target: { movement_id: number; quantity: number },
  onFilled: OnBackordersFilled,
): Promise<void> {
  const { movement_id, quantity } = target;
  const estimate = await getMovement(tx, movement_id);
  const lockedOrders = await lockBackorderedOrders(
    tx,
    new Map([[estimate.stock_item_id, quantity - estimate.quantity]]),
  );
  const items = await lockItems(tx, [estimate.stock_item_id]);
  if (items.size === 0) throw new NotFound();
  const recorded = await getMovement(tx, movement_id);
  await updateMovementQuantity(tx, movement_id, quantity);
  if (!recorded.counted) return;
  const difference = new Map([[recorded.stock_item_id, quantity - recorded.quantity]]);
  await moveCounts(tx, items, difference);
  await reportFilledBackorders(tx, { items, increases: difference, lockedOrders }, onFilled);
}

/**
 * Locks the stock items at these places, by id, and reads them. Omits places whose item or location is deleted. Decide
 * on the result, then call `unstock`. One statement.
 */
export async function lockStockAt(tx: Tx, places: readonly StockPlace[]): Promise<LockedStockItem[]> {
  return lockStockItemsAt(tx, places);
}

/**
 * Takes units out of locked stock items, for orders that complete or grow. Several changes of one item are summed. The
 * statement itself ensures that only backorderable items fall below zero. For variants that do not track inventory the
 * movement is recorded and the count stays. One statement for any number of items.
 * @throws InvalidResource `count_on_hand` if an item has too few units; the transaction must then be rolled back
 */
export async function unstock(
  tx: Tx,
  locked: readonly LockedStockItem[],
  taken: readonly PlacedChange[],
): Promise<void> {
  const items = new Map(locked.map((item) => [item.id, item]));
  const idAt = new Map(locked.map((item) => [buildPlaceKey(item), item.id]));
  const changes = taken.map((change) => {
    const stock_item_id = idAt.get(buildPlaceKey(change));
    if (stock_item_id === undefined) throw new Error(`no stock item is locked at ${buildPlaceKey(change)}`);
    return { ...change, stock_item_id, quantity: -change.quantity };
  });
  await recordChanges(tx, items, changes);
}

/**
 * Returns the ids of the orders, ascending, whose backorders restocking these units would fill now. A use case that
 * restocks units of an order locks its own order and these together, by id, so that two such use cases do not deadlock.
 */
export async function findOrdersToFill(db: Db, returned: readonly PlacedChange[]): Promise<number[]> {
  return findBackorderedOrderIds(db, sumIncreases(await resolvePlaces(db, returned)));
}

/**
 * Puts units back into stock, from orders that are canceled or shrink and from returns. They fill backorders unless
 * `fills_backorders` is false. Skips places whose stock item is deleted. The caller should hold the
 * locks described at `findOrdersToFill`. Without them two callers may deadlock; PostgreSQL then aborts one of them, and
 * `withTransaction` retries it.
 */
export async function restock(
  tx: Tx,
  returned: readonly PlacedChange[],
  onFilled: OnBackordersFilled,
): Promise<void> {
  const known = await resolvePlaces(tx, returned);
  const lockedOrders = await lockBackorderedOrders(tx, sumIncreases(known));
  const items = await lockItems(tx, listItemIds(known));
  const changes = known.filter((change) => items.has(change.stock_item_id));
  await applyChanges(tx, { items, changes, lockedOrders }, onFilled);
}

/** Returns the changes by stock item id. Omits places without a stock item. */
async function resolvePlaces(db: Db, changes: readonly PlacedChange[]): Promise<StockChange[]> {
  const ids = await findStockItemIds(db, changes);
  return changes.flatMap((change) => {
    const stock_item_id = ids.get(buildPlaceKey(change));
    return stock_item_id === undefined ? [] : [{ ...change, stock_item_id }];
  });
}

async function lockItems(tx: Tx, ids: readonly number[]): Promise<LockedStockItems> {
  return new Map((await lockStockItems(tx, ids)).map((item) => [item.id, item]));
}

async function applyChanges(
  tx: Tx,
  work: { items: LockedStockItems; changes: readonly StockChange[]; lockedOrders: LockedOrderIds },
  onFilled: OnBackordersFilled,
): Promise<number[]> {
  const { items, changes, lockedOrders } = work;
  const movementIds = await recordChanges(tx, items, changes);
  await reportFilledBackorders(
    tx,
    { items, increases: sumIncreases(selectCounted(items, changes)), lockedOrders },
    onFilled,
  );
  return movementIds;
}

async function reportFilledBackorders(tx: Tx, arrival: Arrival, onFilled: OnBackordersFilled): Promise<void> {
  const units = await lockBackorderedUnits(tx, arrival);
  if (units.length > 0) await onFilled(units);
}

/** Writes the counts and one movement per change, in one statement. @returns the ids of the movements */
async function recordChanges(
  tx: Tx,
  items: LockedStockItems,
  changes: readonly StockChange[],
): Promise<number[]> {
  if (changes.length === 0) return [];
  const counted = new Set(selectCounted(items, changes));
  const moving = omitZeros(sumByItem([...counted]));
  const movements = changes.map((change) => ({
    stock_item_id: change.stock_item_id,
    quantity: checkQuantity(change.quantity),
    counted: counted.has(change),
    action: change.action ?? null,
    originator: change.originator ?? null,
  }));
  const { moved, movement_ids } = await recordMovements(tx, moving, movements);
  assertMoved(items, moving, moved);
  return movement_ids;
}

async function moveCounts(tx: Tx, items: LockedStockItems, sums: ReadonlyMap<number, number>): Promise<void> {
  const moving = omitZeros(sums);
  assertMoved(items, moving, await addToCounts(tx, moving));
}

function omitZeros(sums: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...sums].filter(([, quantity]) => quantity !== 0));
}

/** @throws InvalidResource for the first item that was not written because its count would leave its bounds */
function assertMoved(
  items: LockedStockItems,
  moving: ReadonlyMap<number, number>,
  moved: readonly number[],
): void {
  const ids = new Set(moved);
  for (const [id, quantity] of moving) {
    if (!ids.has(id)) throw new InvalidResource(buildBoundsError(items.get(id), quantity));
  }
}

function buildBoundsError(item: LockedStockItem | undefined, quantity: number): FieldErrors {
  const least = item?.backorderable === true ? -MAX_COUNT : 0;
  return {
    count_on_hand: [
      quantity > 0
        ? `must be less than or equal to ${MAX_COUNT}`
        : `must be greater than or equal to ${least}`,
    ],
  };
}

/** Checks that a quantity fits a movement. The difference to a forced count may be too large. */
function checkQuantity(quantity: number): number {
  if (Math.abs(quantity) > MAX_COUNT) throw new InvalidResource(buildBoundsError(undefined, quantity));
  return quantity;
}

function selectCounted(items: LockedStockItems, changes: readonly StockChange[]): StockChange[] {
  return changes.filter((change) => items.get(change.stock_item_id)?.tracks_inventory === true);
}

function sumIncreases(changes: readonly StockChange[]): CountIncreases {
  return sumByItem(changes.filter((change) => change.quantity > 0 && change.fills_backorders !== false));
}

function sumByItem(changes: readonly StockChange[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { stock_item_id, quantity } of changes) {
    sums.set(stock_item_id, (sums.get(stock_item_id) ?? 0) + quantity);
  }
  return sums;
}

function listItemIds(changes: readonly StockChange[]): number[] {
  return changes.map((change) => change.stock_item_id);
}
