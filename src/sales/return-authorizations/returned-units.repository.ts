import type { Locked, LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { CHANGE_TIME } from '../fulfilment/inventory-units.repository';
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

/**
 * Assigns `quantity` shipped units of a variant to a return: those already on it first, then unassigned ones, oldest
 * first. Releases the others. The order must have as many units. One statement.
 */
export async function assignUnits(
  tx: Tx,
  authorization: Locked<{ id: number; order_id: number }>,
  items: { variant_id: number; quantity: number },
): Promise<void> {
  await tx.raw(
    `UPDATE inventory_units SET return_authorization_id = chosen.return_authorization_id,
            lock_version = lock_version + 1, updated_at = ${CHANGE_TIME}
       FROM (SELECT id, CASE WHEN row_number() OVER (ORDER BY return_authorization_id NULLS LAST, id) <= :quantity
                             THEN :id::integer END AS return_authorization_id
               FROM inventory_units
              WHERE order_id = :order_id AND variant_id = :variant_id AND state = 'shipped'
                AND (return_authorization_id IS NULL OR return_authorization_id = :id)) chosen
      WHERE inventory_units.id = chosen.id
        AND inventory_units.return_authorization_id IS DISTINCT FROM chosen.return_authorization_id`,
    { id: authorization.id, order_id: authorization.order_id, ...items },
  );
}

/** Removes the units of a return from it. */
export async function releaseReturnUnits(tx: Tx, { id }: LockedId): Promise<void> {
  await tx('inventory_units')
    .where({ return_authorization_id: id })
    .update({
      return_authorization_id: null,
      lock_version: tx.raw('lock_version + 1'),
      updated_at: tx.raw(CHANGE_TIME),
    });
}
