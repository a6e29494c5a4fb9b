import { markAsLocked, type Locked } from '../platform/database/locked';
import type { Ctx, BackorderedUnit } from './context';
import { findUserId } from '../access/actor';
import {
  findBackorderedUnits,
  findUnitsOwedAt,
  lockOrderRows,
  lockWithoutWaiting,
} from './backorders.repository';
import type { LockedStockItem } from './stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from './stock-place';
import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';

/** How much the count of each stock item increases, by stock item id. Only values above zero are used. */
export type CountIncreases = ReadonlyMap<number, number>;

/** Ids of the orders that this transaction has locked because arriving stock may fill their backorders. */
export type LockedOrderIds = Locked<ReadonlySet<number>>;

/**
 * Locks the orders whose backorders these increases will probably fill, by id ascending. Call it before the stock
 * items are locked, because orders come first in the lock order. The result is an estimate: it may contain orders
 * that turn out not to be needed, and lack others. `lockBackorderedUnits` decides under the locks. At most two
 * statements.
 */
export async function lockBackorderedOrders(tx: Tx, increases: CountIncreases): Promise<LockedOrderIds> {
  const ids = await findBackorderedOrderIds(tx, increases);
  if (ids.length === 0) return markAsLocked(new Set<number>());
  await lockOrderRows(tx, ids);
  return markAsLocked(new Set(ids));
}

/** Returns the ids of the orders whose backorders these increases would fill now, ascending. Locks nothing. */
export async function findBackorderedOrderIds(db: Db, increases: CountIncreases): Promise<number[]> {
  return listOrderIds(await findBackorderedUnits(db, increases));
}

/** Stock that arrived at locked stock items; `lockedOrders` is the result of `lockBackorderedOrders`. */
export interface Arrival {
  increases: CountIncreases;
  lockedOrders: LockedOrderIds;
}

/** Locked stock items by id. */
export type LockedStockItems = ReadonlyMap<number, LockedStockItem>;

/**
 * Selects the units that arrived stock fills and locks their orders. For each stock item it selects as
 * many backordered units as the count increased by, from complete orders and from shipments that are not canceled, in
 * the order of completion. Orders whose completion waits for a gateway come last; their stock is already taken. Does
 * not change counts, which went down when the orders completed. The stock items are locked, so that no new backorder
 * can appear.
 * @returns the units, which `OnBackordersFilled` puts on hand
 * @throws Restart if another transaction holds an order that was not locked before; waiting for it with stock items
 *   locked could deadlock
 */
export async function lockBackorderedUnits(
  tx: Tx,
  { increases, lockedOrders }: Arrival,
): Promise<Locked<BackorderedUnit>[]> {
  const locked = new Set(lockedOrders);
  for (;;) {
    const units = await findBackorderedUnits(tx, increases);
    const unlocked = listOrderIds(units).filter((id) => !locked.has(id));
    if (unlocked.length === 0) return units.map(markAsLocked);
    await lockWithoutWaiting(tx, unlocked);
    for (const id of unlocked) locked.add(id);
  }
}

/**
 * Receives the units that arrived stock fills, inside the transaction. They are locked with their orders. `except` is
 * an order that its own use case updates.
 */
export interface OnBackordersFilled {
  (units: readonly Locked<BackorderedUnit>[], except?: number): Promise<void>;
  /** The account of the actor in whose name the stock moves; null for guests and for the program itself. */
  readonly user_id: number | null;
}

/** Returns the `OnBackordersFilled` that calls `Deps.onBackordersFilled` in the name of the actor. */
export function notifyOrders(ctx: Ctx, tx: Tx): OnBackordersFilled {
  return notifyOrdersAs(ctx, tx, findUserId(ctx.actor));
}

/** Returns the `OnBackordersFilled` of an account; null for the program itself. */
export function notifyOrdersAs(
  deps: Pick<Ctx, 'onBackordersFilled'>,
  tx: Tx,
  user_id: number | null,
): OnBackordersFilled {
  const notify = (units: readonly Locked<BackorderedUnit>[], except?: number) =>
    deps.onBackordersFilled(tx, {
      units,
      order_ids: listOrderIds(units).filter((id) => id !== except),
      user_id,
    });
  return Object.assign(notify, { user_id });
}

/**
 * Locks the orders whose backordered units a place owes, by id, and returns the number of these units. For a place
 * without a stock item, whose last one was deleted while it owed units: no new unit can be backordered there, and the
 * locked orders cannot give units up. Call it before stock items are locked. At most three statements.
 */
export async function lockOwedUnits(tx: Tx, place: StockPlace): Promise<number> {
  const owed = await findOwedUnits(tx, place);
  if (owed.length === 0) return 0;
  const ids = listOrderIds(owed);
  await lockOrderRows(tx, ids);
  return (await findOwedUnits(tx, place)).length;
}

/** Returns the distinct places among these that owe backordered units. Locks nothing. One statement. */
export async function findOwingPlaces(db: Db, places: readonly StockPlace[]): Promise<StockPlace[]> {
  const owed = await findUnitsOwedAt(db, places);
  return [...new Map(owed.map((unit) => [buildPlaceKey(unit), unit])).values()];
}

async function findOwedUnits(db: Db, place: StockPlace): Promise<BackorderedUnit[]> {
  return findUnitsOwedAt(db, [place]);
}

/** Returns the distinct ids of the orders of these units, ascending. */
export function listOrderIds(units: readonly BackorderedUnit[]): number[] {
  return [...new Set(units.map((unit) => unit.order_id))].sort((one, other) => one - other);
}
