import type { Db } from '../../platform/database/knex';
import { queryPrepared, type BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { Decided } from '../../platform/perform';
import type { InventoryUnitState } from '../order/inventory-unit.machine';
import type { LockedOrder } from '../order/order-lock';
import { UNITS_TOUCHED } from '../order/unit-moves.repository';

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

/** Returns the units with these ids, in the order of their creation. */
export async function findUnits(
  db: Db,
  ids: readonly number[],
): Promise<Pick<InventoryUnitRow, 'shipment_id' | 'line_item_id' | 'variant_id' | 'counted'>[]> {
  return db<InventoryUnitRow>('inventory_units')
    .whereIn('id', ids)
    .orderBy('id')
    .select('shipment_id', 'line_item_id', 'variant_id', 'counted');
}

/** A unit that has not shipped. */
export interface UnshippedUnit {
  id: number;
  line_item_id: number | null;
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
  return query.select<UnshippedUnit[]>('id', 'line_item_id', 'variant_id', 'state', 'counted');
}

/** The record of the order that owns units: a shipment or a return authorization. */
export type UnitOwner = { shipment_id: number } | { return_authorization_id: number };

const UPDATE_UNITS_OF = {
  name: 'update_units_of_owner',
  sql: `UPDATE inventory_units SET state = ?, lock_version = lock_version + 1, ${UNITS_TOUCHED}
         WHERE order_id = ? AND state = ? AND (shipment_id = ? OR return_authorization_id = ?)`,
};

/** Builds the update of all units of an owner from state `from` to state `to`. */
export function buildUnitsUpdate(
  order: LockedOrder,
  owner: UnitOwner,
  { from, to }: { from: InventoryUnitState; to: Decided<InventoryUnitState> },
): BoundStatement {
  const { shipment_id, return_authorization_id } = { ...NO_OWNER, ...owner };
  return { statement: UPDATE_UNITS_OF, bindings: [to, order.id, from, shipment_id, return_authorization_id] };
}

const NO_OWNER: { shipment_id: number | null; return_authorization_id: number | null } = {
  shipment_id: null,
  return_authorization_id: null,
};

const FINALIZE_UNITS = {
  name: 'finalize_units',
  sql: `UPDATE inventory_units SET pending = false, ${UNITS_TOUCHED} WHERE order_id = ? AND pending`,
};

/** Builds the update that finalizes the units of a completed order: they are no longer pending. */
export function buildUnitsFinalization({ id }: LockedOrder): BoundStatement {
  return { statement: FINALIZE_UNITS, bindings: [id] };
}
