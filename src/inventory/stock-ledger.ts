import { InvalidResource, NotFound, type FieldErrors } from '../platform/errors';
import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';
import {
  findBackorderedOrderIds,
  lockBackorderedUnits,
  lockBackorderedOrders,
  type OnBackordersFilled,
  type LockedOrderIds,
  type CountIncreases,
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
 * The ledger of stock, and the only writer of `count_on_hand` (but for `emptyMasterStock` of the catalog, which keeps
 * the same rules): every change is a movement, and a count is the sum of its counted movements. Locks are taken in this
 * order: the orders that arriving goods will fill, by id; then the stock items, by id. So a movement that fills
 * backorders keeps to the order of everybody else (order before stock), though it learns only from the stock which
 * orders it is about. See backorders.ts for what happens when that guess was wrong.
 * The number of statements does not depend on the number of changes.
 */

/** By how much the count of one stock item changes, and why. Several changes of one item are summed up first. */
export interface StockChange {
  stock_item_id: number;
  /** Above zero goods arrive, below zero they leave. */
  quantity: number;
  /** A free label, at most 255 characters: `received`, `sold`. */
  action?: string | null | undefined;
  /** What caused an automatic change; a person's own has none. */
  originator?: Originator | undefined;
  /** False for what comes back without having been there, as canceled backorders do (behaviour 6.7). */
  fills_backorders?: boolean | undefined;
}

export interface Originator {
  type: 'Store::Shipment' | 'Store::ReturnAuthorization';
  id: number;
}

/** A change named by its place; quantities are above zero, the function says in which direction. */
export type PlacedChange = StockPlace & Omit<StockChange, 'stock_item_id'>;

/**
 * Records the changes and moves the counts; arriving goods fill backorders (behaviour 6.4).
 * @returns the ids of the new movements, in the order of `changes`
 * @throws NotFound when a stock item is not there; InvalidResource `count_on_hand` when a count would fall below zero
 *   on an item that is not backorderable, or leave the integer range
 */
export async function adjustStock(
  tx: Tx,
  changes: readonly StockChange[],
  onFilled: OnBackordersFilled,
): Promise<number[]> {
  const owed = await lockBackorderedOrders(tx, sumIncreases(changes));
  const items = await lockItems(tx, listItemIds(changes));
  if (!changes.every((change) => items.has(change.stock_item_id))) throw new NotFound();
  return applyChanges(tx, { items, changes, owed }, onFilled);
}

/**
 * Makes the count of one stock item `count`, by a movement of the difference; by none when there is no difference.
 * @throws as `adjustStock`
 */
export async function setStock(
  tx: Tx,
  target: { stock_item_id: number; count: number },
  onFilled: OnBackordersFilled,
): Promise<void> {
  const { stock_item_id, count } = target;
  const estimate = count - (await peekCount(tx, stock_item_id));
  const owed = await lockBackorderedOrders(tx, new Map([[stock_item_id, estimate]]));
  const items = await lockItems(tx, [stock_item_id]);
  const item = items.get(stock_item_id);
  if (item === undefined) throw new NotFound();
  const quantity = count - item.count_on_hand;
  if (quantity === 0) return;
  await applyChanges(tx, { items, changes: [{ stock_item_id, quantity }], owed }, onFilled);
}

/**
 * Gives a recorded movement another quantity; the count of its item changes by the difference, so that it stays the
 * sum of its history (behaviour 6.3, 4). A movement that did not count, does not count now.
 * @throws NotFound when the movement or its stock item is not there; InvalidResource as `adjustStock`
 */
export async function rewriteMovement(
  tx: Tx,
  target: { movement_id: number; quantity: number },
  onFilled: OnBackordersFilled,
): Promise<void> {
  const { movement_id, quantity } = target;
  const guess = await getMovement(tx, movement_id);
  const owed = await lockBackorderedOrders(tx, new Map([[guess.stock_item_id, quantity - guess.quantity]]));
  const items = await lockItems(tx, [guess.stock_item_id]);
  if (items.size === 0) throw new NotFound();
  const recorded = await getMovement(tx, movement_id);
  await updateMovementQuantity(tx, movement_id, quantity);
  if (!recorded.counted) return;
  const difference = new Map([[recorded.stock_item_id, quantity - recorded.quantity]]);
  await moveCounts(tx, items, difference);
  await reportFilledBackorders(tx, { rises: difference, owed }, onFilled);
}

/**
 * The first half of taking stock: locks the items at these places, by id, and reads them. Places whose item or
 * location was deleted are left out. Decide on what this answers, then call `takeStock`. One statement.
 */
export async function lockStockAt(tx: Tx, places: readonly StockPlace[]): Promise<LockedStockItem[]> {
  return lockStockItemsAt(tx, places);
}

/**
 * Takes goods from locked stock items, for orders that complete or grow. What several changes want of one item is one
 * demand. The write itself is conditional: below zero only where the item is backorderable. Variants that do not track
 * inventory are recorded and their counts left. One statement for any number of items.
 * @throws InvalidResource `count_on_hand` when an item has not got as many; the transaction must be rolled back then
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
 * Ids of the orders, ascending, that giving this back would fill now. A use case that gives goods of an order back
 * locks its own order and these in one go, by id: then it does not meet its like halfway.
 */
export async function findOrdersToFill(db: Db, returned: readonly PlacedChange[]): Promise<number[]> {
  return findBackorderedOrderIds(db, sumIncreases(await resolvePlaces(db, returned)));
}

/**
 * Takes goods back from canceled and shrunk orders and from returns; they fill backorders unless `fills_backorders` is
 * false. Places whose stock item was deleted are skipped (behaviour 5.4). Expects the locks that `findOrdersToFill`
 * speaks of; without them two callers may deadlock, which PostgreSQL breaks and `withTransaction` repeats.
 */
export async function restock(
  tx: Tx,
  returned: readonly PlacedChange[],
  onFilled: OnBackordersFilled,
): Promise<void> {
  const known = await resolvePlaces(tx, returned);
  const owed = await lockBackorderedOrders(tx, sumIncreases(known));
  const items = await lockItems(tx, listItemIds(known));
  const changes = known.filter((change) => items.has(change.stock_item_id));
  await applyChanges(tx, { items, changes, owed }, onFilled);
}

/** The changes whose place has a stock item, by its id. */
async function resolvePlaces(db: Db, changes: readonly PlacedChange[]): Promise<StockChange[]> {
  const ids = await findStockItemIds(db, changes);
  return changes.flatMap((change) => {
    const stock_item_id = ids.get(buildPlaceKey(change));
    return stock_item_id === undefined ? [] : [{ ...change, stock_item_id }];
  });
}

type LockedItems = ReadonlyMap<number, LockedStockItem>;

async function lockItems(tx: Tx, ids: readonly number[]): Promise<LockedItems> {
  return new Map((await lockStockItems(tx, ids)).map((item) => [item.id, item]));
}

async function applyChanges(
  tx: Tx,
  work: { items: LockedItems; changes: readonly StockChange[]; owed: LockedOrderIds },
  onFilled: OnBackordersFilled,
): Promise<number[]> {
  const { items, changes, owed } = work;
  const movementIds = await recordChanges(tx, items, changes);
  await reportFilledBackorders(tx, { rises: sumIncreases(selectCounted(items, changes)), owed }, onFilled);
  return movementIds;
}

async function reportFilledBackorders(
  tx: Tx,
  arrival: { rises: CountIncreases; owed: LockedOrderIds },
  onFilled: OnBackordersFilled,
): Promise<void> {
  const units = await lockBackorderedUnits(tx, arrival.rises, arrival.owed);
  if (units.length > 0) await onFilled(units);
}

/** The counts and a movement per change, in one statement. @returns the movements' ids */
async function recordChanges(tx: Tx, items: LockedItems, changes: readonly StockChange[]): Promise<number[]> {
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

async function moveCounts(tx: Tx, items: LockedItems, sums: ReadonlyMap<number, number>): Promise<void> {
  const moving = omitZeros(sums);
  assertMoved(items, moving, await addToCounts(tx, moving));
}

function omitZeros(sums: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...sums].filter(([, quantity]) => quantity !== 0));
}

/** @throws InvalidResource for the first item that has not moved: its count would have left its bounds */
function assertMoved(
  items: LockedItems,
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

/** A forced count may lie farther from the present one than a movement can say. */
function checkQuantity(quantity: number): number {
  if (Math.abs(quantity) > MAX_COUNT) throw new InvalidResource(buildBoundsError(undefined, quantity));
  return quantity;
}

function selectCounted(items: LockedItems, changes: readonly StockChange[]): StockChange[] {
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
