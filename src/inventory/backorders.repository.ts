import type { Db } from '../platform/database/knex';
import { Restart, type Tx } from '../platform/database/transaction';
import type { BackorderedUnit } from './context';
import type { StockPlace } from './stock-place';

/** Returns the backordered units that these places owe. Locks nothing. One statement. */
export async function findUnitsOwedAt(
  db: Db,
  places: readonly StockPlace[],
): Promise<(BackorderedUnit & StockPlace)[]> {
  const { rows } = await db.raw<{ rows: (BackorderedUnit & StockPlace)[] }>(
    `SELECT inventory_units.id, inventory_units.order_id, given.stock_location_id, given.variant_id
       FROM unnest(CAST(? AS integer[]), CAST(? AS integer[])) AS given (stock_location_id, variant_id)
       JOIN inventory_units ON inventory_units.variant_id = given.variant_id
                           AND inventory_units.state = 'backordered' AND inventory_units.counted
       JOIN shipments ON shipments.id = inventory_units.shipment_id
                     AND shipments.stock_location_id = given.stock_location_id AND shipments.state <> 'canceled'
       JOIN orders ON orders.id = inventory_units.order_id AND ${HOLDS_STOCK}`,
    [places.map((place) => place.stock_location_id), places.map((place) => place.variant_id)],
  );
  return rows;
}

/** True for an order whose stock is already taken and whose payment a gateway is processing. */
const IS_BEING_COMPLETED = `EXISTS (
  SELECT 1 FROM payment_operations
    JOIN payments ON payments.id = payment_operations.payment_id
   WHERE payments.order_id = orders.id
     AND payment_operations.state = 'started' AND payment_operations.purpose = 'complete_order')`;

/** SQL that is true for an order whose stock is taken: it is complete or being completed, and not canceled. */
export const HOLDS_STOCK = `orders.state <> 'canceled' AND (orders.completed_at IS NOT NULL OR ${IS_BEING_COMPLETED})`;

/** Returns the units that these increases would put on hand now. Locks nothing. At most one statement. */
export async function findBackorderedUnits(
  db: Db,
  increases: ReadonlyMap<number, number>,
): Promise<BackorderedUnit[]> {
  const positive = [...increases].filter(([, quantity]) => quantity > 0);
  if (positive.length === 0) return [];
  const { rows } = await db.raw<{ rows: BackorderedUnit[] }>(
    `SELECT id, order_id FROM (
       SELECT inventory_units.id, inventory_units.order_id, increases.quantity,
              row_number() OVER (PARTITION BY increases.stock_item_id
                                 ORDER BY orders.completed_at, orders.id, inventory_units.id) AS place
         FROM unnest(CAST(? AS integer[]), CAST(? AS bigint[])) AS increases (stock_item_id, quantity)
         JOIN stock_items ON stock_items.id = increases.stock_item_id
         JOIN inventory_units ON inventory_units.variant_id = stock_items.variant_id
                             AND inventory_units.state = 'backordered'
         JOIN shipments ON shipments.id = inventory_units.shipment_id
                       AND shipments.stock_location_id = stock_items.stock_location_id
                       AND shipments.state <> 'canceled'
         JOIN orders ON orders.id = inventory_units.order_id AND ${HOLDS_STOCK}
     ) AS waiting
     WHERE place <= quantity`,
    [positive.map(([id]) => id), positive.map(([, quantity]) => quantity)],
  );
  return rows;
}

/** Locks orders by id, ascending. */
export async function lockOrderRows(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.raw('SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE', [[...ids]]);
}

/** Locks orders as `lockOrderRows` does. @throws Restart if another transaction holds one of them */
export async function lockWithoutWaiting(tx: Tx, orderIds: readonly number[]): Promise<void> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    'SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE SKIP LOCKED',
    [[...orderIds]],
  );
  if (rows.length < orderIds.length)
    throw new Restart('another transaction holds an order with filled backorders');
}
