import { InvalidResource, type FieldErrors } from '../platform/errors';
import type { Db } from '../platform/database/knex';
import type { BoundStatement } from '../platform/database/prepared';
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
  buildLockOfPlaces,
  buildUnstockMovements,
  findStockItemsAt,
  lockStockItems,
  lockStockItemsAt,
  recordMovements,
  type FoundStockItem,
  type LockedStockItem,
  type LockStock,
  type NewMovement,
  type PlacesStatement,
} from './stock-ledger.repository';
import { buildCountError } from './stock-targets.rules';
import { buildPlaceKey, MAX_COUNT, type StockPlace } from './stock-place';

/*
 * The only writer of `count_on_hand`, and what orders take and return. Stock items are changed by themselves in
 * item-stock.ts. Every change is a movement, and a count is the sum of its counted movements. Locks are taken in the
 * usual order: first the orders whose backorders arriving stock will fill, by id; then the stock items, by id. Which
 * orders these are is known for certain only once the stock is locked, so they are estimated first; backorders.ts
 * handles a wrong estimate. The number of statements does not depend on the number of changes.
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
   * Whether the count changes. For returning units it is what their sale did. By default it does if the inventory of
   * the variant is tracked.
   */
  counted?: boolean | undefined;
}

export interface Originator {
  type: 'Store::Shipment' | 'Store::ReturnAuthorization' | 'Store::Variant' | 'Store::StockItem';
  id: number;
}

/** A change identified by its place. The quantity is above zero; `buildUnstock` and `restock` determine the sign. */
export type PlacedChange = StockPlace & Omit<StockChange, 'stock_item_id'>;

/**
 * Locks the stock items at these places, by id, and reads them. Omits places whose item or location is deleted. Decide
 * on the result, then call `buildUnstock`. One statement.
 */
export async function lockStockAt(tx: Tx, places: readonly StockPlace[]): Promise<LockedStockItem[]> {
  return lockStockItemsAt(tx, places);
}

/** Builds a function that locks stock items as `lockStockAt` does, at places that a subquery selects. */
export function buildStockLock(statement: PlacesStatement): LockStock {
  return buildLockOfPlaces(statement);
}

/**
 * Builds the statement that takes units out of locked stock items, for orders that complete or grow. Several changes of
 * one item are summed. Only backorderable items fall below zero: the locked counts are checked here, so they must not have changed
 * since they were locked; if they have, the transaction fails with a violated constraint. For variants that do not track inventory
 * the movement is recorded and the count stays. At most one statement for any number of items. `user_id` is the account of the actor. Store
 * on the units whether they were counted (`isCountedAt`).
 * @throws InvalidResource `count_on_hand` if an item has too few units; the transaction must then be rolled back
 */
export function buildUnstock(
  locked: readonly LockedStockItem[],
  taken: readonly PlacedChange[],
  user_id: number | null,
): BoundStatement[] {
  const items = mapById(locked);
  const changes = buildUnstockChanges(locked, taken);
  const counted = selectCounted(items, changes);
  for (const [id, quantity] of sumByItem(counted)) {
    const item = items.get(id);
    const lowest = item?.backorderable === true ? -MAX_COUNT : 0;
    if (item === undefined || item.count_on_hand + quantity < lowest) {
      throw new InvalidResource(buildBoundsError(item, quantity));
    }
  }
  return buildUnstockMovements(buildMovements(changes, new Set(counted), user_id));
}

function mapById(locked: readonly LockedStockItem[]): Map<number, LockedStockItem> {
  return new Map(locked.map((item) => [item.id, item]));
}

/** Builds the changes that unstock units of locked stock items at these places. */
function buildUnstockChanges(
  locked: readonly LockedStockItem[],
  taken: readonly PlacedChange[],
): StockChange[] {
  const idAt = new Map(locked.map((item) => [buildPlaceKey(item), item.id]));
  return taken.map((change) => {
    const stock_item_id = idAt.get(buildPlaceKey(change));
    if (stock_item_id === undefined) throw new Error(`no stock item is locked at ${buildPlaceKey(change)}`);
    return { ...change, stock_item_id, quantity: -change.quantity };
  });
}

/**
 * Returns a function that returns whether taking units from a place changes a count. `locked` are the items of all
 * places.
 */
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

/** Locks these stock items, by id. Deleted and unknown ones are missing. */
export async function lockItems(tx: Tx, ids: readonly number[]): Promise<LockedStockItems> {
  return new Map((await lockStockItems(tx, ids)).map((item) => [item.id, item]));
}

/**
 * Records the changes of locked stock items and fills backorders by what arrives. Items that `items` lacks are deleted:
 * their movements are recorded and do not count.
 * @returns the ids of the movements, in the order of `changes`
 */
export async function applyChanges(
  tx: Tx,
  work: { items: LockedStockItems; changes: readonly StockChange[]; lockedOrders: LockedOrderIds },
  onFilled: OnBackordersFilled,
): Promise<number[]> {
  const { items, changes, lockedOrders } = work;
  const movementIds = await recordChanges(tx, items, changes, onFilled.user_id);
  await reportFilledBackorders(
    tx,
    { increases: sumIncreases(selectCounted(items, changes)), lockedOrders },
    onFilled,
  );
  return movementIds;
}

/** Fills backorders by what has arrived at locked stock items. */
export async function reportFilledBackorders(
  tx: Tx,
  arrival: Arrival,
  onFilled: OnBackordersFilled,
): Promise<void> {
  const units = await lockBackorderedUnits(tx, arrival);
  if (units.length > 0) await onFilled(units);
}

/** Writes the counts and one movement per change, in one statement. @returns the ids of the movements */
export async function recordChanges(
  tx: Tx,
  items: LockedStockItems,
  changes: readonly StockChange[],
  user_id: number | null,
): Promise<number[]> {
  if (changes.length === 0) return [];
  const counted = new Set(selectCounted(items, changes));
  const moving = omitZeros(sumByItem([...counted]));
  const movements = buildMovements(changes, counted, user_id);
  const { moved, movement_ids } = await recordMovements(tx, moving, movements);
  assertMoved(items, moving, moved);
  return movement_ids;
}

function buildMovements(
  changes: readonly StockChange[],
  counted: ReadonlySet<StockChange>,
  user_id: number | null,
): NewMovement[] {
  return changes.map((change) => ({
    stock_item_id: change.stock_item_id,
    quantity: checkQuantity(change.quantity),
    counted: counted.has(change),
    action: change.action ?? null,
    originator: change.originator ?? null,
    user_id,
  }));
}

/** Changes the counts of locked stock items without a movement, for one that is rewritten. */
export async function moveCounts(
  tx: Tx,
  items: LockedStockItems,
  sums: ReadonlyMap<number, number>,
): Promise<void> {
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

/**
 * Sums the units that fill backorders, by stock item: what arrives less what leaves, because units that are taken out again in
 * the same request, such as the correction of a wrong row, are not there.
 */
export function sumIncreases(changes: readonly StockChange[]): CountIncreases {
  return sumByItem(changes.filter((change) => change.quantity < 0 || change.fills_backorders !== false));
}

function sumByItem(changes: readonly StockChange[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { stock_item_id, quantity } of changes) {
    sums.set(stock_item_id, (sums.get(stock_item_id) ?? 0) + quantity);
  }
  return sums;
}
