import type { Ctx } from './context';
import { userIdOf } from '../access/actor';
import type { Db } from '../platform/database/knex';
import { Restart, type Tx } from '../platform/database/transaction';

/** By how many units the count of each stock item rises, by the item's id; only rises above zero are looked at. */
export type Rises = ReadonlyMap<number, number>;

/** Ids of orders this transaction has locked because goods may arrive for them. */
export type OwedOrders = ReadonlySet<number>;

/** A backordered inventory unit that goods have arrived for. */
interface OwedUnit {
  id: number;
  order_id: number;
}

/**
 * Locks the orders that these rises will probably fill, by id ascending. To be called before the stock items are
 * locked: orders come first in the lock order of the shop. An estimate: `fillBackorders` looks again under the
 * locks, so orders may be locked here for nothing, and an order may be missing. Two statements at most.
 */
export async function lockOwedOrders(tx: Tx, rises: Rises): Promise<OwedOrders> {
  const ids = await findOwedOrderIds(tx, rises);
  if (ids.length === 0) return new Set();
  await tx.raw('SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE', [ids]);
  return new Set(ids);
}

/** Ids of the orders these rises would fill now, ascending. Nothing is locked. */
export async function findOwedOrderIds(db: Db, rises: Rises): Promise<number[]> {
  return orderIdsOf(await findOwedUnits(db, rises));
}

/**
 * Gives goods that arrived to those who wait (behaviour 6.4): per stock item the first units that are backordered
 * there become on hand, as many as its count rose by, of complete orders and shipments that are not canceled, the
 * order completed first before the others; after them those whose completion waits for a gateway, as their goods have
 * left the shelves too. Counts are left: they went down then. Expects the
 * stock items locked, so that no new backorder can arise, and `owed` from `lockOwedOrders`.
 * @returns ids of the orders that got goods, ascending; all of them are locked
 * @throws Restart when an order it did not lock before is needed now, and is held by somebody else: waiting for it
 *   with stock items locked could deadlock
 */
export async function fillBackorders(tx: Tx, rises: Rises, owed: OwedOrders): Promise<number[]> {
  const locked = new Set(owed);
  for (;;) {
    const units = await findOwedUnits(tx, rises);
    const orderIds = orderIdsOf(units);
    const strangers = orderIds.filter((id) => !locked.has(id));
    if (strangers.length === 0) {
      await putOnHand(tx, units);
      return orderIds;
    }
    await lockWithoutWaiting(tx, strangers);
    for (const id of strangers) locked.add(id);
  }
}

/**
 * Told, inside the transaction, the ids of the orders that got goods they waited for; all of them are locked. Whoever
 * keeps orders brings them up to date in it.
 */
export type OnBackordersFilled = (orderIds: readonly number[]) => Promise<void>;

/** For use cases of inventory, which does not know orders: passes the news to the port that the program was built with. */
export function tellOrders(ctx: Ctx, tx: Tx): OnBackordersFilled {
  return (order_ids) => ctx.onBackordersFilled(tx, { order_ids, user_id: userIdOf(ctx.actor) });
}

/** Its goods have left the shelves already, and a gateway is being asked to pay for them. */
const IS_BEING_COMPLETED = `EXISTS (
  SELECT 1 FROM payment_operations
    JOIN payments ON payments.id = payment_operations.payment_id
   WHERE payments.order_id = orders.id
     AND payment_operations.state = 'started' AND payment_operations.purpose = 'complete_order')`;

async function findOwedUnits(db: Db, rises: Rises): Promise<OwedUnit[]> {
  const wanted = [...rises].filter(([, quantity]) => quantity > 0);
  if (wanted.length === 0) return [];
  const { rows } = await db.raw<{ rows: OwedUnit[] }>(
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

function orderIdsOf(units: readonly OwedUnit[]): number[] {
  return [...new Set(units.map((unit) => unit.order_id))].sort((one, other) => one - other);
}

async function lockWithoutWaiting(tx: Tx, orderIds: readonly number[]): Promise<void> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    'SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE SKIP LOCKED',
    [[...orderIds]],
  );
  if (rows.length < orderIds.length) throw new Restart('an order that goods arrived for is being changed');
}

async function putOnHand(tx: Tx, units: readonly OwedUnit[]): Promise<void> {
  if (units.length === 0) return;
  await tx.raw(
    `UPDATE inventory_units SET state = 'on_hand', lock_version = lock_version + 1
      WHERE id = ANY(?) AND state = 'backordered'`,
    [units.map((unit) => unit.id)],
  );
}
