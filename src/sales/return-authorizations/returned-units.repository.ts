import type { Locked, LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { BoundStatement } from '../../platform/database/prepared';
import { CHANGE_TIME } from '../order/unit-moves.repository';
import type { UnitCount } from '../order/order-graph';
import type { InventoryUnitState } from '../order/inventory-unit.machine';
import type { ReturnAuthorizationState } from '../order/return-authorization.machine';

/** The number of units of a line item in one state and on one return; null if they are on none. */
export interface UnitTally {
  line_item_id: number | null;
  variant_id: number;
  state: InventoryUnitState;
  return_authorization_id: number | null;
  return_state: ReturnAuthorizationState | null;
  quantity: number;
  /** As in `UnitCount`. */
  counted_quantity: number;
}

/** Counts the units of an order by line item, state and return. One statement for any number of units. */
export async function tallyUnits(db: Db, orderId: number): Promise<UnitTally[]> {
  const { rows } = await db.raw<{ rows: UnitTally[] }>(
    `SELECT u.line_item_id, u.variant_id, u.state, u.return_authorization_id, r.state AS return_state,
            count(*)::integer AS quantity, count(*) FILTER (WHERE u.counted)::integer AS counted_quantity
       FROM inventory_units u LEFT JOIN return_authorizations r ON r.id = u.return_authorization_id
      WHERE u.order_id = ?
      GROUP BY u.line_item_id, u.variant_id, u.state, u.return_authorization_id, r.state
      ORDER BY min(u.id)`,
    [orderId],
  );
  return rows;
}

/** Counts the shipped units of a return by shipment and line item. One statement. */
export async function countShippedUnits(db: Db, { id }: { id: number }): Promise<UnitCount[]> {
  const { rows } = await db.raw<{ rows: UnitCount[] }>(
    `SELECT shipment_id, line_item_id, variant_id, state, count(*)::integer AS quantity,
            count(*) FILTER (WHERE counted)::integer AS counted_quantity
       FROM inventory_units WHERE return_authorization_id = ? AND state = 'shipped'
      GROUP BY shipment_id, line_item_id, variant_id, state ORDER BY min(id)`,
    [id],
  );
  return rows;
}

/**
 * Builds the assignment of `quantity` shipped units of a variant to a return: those already on it first, then unassigned
 * ones, oldest first. Releases the others. The order must have as many units.
 */
export function buildAssignment(
  { id, order_id }: Locked<{ id: number; order_id: number }>,
  { variant_id, quantity }: { variant_id: number; quantity: number },
): BoundStatement {
  return { statement: ASSIGN_UNITS, bindings: [quantity, id, order_id, variant_id, id] };
}

const ASSIGN_UNITS = {
  name: 'assign_units_to_return',
  sql: `UPDATE inventory_units SET return_authorization_id = chosen.return_authorization_id,
            lock_version = lock_version + 1, updated_at = ${CHANGE_TIME}
       FROM (SELECT id, CASE WHEN row_number() OVER (ORDER BY return_authorization_id NULLS LAST, id) <= ?
                             THEN ?::integer END AS return_authorization_id
               FROM inventory_units
              WHERE order_id = ? AND variant_id = ? AND state = 'shipped'
                AND (return_authorization_id IS NULL OR return_authorization_id = ?)) chosen
      WHERE inventory_units.id = chosen.id
        AND inventory_units.return_authorization_id IS DISTINCT FROM chosen.return_authorization_id`,
};

const RELEASE_UNITS = {
  name: 'release_units_of_return',
  sql: `UPDATE inventory_units SET return_authorization_id = NULL, lock_version = lock_version + 1,
               updated_at = ${CHANGE_TIME}
         WHERE return_authorization_id = ?`,
};

/** Builds the removal of the units of a return from it. */
export function buildRelease({ id }: LockedId): BoundStatement {
  return { statement: RELEASE_UNITS, bindings: [id] };
}
