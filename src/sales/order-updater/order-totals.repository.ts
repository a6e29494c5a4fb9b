import type { Tx } from '../../platform/database/transaction';
import type { Decided } from '../../platform/perform';
import type { LockedId } from '../../platform/database/locked';
import type { OrderShipmentState } from '../order/order-totals';
import type { ShipmentState } from '../order/shipment.machine';
import { buildStateChangesInsert, type StateChange } from '../order/state-changes.repository';

/** A shipment that has shipped because units were taken off it left with its last unit. */
const SHIPPED_AT = `CASE WHEN t.state = 'shipped'
                         THEN coalesce(shipments.shipped_at, shipments.unit_shipped_at, now()) END`;

/** The derived states of an order and of those of its shipments whose state changes. */
export interface OrderStates {
  order: LockedId;
  shipment_state: OrderShipmentState | null;
  shipments: readonly { id: number; state: Decided<ShipmentState> }[];
}

/**
 * Writes the derived states of several complete orders with their history and an event for each. Two statements for any number of
 * orders.
 */
export async function updateOrderStates(
  tx: Tx,
  states: readonly OrderStates[],
  history: readonly StateChange[],
): Promise<void> {
  if (states.length === 0) return;
  const shipments = states.flatMap(({ order, shipments: own }) =>
    own.map(({ id, state }) => ({ id, order_id: order.id, state })),
  );
  await tx.raw(
    `WITH recorded AS (?)
     UPDATE shipments SET state = t.state, shipped_at = ${SHIPPED_AT}
       FROM json_to_recordset(?::json) AS t(id integer, order_id integer, state text)
      WHERE shipments.id = t.id AND shipments.order_id = t.order_id`,
    [buildStateChangesInsert(tx, history), JSON.stringify(shipments)],
  );
  await tx.raw(
    `WITH updated AS (
       UPDATE orders SET shipment_state = t.shipment_state, updated_at = orders.updated_at
         FROM json_to_recordset(?::json) AS t(id integer, shipment_state text)
        WHERE orders.id = t.id
       RETURNING orders.id)
     SELECT note_order_event(id, 'order.updated', id) FROM updated ORDER BY id`,
    [JSON.stringify(states.map(({ order, shipment_state }) => ({ id: order.id, shipment_state })))],
  );
}
