import { InvalidResource, NotFound, requireFound } from '../platform/errors';
import type { Tx } from '../platform/database/transaction';
import { lockBackorderedOrders, type OnBackordersFilled } from './backorders';
import {
  applyChanges,
  lockItems,
  moveCounts,
  recordChanges,
  reportFilledBackorders,
  sumIncreases,
  type StockChange,
} from './stock-ledger';
import {
  findStockItemsAt,
  getMovement,
  lockStockItems,
  peekCount,
  peekCounts,
  updateMovementQuantity,
  deleteStockItems,
  type RemovedItems,
} from './stock-ledger.repository';
import { findMasterItemIds, setBackorderable } from './item-stock.repository';
import { countCommittedUnits } from './committed-units.repository';
import { planStockTargets, type StockTarget, type TargetOutcome } from './stock-targets.rules';
import { buildPlaceKey, type StockPlace } from './stock-place';

/* Changes of stock items that staff, imports and other stock items make: receiving, setting, correcting and deleting. */

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
  const items = await lockItems(
    tx,
    changes.map(({ stock_item_id }) => stock_item_id),
  );
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
  await setBackorderable(
    tx,
    items.map(({ id }) => id),
    false,
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
  const item = requireFound(items.get(stock_item_id));
  const quantity = count - item.count_on_hand;
  if (quantity === 0) return;
  await applyChanges(tx, { items, changes: [{ stock_item_id, quantity }], lockedOrders }, onFilled);
}

/** A change of a stock item at its place, whose new count may also be what lies there, `counted`. */
export type CountedTarget = Omit<StockTarget, 'change'> &
  StockPlace & { change: StockTarget['change'] | { counted: number } };

/**
 * Changes the counts of many stock items, and whether they are backorderable. Targets of one item apply in their order.
 * A target that breaks a bound changes nothing and has errors; the others apply. Each change is a movement with
 * `action`. The number of statements does not depend on the number of targets.
 * @returns what became of each target, in order
 */
export async function changeStocks(
  tx: Tx,
  requested: readonly CountedTarget[],
  { action, onFilled }: { action: string; onFilled: OnBackordersFilled },
): Promise<TargetOutcome[]> {
  const ids = [...new Set(requested.map((target) => target.stock_item_id))];
  const estimate = await resolveCounted(tx, requested);
  const lockedOrders = await lockBackorderedOrders(
    tx,
    estimateIncreases(estimate, await peekCounts(tx, ids)),
  );
  const items = await lockItems(tx, ids);
  // Again under the locks, which every sale takes.
  const targets = await resolveCounted(tx, requested);
  const { outcomes, changes, backorderable } = planStockTargets(items, targets);
  // Before the counts fall, because it decides how far they may; cleared after they have changed.
  await setBackorderable(tx, backorderable.set, true);
  await applyChanges(
    tx,
    { items, changes: changes.map((change) => ({ ...change, action })), lockedOrders },
    onFilled,
  );
  await setBackorderable(tx, backorderable.cleared, false);
  return outcomes.map((outcome, at) => nameCountedError(outcome, requested[at]));
}

/** Replaces what was counted by the count that it means: less the committed units. */
async function resolveCounted(tx: Tx, targets: readonly CountedTarget[]): Promise<StockTarget[]> {
  const places = targets.filter(({ change }) => change !== null && 'counted' in change);
  const committed = places.length === 0 ? new Map<string, number>() : await countCommittedUnits(tx, places);
  return targets.map(({ change, ...target }) => {
    if (change === null || !('counted' in change)) return { ...target, change };
    return { ...target, change: { count: change.counted - (committed.get(buildPlaceKey(target)) ?? 0) } };
  });
}

/** Reports the bound of a count by the field of the request. */
function nameCountedError(outcome: TargetOutcome, target: CountedTarget | undefined): TargetOutcome {
  const change = target?.change ?? null;
  if (!('errors' in outcome) || change === null || !('counted' in change)) return outcome;
  const { count_on_hand, ...others } = outcome.errors;
  if (count_on_hand === undefined) return outcome;
  return { errors: { ...others, counted: ['must not be less than the committed units'] } };
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
    increases.set(stock_item_id, (increases.get(stock_item_id) ?? 0) + quantity);
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
  await reportFilledBackorders(tx, { increases: difference, lockedOrders }, onFilled);
}
