import type { LockedOrder } from '../order/order-lock';
import type { Tx } from '../../platform/database/transaction';
import type { Decided } from '../../platform/perform';
import type { LockedId } from '../../platform/database/locked';
import type { ShipmentRow } from '../order/order-graph';
import type { OrderShipmentState } from '../order/order-totals';
import type { ShipmentState } from '../order/shipment.machine';
import { buildStateChangesInsert, type StateChange } from '../order/state-changes.repository';

/** Derived columns of a line item. Amounts are decimal strings. */
export interface LineItemTotalsRow {
  id: number;
  promo_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
}

/** Derived columns of a shipment. */
export interface ShipmentTotalsRow extends LineItemTotalsRow {
  state: Decided<ShipmentState>;
}

/** Updates the totals of line items of the order in one statement. */
export async function updateLineItemTotals(
  tx: Tx,
  order: LockedOrder,
  rows: readonly LineItemTotalsRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.raw(
    `UPDATE line_items SET promo_total = t.promo_total, adjustment_total = t.adjustment_total,
            included_tax_total = t.included_tax_total, additional_tax_total = t.additional_tax_total
       FROM json_to_recordset(?::json) AS t(id integer, promo_total numeric, adjustment_total numeric,
            included_tax_total numeric, additional_tax_total numeric)
      WHERE line_items.id = t.id AND line_items.order_id = ?`,
    [JSON.stringify(rows), order.id],
  );
}

/** What a changed state of a shipment sets besides. */
export type WrittenShipment = Pick<ShipmentRow, 'updated_at' | 'shipped_at'>;

/** A shipment that has shipped because units were taken off it left with its last unit. */
const SHIPPED_AT = `CASE WHEN t.state = 'shipped'
                         THEN coalesce(shipments.shipped_at, shipments.unit_shipped_at, now()) END`;

/**
 * Updates the totals and derived states of shipments of the order in one statement.
 * @returns the new values of their times, by id
 */
export async function updateShipmentTotals(
  tx: Tx,
  order: LockedOrder,
  rows: readonly ShipmentTotalsRow[],
): Promise<Map<number, WrittenShipment>> {
  if (rows.length === 0) return new Map();
  const written = await tx.raw<{ rows: ({ id: number } & WrittenShipment)[] }>(
    `UPDATE shipments SET state = t.state, shipped_at = ${SHIPPED_AT}, promo_total = t.promo_total, adjustment_total = t.adjustment_total,
            included_tax_total = t.included_tax_total, additional_tax_total = t.additional_tax_total
       FROM json_to_recordset(?::json) AS t(id integer, state text, promo_total numeric, adjustment_total numeric,
            included_tax_total numeric, additional_tax_total numeric)
      WHERE shipments.id = t.id AND shipments.order_id = ?
      RETURNING shipments.id, shipments.updated_at, shipments.shipped_at`,
    [JSON.stringify(rows), order.id],
  );
  return new Map(written.rows.map(({ id, ...times }) => [id, times]));
}

/** The derived states of an order and of those of its shipments whose state changes. */
export interface OrderStates {
  order: LockedId;
  shipment_state: OrderShipmentState | null;
  shipments: readonly { id: number; state: Decided<ShipmentState> }[];
}

/** Writes the derived states of several orders with their history. Two statements for any number of orders. */
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
    `UPDATE orders SET shipment_state = t.shipment_state, updated_at = now()
       FROM json_to_recordset(?::json) AS t(id integer, shipment_state text)
      WHERE orders.id = t.id`,
    [JSON.stringify(states.map(({ order, shipment_state }) => ({ id: order.id, shipment_state })))],
  );
}
