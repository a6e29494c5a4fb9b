import type { Db } from '../../platform/database/knex';
import { queryPrepared, type BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { Decided } from '../../platform/perform';
import type { InventoryUnitState } from '../order/inventory-unit.machine';
import type { LockedOrder } from '../order/order-lock';

/** One unit of a line item in a shipment. */
export interface InventoryUnitRow {
  id: number;
  order_id: number;
  line_item_id: number | null;
  variant_id: number;
  shipment_id: number;
  return_authorization_id: number | null;
  state: InventoryUnitState;
  /** True until the order completes. */
  pending: boolean;
  /** Whether its sale changed the count of its stock item. Meaningless in carts. */
  counted: boolean;
  lock_version: number;
}

const COLUMNS: Record<keyof InventoryUnitRow, true> = {
  id: true,
  order_id: true,
  line_item_id: true,
  variant_id: true,
  shipment_id: true,
  return_authorization_id: true,
  state: true,
  pending: true,
  counted: true,
  lock_version: true,
};

const UNITS_OF_ORDER = {
  name: 'units_of_order',
  sql: `SELECT ${Object.keys(COLUMNS).join(', ')} FROM inventory_units WHERE order_id = ? ORDER BY id`,
};

/** Returns the units of an order, in the order of their creation. */
export async function findUnitsOfOrder(db: Db, orderId: number): Promise<InventoryUnitRow[]> {
  return queryPrepared<InventoryUnitRow>(db, UNITS_OF_ORDER, [orderId]);
}

/** Returns the units of these orders, in the order of their creation. */
export async function findUnitsOfOrders(db: Db, orderIds: readonly number[]): Promise<InventoryUnitRow[]> {
  return db<InventoryUnitRow>('inventory_units').whereIn('order_id', orderIds).orderBy('id');
}

/** Returns the units of these shipments, in the order of their creation. */
export async function findUnitsOfShipments(
  db: Db,
  shipmentIds: readonly number[],
): Promise<InventoryUnitRow[]> {
  return db<InventoryUnitRow>('inventory_units').whereIn('shipment_id', shipmentIds).orderBy('id');
}

/** Returns the unit with this id, of any order. */
export async function findUnit(db: Db, id: number): Promise<InventoryUnitRow | undefined> {
  return db<InventoryUnitRow>('inventory_units').where({ id }).first();
}

/** A unit that has not shipped. */
export interface UnshippedUnit {
  id: number;
  variant_id: number;
  state: 'on_hand' | 'backordered';
  counted: boolean;
}

/**
 * Returns the unshipped units of a shipment, backordered units first, then the newest. `some` limits them to a quantity
 * of one variant; null for all.
 */
export async function findUnshippedUnits(
  tx: Tx,
  shipmentId: number,
  some: { variant_id: number; quantity: number } | null,
): Promise<UnshippedUnit[]> {
  const query = tx('inventory_units')
    .where({ shipment_id: shipmentId })
    .whereIn('state', ['on_hand', 'backordered'])
    .orderByRaw("(state = 'backordered') DESC, id DESC");
  if (some !== null) void query.where({ variant_id: some.variant_id }).limit(some.quantity);
  return query.select<UnshippedUnit[]>('id', 'variant_id', 'state', 'counted');
}

/**
 * The time of a change of units. Statements name it, because a trigger would run once for each unit of a large order.
 */
export const CHANGE_TIME = `date_trunc('milliseconds', clock_timestamp())`;

const UNITS_TOUCHED = `updated_at = ${CHANGE_TIME}`;

/** New values of a unit; null leaves the column unchanged. */
export interface UnitUpdate {
  id: number;
  state: Decided<InventoryUnitState> | null;
  shipment_id: number | null;
}

/** Updates many units of these orders in one statement. */
export async function updateUnits(
  tx: Tx,
  orderIds: readonly number[],
  units: readonly UnitUpdate[],
): Promise<void> {
  await tx.raw(
    `UPDATE inventory_units SET state = coalesce(u.state, inventory_units.state),
            shipment_id = coalesce(u.shipment_id, inventory_units.shipment_id), lock_version = lock_version + 1,
            ${UNITS_TOUCHED}
       FROM json_to_recordset(?::json) AS u(id integer, state text, shipment_id integer)
      WHERE inventory_units.id = u.id AND inventory_units.order_id = ANY(?)`,
    [JSON.stringify(units), [...orderIds]],
  );
}

/** The record of the order that owns units: a shipment or a return authorization. */
export type UnitOwner = { shipment_id: number } | { return_authorization_id: number };

const UPDATE_UNITS_OF = {
  name: 'update_units_of_owner',
  sql: `UPDATE inventory_units SET state = ?, lock_version = lock_version + 1, ${UNITS_TOUCHED}
         WHERE order_id = ? AND state = ? AND (shipment_id = ? OR return_authorization_id = ?)`,
};

/** Updates all units of an owner from state `from` to state `to`. Does not wait. */
export function writeUnitsOf(
  tx: Tx,
  order: LockedOrder,
  owner: UnitOwner,
  { from, to }: { from: InventoryUnitState; to: Decided<InventoryUnitState> },
): void {
  const { shipment_id, return_authorization_id } = { ...NO_OWNER, ...owner };
  tx.write(UPDATE_UNITS_OF, [to, order.id, from, shipment_id, return_authorization_id]);
}

const NO_OWNER: { shipment_id: number | null; return_authorization_id: number | null } = {
  shipment_id: null,
  return_authorization_id: null,
};

/** Stores whether the sale of these units changed a count. One statement; none without units. */
export async function updateCounted(
  tx: Tx,
  order: LockedOrder,
  units: readonly { id: number; counted: boolean }[],
): Promise<void> {
  if (units.length === 0) return;
  await tx.raw(
    `UPDATE inventory_units SET counted = u.counted, ${UNITS_TOUCHED}
       FROM json_to_recordset(?::json) AS u(id integer, counted boolean)
      WHERE inventory_units.id = u.id AND inventory_units.order_id = ?`,
    [JSON.stringify(units), order.id],
  );
}

const FINALIZE_UNITS = {
  name: 'finalize_units',
  sql: `UPDATE inventory_units SET pending = false, ${UNITS_TOUCHED} WHERE order_id = ? AND pending`,
};

/** Builds the update that finalizes the units of a completed order: they are no longer pending. */
export function buildUnitsFinalization({ id }: LockedOrder): BoundStatement {
  return { statement: FINALIZE_UNITS, bindings: [id] };
}

/** A number of units of one line item in one shipment, all in the same state. */
export interface UnitGroup {
  shipment_id: number;
  line_item_id: number;
  variant_id: number;
  state: InventoryUnitState;
  quantity: number;
}

/** A number of deleted units, and how many of them changed a count when they were sold. */
export interface DeletedUnits {
  shipment_id: number;
  variant_id: number;
  state: InventoryUnitState;
  quantity: number;
  counted_quantity: number;
}

/** Deletes the quantity of units of each group, newest first, in one statement. @returns what it deleted */
export async function deleteUnits(
  tx: Tx,
  order: LockedOrder,
  groups: readonly UnitGroup[],
): Promise<DeletedUnits[]> {
  if (groups.length === 0) return [];
  const { rows } = await tx.raw<{ rows: DeletedUnits[] }>(
    `WITH deleted AS (
     DELETE FROM inventory_units WHERE id IN (
       SELECT ranked.id
         FROM (SELECT id, shipment_id, line_item_id, state,
                      row_number() OVER (PARTITION BY shipment_id, line_item_id, state ORDER BY id DESC) AS rank
                 FROM inventory_units
                WHERE order_id = ?
                  AND shipment_id IN (SELECT (g->>'shipment_id')::integer FROM json_array_elements(?::json) g)) ranked
         JOIN json_to_recordset(?::json) AS g(shipment_id integer, line_item_id integer, state text, quantity integer)
           ON g.shipment_id = ranked.shipment_id AND g.line_item_id = ranked.line_item_id AND g.state = ranked.state
        WHERE ranked.rank <= g.quantity)
     RETURNING shipment_id, variant_id, state, counted)
     SELECT shipment_id, variant_id, state, count(*)::integer AS quantity,
            count(*) FILTER (WHERE counted)::integer AS counted_quantity
       FROM deleted GROUP BY shipment_id, variant_id, state ORDER BY shipment_id, variant_id, state`,
    [order.id, JSON.stringify(groups), JSON.stringify(groups)],
  );
  return rows;
}
