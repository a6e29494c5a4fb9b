import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { NewShipment } from './proposed-shipments.repository';

/** A rate to offer for a shipment. Amounts are decimal strings. */
export type OfferedRate = NewShipment['rates'][number] & { shipment_id: number };

/**
 * Replaces the rates of these shipments and sets their cost, unless it is fixed, to that of the selected rate, 0
 * without rates. A method that was offered before keeps the id of its rate. Three statements.
 */
export async function replaceRates(
  tx: Tx,
  order: LockedOrder,
  shipmentIds: readonly number[],
  rates: readonly OfferedRate[],
): Promise<void> {
  const offered = JSON.stringify(rates);
  // Deleted first: the selected rate may be among them, and a shipment has at most one selected rate.
  await tx.raw(
    `DELETE FROM shipping_rates WHERE shipment_id = ANY(?)
        AND (shipment_id, shipping_method_id) NOT IN (
          SELECT shipment_id, shipping_method_id
            FROM json_to_recordset(?::json) AS r(shipment_id integer, shipping_method_id integer))`,
    [[...shipmentIds], offered],
  );
  await tx.raw(
    `INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected)
     SELECT shipment_id, shipping_method_id, cost, display_cost, selected
       FROM json_to_recordset(?::json) AS r(shipment_id integer, shipping_method_id integer, cost numeric,
            display_cost text, selected boolean)
     ON CONFLICT ON CONSTRAINT shipping_rates_method_unique
     DO UPDATE SET cost = EXCLUDED.cost, display_cost = EXCLUDED.display_cost, selected = EXCLUDED.selected`,
    [offered],
  );
  await tx.raw(
    `UPDATE shipments SET cost = coalesce(fixed_cost,
        (SELECT cost FROM shipping_rates WHERE shipment_id = shipments.id AND selected), 0)
      WHERE order_id = ? AND id = ANY(?)`,
    [order.id, [...shipmentIds]],
  );
}
