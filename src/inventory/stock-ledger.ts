import { InvalidResource, NotFound, type FieldErrors } from '../platform/errors';
import type { Db } from '../platform/database/knex';
import { Restart, type Tx } from '../platform/database/transaction';
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
  deleteStockItems,
  findMasterItemIds,
  findStockItemsAt,
  getMovement,
  lockStockItems,
  lockStockItemsAt,
  peekCount,
  peekCounts,
  recordMovements,
  setBackorderable,
  stopBackorders,
  updateMovementQuantity,
  type FoundStockItem,
  type LockedStockItem,
  type RemovedItems,
} from './stock-ledger.repository';
import {
  buildCountError,
  planStockTargets,
  type StockTarget,
  type TargetOutcome,
} from './stock-targets.rules';
import { buildPlaceKey, MAX_COUNT, type StockPlace } from './stock-place';

/*
 * The only writer of `count_on_hand`. Every change is a movement, and a count is the sum of its counted movements. Locks are taken in the usual order: first the
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
  /**
   * Whether the count changes. For returning units it is what their sale did. By default it does if the inventory of the
   * variant is tracked.
   */
  counted?: boolean | undefined;
}

export interface Originator {
  type: 'Store::Shipment' | 'Store::ReturnAuthorization' | 'Store::Variant' | 'Store::StockItem';
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
 * Takes over what a place owes, for the new stock item of a place whose last one was deleted: its count falls by `owed`
 * (`lockOwedUnits`). Otherwise units that arrive would fill these backorders and also remain for sale. The item must be
 * backorderable.
 */
export async function takeOverOwedUnits(
  tx: Tx,
  item: StockPlace & { id: number },
  owed: number,
  onFilled: OnBackordersFilled,
): Promise<void> {
  const places = await findStockItemsAt(tx, [item], { isDeleted: true });
  const former = places.get(buildPlaceKey(item));
  const originator = former && ({ type: 'Store::StockItem', id: former.id } as const);
  const change = { stock_item_id: item.id, quantity: -owed, action: 'owed', originator, counted: true };
  await adjustStock(tx, [change], onFilled);
}

/**
 * Soft-deletes stock items. Each that does not count 0 gets a movement `removed` of minus its count: units leave with
 * it, or units it owed are no longer its own (`takeOverOwedUnits`). Locks the items by id.
 * @returns the number of deleted items
 */
export async function removeStock(
  tx: Tx,
  items: RemovedItems,
  by: { user_id: number | null; now: Date },
): Promise<number> {
  return deleteStockItems(tx, items, by);
}

/**
 * Sets the stock of a master to 0: once a product has variants, its stock belongs to them. If the master has stock,
 * each of its items gets a movement that references the new variant, and is no longer backorderable. Items that owe
 * units and items without inventory tracking do not change. Locks the stock items by id.
 */
export async function emptyMasterStock(
  tx: Tx,
  { product_id, new_variant_id }: { product_id: number; new_variant_id: number },
  user_id: number | null,
): Promise<void> {
  const locked = await lockStockItems(tx, await findMasterItemIds(tx, product_id));
  const items = locked.filter((item) => item.tracks_inventory && item.count_on_hand >= 0);
  const changes = items
    .filter((item) => item.count_on_hand > 0)
    .map((item) => ({
      stock_item_id: item.id,
      quantity: -item.count_on_hand,
      originator: { type: 'Store::Variant' as const, id: new_variant_id },
    }));
  if (changes.length === 0) return;
  await recordChanges(tx, new Map(items.map((item) => [item.id, item])), changes, user_id);
  await stopBackorders(
    tx,
    items.map(({ id }) => id),
  );
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
 * Changes the counts of many stock items, and whether they are backorderable. Targets of one item apply in their order. A
 * target that breaks a bound changes nothing and has errors; the others apply. Each change is a movement with `action`.
 * The number of statements does not depend on the number of targets.
 * @returns what became of each target, in order
 */
export async function changeStocks(
  tx: Tx,
  targets: readonly StockTarget[],
  { action, onFilled }: { action: string; onFilled: OnBackordersFilled },
): Promise<TargetOutcome[]> {
  const ids = [...new Set(targets.map((target) => target.stock_item_id))];
  const lockedOrders = await lockBackorderedOrders(tx, estimateIncreases(targets, await peekCounts(tx, ids)));
  const items = await lockItems(tx, ids);
  const { outcomes, changes, backorderable } = planStockTargets(items, targets);
  // Before the counts fall, because it decides how far they may; cleared after they have changed.
  await setBackorderable(tx, backorderable.set, true);
  await applyChanges(
    tx,
    { items, changes: changes.map((change) => ({ ...change, action })), lockedOrders },
    onFilled,
  );
  await setBackorderable(tx, backorderable.cleared, false);
  return outcomes;
}

function estimateIncreases(
  targets: readonly StockTarget[],
  counts: ReadonlyMap<number, number>,
): Map<number, number> {
  const increases = new Map<number, number>();
  const current = new Map(counts);
  for (const { stock_item_id, change } of targets) {
    if (change === null) continue;
    const before = current.get(stock_item_id) ?? 0;
    const quantity = 'adjust' in change ? change.adjust : change.count - before;
    current.set(stock_item_id, before + quantity);
    increases.set(stock_item_id, (increases.get(stock_item_id) ?? 0) + Math.max(0, quantity));
  }
  return increases;
}

/**
 * Changes the quantity of a movement made by hand. The count of its item changes by the difference, so that it remains
 * the sum of its movements. The count stays if the movement was not counted.
 * @throws NotFound if the movement or its stock item does not exist; InvalidResource `base` for an automatic movement,
 *   and as `adjustStock`
 */
export async function rewriteMovement(
  tx: Tx,
  target: { movement_id: number; quantity: number },
  onFilled: OnBackordersFilled,
): Promise<void> {
  const { movement_id, quantity } = target;
  const estimate = await getMovement(tx, movement_id);
  if (estimate.originator_type !== null) {
    throw new InvalidResource({ base: ['Only movements made by hand can be changed'] });
  }
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
 * `user_id` is the account of the actor. Store on the units whether they were counted (`isCountedAt`).
 * @throws InvalidResource `count_on_hand` if an item has too few units; the transaction must then be rolled back
 */
export async function unstock(
  tx: Tx,
  locked: readonly LockedStockItem[],
  taken: readonly PlacedChange[],
  user_id: number | null,
): Promise<void> {
  const items = new Map(locked.map((item) => [item.id, item]));
  const idAt = new Map(locked.map((item) => [buildPlaceKey(item), item.id]));
  const changes = taken.map((change) => {
    const stock_item_id = idAt.get(buildPlaceKey(change));
    if (stock_item_id === undefined) throw new Error(`no stock item is locked at ${buildPlaceKey(change)}`);
    return { ...change, stock_item_id, quantity: -change.quantity };
  });
  await recordChanges(tx, items, changes, user_id);
}

/** Returns a function that returns whether taking units from a place changes a count. `locked` are the items of all places. */
export function isCountedAt(locked: readonly LockedStockItem[]): (place: StockPlace) => boolean {
  const tracked = new Set(locked.filter((item) => item.tracks_inventory).map(buildPlaceKey));
  return (place) => tracked.has(buildPlaceKey(place));
}

/**
 * Returns the ids of the orders, ascending, whose backorders restocking these units would fill now. A use case that
 * restocks units of an order locks its own order and these together, by id, so that two such use cases do not deadlock.
 */
export async function findOrdersToFill(db: Db, returned: readonly PlacedChange[]): Promise<number[]> {
  const found = await findStockItemsAt(db, returned);
  return findBackorderedOrderIds(db, sumIncreases(resolvePlaces(returned, found)));
}

/**
 * Puts units back into stock, from orders that are canceled or shrink and from returns. They fill backorders unless
 * `fills_backorders` is false. At a place whose stock item is deleted, the movement is recorded and no count changes.
 * Skips places that never had a stock item. The caller should hold the locks described at `findOrdersToFill`. Without
 * them two callers may deadlock; PostgreSQL then aborts one of them, and `withTransaction` retries it.
 * @throws Restart if a stock item was deleted in the meantime
 */
export async function restock(
  tx: Tx,
  returned: readonly PlacedChange[],
  onFilled: OnBackordersFilled,
): Promise<void> {
  const found = await findStockItemsAt(tx, returned);
  const changes = resolvePlaces(returned, found);
  const lockedOrders = await lockBackorderedOrders(tx, sumIncreases(changes));
  const current = [...found.values()].flatMap((item) => (item.is_deleted ? [] : item.id));
  const items = await lockItems(tx, current);
  if (items.size < current.length) throw new Restart('a stock item was deleted');
  await applyChanges(tx, { items, changes, lockedOrders }, onFilled);
}

/** Returns the changes by stock item id. Omits places that never had a stock item. */
function resolvePlaces(
  changes: readonly PlacedChange[],
  found: ReadonlyMap<string, FoundStockItem>,
): StockChange[] {
  return changes.flatMap((change) => {
    const item = found.get(buildPlaceKey(change));
    return item === undefined ? [] : [{ ...change, stock_item_id: item.id }];
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
  const movementIds = await recordChanges(tx, items, changes, onFilled.user_id);
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
  user_id: number | null,
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
    user_id,
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
  return buildCountError(item?.backorderable === true, quantity);
}

/** Checks that a quantity fits a movement. The difference to a forced count may be too large. */
function checkQuantity(quantity: number): number {
  if (Math.abs(quantity) > MAX_COUNT) throw new InvalidResource(buildBoundsError(undefined, quantity));
  return quantity;
}

/** Selects the changes that change a count. `items` lacks deleted stock items. */
function selectCounted(items: LockedStockItems, changes: readonly StockChange[]): StockChange[] {
  return changes.filter((change) => {
    const item = items.get(change.stock_item_id);
    return item !== undefined && (change.counted ?? item.tracks_inventory);
  });
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
