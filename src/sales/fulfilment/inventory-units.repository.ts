import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { InventoryUnitState } from '../order/inventory-unit.machine';
import type { LockedOrder } from '../order/order-lock';

/** One single item of a shipment. */
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
  lock_version: number;
}

/** The units of these orders, in the order they were made. */
export async function findUnitsOfOrders(db: Db, orderIds: readonly number[]): Promise<InventoryUnitRow[]> {
  return db<InventoryUnitRow>('inventory_units').whereIn('order_id', orderIds).orderBy('id');
}

/** The units of these shipments, in the order they were made. */
export async function findUnitsOfShipments(
  db: Db,
  shipmentIds: readonly number[],
): Promise<InventoryUnitRow[]> {
  return db<InventoryUnitRow>('inventory_units').whereIn('shipment_id', shipmentIds).orderBy('id');
}

/** The unit, of whichever order. */
export async function findUnit(db: Db, id: number): Promise<InventoryUnitRow | undefined> {
  return db<InventoryUnitRow>('inventory_units').where({ id }).first();
}

/** A unit that has not left. */
export interface OpenUnit {
  id: number;
  variant_id: number;
  state: 'on_hand' | 'backordered';
}

/** The units of a shipment that have not left, backordered ones first, then the newest: all, or some of a variant. */
export async function findOpenUnits(
  tx: Tx,
  shipmentId: number,
  goods: { variant_id: number; quantity: number } | null,
): Promise<OpenUnit[]> {
  const open = tx('inventory_units')
    .where({ shipment_id: shipmentId })
    .whereIn('state', ['on_hand', 'backordered'])
    .orderByRaw("(state = 'backordered') DESC, id DESC");
  if (goods !== null) void open.where({ variant_id: goods.variant_id }).limit(goods.quantity);
  return open.select<OpenUnit[]>('id', 'variant_id', 'state');
}

/** Puts units into a shipment, in the states they have there, in one statement. */
export async function reassignUnits(tx: Tx, units: readonly OpenUnit[], shipmentId: number): Promise<void> {
  if (units.length === 0) return;
  await tx.raw(
    `UPDATE inventory_units SET shipment_id = ?, state = u.state, lock_version = lock_version + 1
       FROM json_to_recordset(?::json) AS u(id integer, state text) WHERE inventory_units.id = u.id`,
    [shipmentId, JSON.stringify(units)],
  );
}

/** Ships what lies in a shipment, in one statement. */
export async function shipUnits(tx: Tx, shipmentId: number): Promise<void> {
  await tx('inventory_units')
    .where({ shipment_id: shipmentId, state: 'on_hand' })
    .update({ state: 'shipped', lock_version: tx.raw('lock_version + 1') });
}

/** Moves many units to their states in one statement. */
export async function updateUnitStates(
  tx: Tx,
  units: readonly Pick<InventoryUnitRow, 'id' | 'state'>[],
): Promise<void> {
  if (units.length === 0) return;
  await tx.raw(
    `UPDATE inventory_units SET state = u.state, lock_version = lock_version + 1
       FROM json_to_recordset(?::json) AS u(id integer, state text) WHERE inventory_units.id = u.id`,
    [JSON.stringify(units.map(({ id, state }) => ({ id, state })))],
  );
}

/** The order is complete: its units are no longer pending. */
export async function releaseUnits(tx: Tx, orderId: number): Promise<void> {
  await tx('inventory_units').where({ order_id: orderId, pending: true }).update({ pending: false });
}

/** Some units of a line in a shipment, all in one state. */
export interface UnitGroup {
  shipment_id: number;
  line_item_id: number;
  variant_id: number;
  state: InventoryUnitState;
  quantity: number;
}

/** Removes as many units of the order as each group says, the newest first, in one statement. */
export async function deleteUnits(tx: Tx, order: LockedOrder, groups: readonly UnitGroup[]): Promise<void> {
  if (groups.length === 0) return;
  await tx.raw(
    `DELETE FROM inventory_units WHERE id IN (
       SELECT ranked.id
         FROM (SELECT id, shipment_id, line_item_id, state,
                      row_number() OVER (PARTITION BY shipment_id, line_item_id, state ORDER BY id DESC) AS rank
                 FROM inventory_units
                WHERE order_id = ?
                  AND shipment_id IN (SELECT (g->>'shipment_id')::integer FROM json_array_elements(?::json) g)) ranked
         JOIN json_to_recordset(?::json) AS g(shipment_id integer, line_item_id integer, state text, quantity integer)
           ON g.shipment_id = ranked.shipment_id AND g.line_item_id = ranked.line_item_id AND g.state = ranked.state
        WHERE ranked.rank <= g.quantity)`,
    [order.id, JSON.stringify(groups), JSON.stringify(groups)],
  );
}
