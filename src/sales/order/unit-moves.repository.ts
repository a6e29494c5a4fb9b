import type { BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { Decided } from '../../platform/perform';
import type { InventoryUnitState } from './inventory-unit.machine';
import { expectFew } from './json-rows-sql';
import type { UnitCount } from './order-graph';
import type { LockedOrder } from './order-lock';

/**
 * The time of a change of units. Statements name it, because a trigger would run once for each unit of a large order.
 */
export const CHANGE_TIME = `date_trunc('milliseconds', clock_timestamp())`;

export const UNITS_TOUCHED = `updated_at = ${CHANGE_TIME}`;

/** A number of units of one line item in one shipment, all in the same state. */
export interface UnitGroup {
  shipment_id: number;
  line_item_id: number;
  variant_id: number;
  state: InventoryUnitState;
  quantity: number;
}

/** New values of a unit; null leaves the column unchanged. */
export interface UnitUpdate {
  id: number;
  state: Decided<InventoryUnitState> | null;
  shipment_id: number | null;
  counted?: boolean;
}

/**
 * The sum keeps PostgreSQL from finding the units by their order. With statistics from before a large order was written, it would
 * read the whole array for each unit of that order.
 */
const UPDATE_UNITS = {
  name: 'update_units',
  sql: `UPDATE inventory_units SET state = coalesce(u.state, inventory_units.state),
            shipment_id = coalesce(u.shipment_id, inventory_units.shipment_id),
            counted = coalesce(u.counted, inventory_units.counted), ${UNITS_TOUCHED},
            lock_version = lock_version + (u.state IS NOT NULL OR u.shipment_id IS NOT NULL)::integer
       FROM json_to_recordset(?::json) AS u(id integer, state text, shipment_id integer, counted boolean)
      WHERE inventory_units.id = u.id AND inventory_units.order_id + 0 = ANY(?::integer[]) AND ${expectFew('u.id')}`,
};

/** Updates many units of these orders in one statement; none without units. */
export async function updateUnits(
  tx: Tx,
  orderIds: readonly number[],
  units: readonly UnitUpdate[],
): Promise<void> {
  if (units.length === 0) return;
  await tx.query(UPDATE_UNITS, [JSON.stringify(units), [...orderIds]]);
}

/**
 * A move of units of an order: units that are added to its shipments, removed from them, or changed, one by one or by a
 * statement. Its shipments and line items may be new in what is added.
 */
export type UnitMove =
  | { added: readonly UnitCount[] }
  | { removed: readonly UnitGroup[] }
  | { changed: readonly UnitUpdate[] }
  | BoundStatement;

/** Builds the statement of a move, of stored line items and shipments. */
export function buildUnitMove(order: LockedOrder, move: UnitMove): BoundStatement {
  if ('statement' in move) return move;
  if ('changed' in move) {
    return { statement: UPDATE_UNITS, bindings: [JSON.stringify(move.changed), [order.id]] };
  }
  if ('removed' in move) {
    return { statement: DELETE_UNITS, bindings: [JSON.stringify(move.removed), order.id] };
  }
  const pending = order.completed_at === null;
  return { statement: INSERT_UNITS, bindings: [order.id, pending, JSON.stringify(move.added)] };
}

const INSERT_UNITS = {
  name: 'insert_units',
  sql: `INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending, counted)
    SELECT ?, u.line_item_id, u.variant_id, u.shipment_id, u.state, ?, unit.place <= u.counted_quantity
      FROM json_to_recordset(?::json) AS u(line_item_id integer, variant_id integer, shipment_id integer, state text,
           quantity integer, counted_quantity integer)
     CROSS JOIN LATERAL generate_series(1, u.quantity) AS unit(place)
     WHERE ${expectFew('u.quantity')} AND ${expectFew('unit.place')}`,
};

/** Selects the newest units of groups. Bindings: the groups, the order's id. */
const NEWEST_UNITS = `
  WITH g AS (
    SELECT * FROM ROWS FROM (
      json_to_recordset(?::json) AS (shipment_id integer, line_item_id integer, state text, quantity integer))
      WITH ORDINALITY AS g (shipment_id, line_item_id, state, quantity, place))
  SELECT ranked.id, ranked.counted, g.place
    FROM (SELECT id, shipment_id, line_item_id, state, counted,
                 row_number() OVER (PARTITION BY shipment_id, line_item_id, state ORDER BY id DESC) AS rank
            FROM inventory_units WHERE order_id = ? AND shipment_id IN (SELECT shipment_id FROM g)) ranked
    JOIN g ON g.shipment_id = ranked.shipment_id AND g.line_item_id = ranked.line_item_id AND g.state = ranked.state
   WHERE ranked.rank <= g.quantity`;

const DELETE_UNITS = {
  name: 'delete_units',
  sql: `DELETE FROM inventory_units WHERE id IN (SELECT id FROM (${NEWEST_UNITS}) chosen)`,
};

const COUNTED_UNITS = {
  name: 'counted_units',
  sql: `SELECT place::integer, count(*) FILTER (WHERE counted)::integer AS counted_quantity
          FROM (${NEWEST_UNITS}) chosen GROUP BY place`,
};

/**
 * Returns how many of the units that removing these groups removes changed a count when they were sold, by place of the
 * group. The newest units are removed.
 */
export async function countCounted(
  tx: Tx,
  order: LockedOrder,
  groups: readonly UnitGroup[],
): Promise<Map<number, number>> {
  const rows = await tx.query<{ place: number; counted_quantity: number }>(COUNTED_UNITS, [
    JSON.stringify(groups),
    order.id,
  ]);
  return new Map(rows.map(({ place, counted_quantity }) => [place - 1, counted_quantity]));
}
