import type { Tx } from '../../platform/database/transaction';
import type { LockedOrder } from '../order/order-lock';
import type { NewShipment } from './proposed-shipments.repository';

/** A rate to be offered for a shipment. Amounts are decimal strings. */
export type OfferedRate = NewShipment['rates'][number] & { shipment_id: number };

/**
 * Makes `rates` all that is offered for these shipments of the order, and the selected one their cost ("0.0" without rates). A
 * method that was offered before keeps its rate's id. Three statements.
 */
export async function replaceRates(
  tx: Tx,
  order: LockedOrder,
  shipmentIds: readonly number[],
  rates: readonly OfferedRate[],
): Promise<void> {
  const offered = JSON.stringify(rates);
  // First, as the selected rate may be among them: a shipment has one selected rate at most.
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
    `UPDATE shipments SET cost = coalesce(
        (SELECT cost FROM shipping_rates WHERE shipment_id = shipments.id AND selected), 0)
      WHERE order_id = ? AND id = ANY(?)`,
    [order.id, [...shipmentIds]],
  );
}
