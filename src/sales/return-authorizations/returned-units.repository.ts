import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { InventoryUnitState } from '../order/inventory-unit.machine';
import type { ReturnAuthorizationState } from '../order/return-authorization.machine';

/** How many units of a line are in one state and on one return, or on none. */
export interface UnitTally {
  line_item_id: number | null;
  variant_id: number;
  state: InventoryUnitState;
  return_authorization_id: number | null;
  return_state: ReturnAuthorizationState | null;
  quantity: number;
}

/** All units of an order, counted. One statement, however many there are. */
export async function tallyUnits(db: Db, orderId: number): Promise<UnitTally[]> {
  const { rows } = await db.raw<{ rows: UnitTally[] }>(
    `SELECT u.line_item_id, u.variant_id, u.state, u.return_authorization_id, r.state AS return_state,
            count(*)::integer AS quantity
       FROM inventory_units u LEFT JOIN return_authorizations r ON r.id = u.return_authorization_id
      WHERE u.order_id = ?
      GROUP BY u.line_item_id, u.variant_id, u.state, u.return_authorization_id, r.state
      ORDER BY min(u.id)`,
    [orderId],
  );
  return rows;
}

/**
 * Makes `quantity` shipped units of a variant the ones a return holds: those it has first, then free ones, the oldest
 * first; those beyond are released. Expects the order locked, and as many units there. One statement.
 */
export async function assignUnits(
  tx: Tx,
  authorization: { id: number; order_id: number },
  goods: { variant_id: number; quantity: number },
): Promise<void> {
  await tx.raw(
    `UPDATE inventory_units SET return_authorization_id = chosen.return_authorization_id,
            lock_version = lock_version + 1
       FROM (SELECT id, CASE WHEN row_number() OVER (ORDER BY return_authorization_id NULLS LAST, id) <= :quantity
                             THEN :id::integer END AS return_authorization_id
               FROM inventory_units
              WHERE order_id = :order_id AND variant_id = :variant_id AND state = 'shipped'
                AND (return_authorization_id IS NULL OR return_authorization_id = :id)) chosen
      WHERE inventory_units.id = chosen.id
        AND inventory_units.return_authorization_id IS DISTINCT FROM chosen.return_authorization_id`,
    { id: authorization.id, order_id: authorization.order_id, ...goods },
  );
}

/** The units of a return belong to none any more. */
export async function releaseReturnUnits(tx: Tx, authorizationId: number): Promise<void> {
  await tx('inventory_units')
    .where({ return_authorization_id: authorizationId })
    .update({ return_authorization_id: null, lock_version: tx.raw('lock_version + 1') });
}
