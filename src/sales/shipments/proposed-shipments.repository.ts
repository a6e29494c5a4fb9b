import type { Tx } from '../../platform/database/transaction';
import { shipmentNumber } from '../../platform/numbers';
import type { FillState } from './stock-coordinator';

/** A shipment to be stored: what it holds by line, and how it may go. Amounts are decimal strings. */
export interface NewShipment {
  order_id: number;
  stock_location_id: number;
  /** Of the selected rate; "0.0" without rates. */
  cost: string;
  units: { line_item_id: number; variant_id: number; state: FillState; quantity: number }[];
  rates: { shipping_method_id: number; cost: string; display_cost: string; selected: boolean }[];
}

/**
 * Stores shipments with their units (one row each) and rates. Three statements for any number of them; one more when a
 * random number was taken already.
 * @returns their ids, in the order of `shipments`
 */
export async function insertShipments(
  tx: Tx,
  shipments: readonly NewShipment[],
  options: { pending: boolean },
): Promise<number[]> {
  if (shipments.length === 0) return [];
  const ids = await insertNumbered(tx, shipments);
  const units = shipments.flatMap((shipment, index) =>
    shipment.units.map((unit) => ({ ...unit, order_id: shipment.order_id, shipment_id: ids[index] })),
  );
  const rates = shipments.flatMap((shipment, index) =>
    shipment.rates.map((rate) => ({ ...rate, shipment_id: ids[index] })),
  );
  await insertUnits(tx, units, options);
  if (rates.length > 0) {
    await tx.raw(
      `INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected)
       SELECT shipment_id, shipping_method_id, cost, display_cost, selected
         FROM json_to_recordset(?::json) AS r(shipment_id integer, shipping_method_id integer, cost numeric,
              display_cost text, selected boolean)`,
      [JSON.stringify(rates)],
    );
  }
  return ids;
}

async function insertNumbered(tx: Tx, shipments: readonly NewShipment[]): Promise<number[]> {
  const ids: (number | undefined)[] = shipments.map(() => undefined);
  while (ids.includes(undefined)) {
    const wanted = shipments.flatMap((shipment, index) =>
      ids[index] === undefined ? [{ index, shipment, number: shipmentNumber() }] : [],
    );
    const stored = await tx('shipments')
      .insert(
        wanted.map(({ shipment, number }) => ({
          number,
          order_id: shipment.order_id,
          stock_location_id: shipment.stock_location_id,
          cost: shipment.cost,
        })),
      )
      .onConflict('number')
      .ignore()
      .returning<{ id: number; number: string }[]>(['id', 'number']);
    const idOf = new Map(stored.map((row) => [row.number, row.id]));
    for (const { index, number } of wanted) ids[index] = idOf.get(number);
  }
  return ids.filter((id) => id !== undefined);
}

/** Adds units to shipments, one row each, in one statement. `pending`: their order is not complete yet. */
export async function insertUnits(
  tx: Tx,
  units: readonly {
    order_id: number;
    line_item_id: number;
    variant_id: number;
    shipment_id: number | undefined;
    state: FillState;
    quantity: number;
  }[],
  { pending }: { pending: boolean },
): Promise<void> {
  if (units.length === 0) return;
  await tx.raw(
    `INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending)
     SELECT order_id, line_item_id, variant_id, shipment_id, state, ?
       FROM json_to_recordset(?::json) AS u(order_id integer, line_item_id integer, variant_id integer,
            shipment_id integer, state text, quantity integer)
      CROSS JOIN LATERAL generate_series(1, u.quantity)`,
    [pending, JSON.stringify(units)],
  );
}

/** Removes an order's shipments with their units, rates and adjustments. Expects the order locked. */
export async function deleteShipmentsOfOrder(tx: Tx, orderId: number): Promise<void> {
  await tx('shipments').where({ order_id: orderId }).delete();
}

/** Removes the shipments of an order that hold no unit any more. */
export async function deleteEmptyShipments(tx: Tx, orderId: number): Promise<void> {
  await tx.raw(
    `DELETE FROM shipments WHERE order_id = ?
        AND NOT EXISTS (SELECT 1 FROM inventory_units WHERE inventory_units.shipment_id = shipments.id)`,
    [orderId],
  );
}
