import type { Ctx, BackorderedUnit } from './context';
import { findUserId } from '../access/actor';
import type { Db } from '../platform/database/knex';
import { Restart, type Tx } from '../platform/database/transaction';

/** By how many units the count of each stock item rises, by the item's id; only rises above zero are looked at. */
export type CountIncreases = ReadonlyMap<number, number>;

/** Ids of orders this transaction has locked because goods may arrive for them. */
export type LockedOrderIds = ReadonlySet<number>;

/**
 * Locks the orders that these rises will probably fill, by id ascending. To be called before the stock items are
 * locked: orders come first in the lock order of the shop. An estimate: `lockOwedUnits` looks again under the
 * locks, so orders may be locked here for nothing, and an order may be missing. Two statements at most.
 */
export async function lockBackorderedOrders(tx: Tx, rises: CountIncreases): Promise<LockedOrderIds> {
  const ids = await findBackorderedOrderIds(tx, rises);
  if (ids.length === 0) return new Set();
  await tx.raw('SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE', [ids]);
  return new Set(ids);
}

/** Ids of the orders these rises would fill now, ascending. Nothing is locked. */
export async function findBackorderedOrderIds(db: Db, rises: CountIncreases): Promise<number[]> {
  return listOrderIds(await findBackorderedUnits(db, rises));
}

/**
 * Chooses the units that arrived stock fills (behaviour 6.4), and locks their orders: per stock item the first units that
 * are backordered there, as many as its count rose by, of complete orders and shipments that are not canceled, in the
 * order of completion; after them those whose completion waits for a gateway, because their stock is taken too. Counts
 * stay: they went down when the orders completed. Expects the stock items locked, so that no new backorder can arise,
 * and `owed` from `lockOwedOrders`.
 * @returns the units, which become on hand by `OnBackordersFilled`
 * @throws Restart when an order it did not lock before is needed now, and is held by somebody else: waiting for it
 *   with stock items locked could deadlock
 */
export async function lockBackorderedUnits(tx: Tx, rises: CountIncreases, owed: LockedOrderIds): Promise<BackorderedUnit[]> {
  const locked = new Set(owed);
  for (;;) {
    const units = await findBackorderedUnits(tx, rises);
    const strangers = listOrderIds(units).filter((id) => !locked.has(id));
    if (strangers.length === 0) return units;
    await lockWithoutWaiting(tx, strangers);
    for (const id of strangers) locked.add(id);
  }
}

/**
 * Receives, inside the transaction, the units that arrived stock fills; their orders are locked. `except`: an order whose
 * own use case brings it up to date afterwards.
 */
export type OnBackordersFilled = (units: readonly BackorderedUnit[], except?: number) => Promise<void>;

/** For use cases of inventory, which does not know orders: passes the news to the port that the program was built with. */
export function notifyOrders(ctx: Ctx, tx: Tx): OnBackordersFilled {
  return (units, except) =>
    ctx.onBackordersFilled(tx, {
      units,
      order_ids: listOrderIds(units).filter((id) => id !== except),
      user_id: findUserId(ctx.actor),
    });
}

/** Its goods have left the shelves already, and a gateway is being asked to pay for them. */
const IS_BEING_COMPLETED = `EXISTS (
  SELECT 1 FROM payment_operations
    JOIN payments ON payments.id = payment_operations.payment_id
   WHERE payments.order_id = orders.id
     AND payment_operations.state = 'started' AND payment_operations.purpose = 'complete_order')`;

async function findBackorderedUnits(db: Db, rises: CountIncreases): Promise<BackorderedUnit[]> {
  const wanted = [...rises].filter(([, quantity]) => quantity > 0);
  if (wanted.length === 0) return [];
  const { rows } = await db.raw<{ rows: BackorderedUnit[] }>(
    `SELECT id, order_id FROM (
       SELECT inventory_units.id, inventory_units.order_id, rises.quantity,
              row_number() OVER (PARTITION BY rises.stock_item_id
                                 ORDER BY orders.completed_at, orders.id, inventory_units.id) AS place
         FROM unnest(CAST(? AS integer[]), CAST(? AS bigint[])) AS rises (stock_item_id, quantity)
         JOIN stock_items ON stock_items.id = rises.stock_item_id
         JOIN inventory_units ON inventory_units.variant_id = stock_items.variant_id
                             AND inventory_units.state = 'backordered'
         JOIN shipments ON shipments.id = inventory_units.shipment_id
                       AND shipments.stock_location_id = stock_items.stock_location_id
                       AND shipments.state <> 'canceled'
         JOIN orders ON orders.id = inventory_units.order_id AND orders.state <> 'canceled'
                    AND (orders.completed_at IS NOT NULL OR ${IS_BEING_COMPLETED})
     ) AS waiting
     WHERE place <= quantity`,
    [wanted.map(([id]) => id), wanted.map(([, quantity]) => quantity)],
  );
  return rows;
}

/** Ids of the orders of these units, ascending. */
export function listOrderIds(units: readonly BackorderedUnit[]): number[] {
  return [...new Set(units.map((unit) => unit.order_id))].sort((one, other) => one - other);
}

async function lockWithoutWaiting(tx: Tx, orderIds: readonly number[]): Promise<void> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    'SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE SKIP LOCKED',
    [[...orderIds]],
  );
  if (rows.length < orderIds.length) throw new Restart('an order that goods arrived for is being changed');
}
