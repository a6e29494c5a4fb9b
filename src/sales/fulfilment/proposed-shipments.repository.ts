import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { buildShipments, type LoadedShipments, type ShipmentGraph } from '../order/order-graph';
import { selectShipmentParts } from '../order/order-graph-sql';
import type { LockedOrder } from '../order/order-lock';
import { generateShipmentNumber } from '../order/numbers';
import type { FillState } from './stock-coordinator';

/** A shipment to insert, with its units by line item and its rates. Amounts are decimal strings. */
export interface NewShipment {
  stock_location_id: number;
  /** The cost of the selected rate; "0.0" without rates. */
  cost: string;
  /** `counted` is stored on the units; true by default. */
  units: {
    line_item_id: number;
    variant_id: number;
    state: FillState;
    quantity: number;
    counted?: boolean;
  }[];
  rates: { shipping_method_id: number; cost: string; display_cost: string; selected: boolean }[];
}

const INSERT_SHIPMENTS = {
  name: 'insert_shipments',
  sql: `
  WITH wanted AS (
    SELECT * FROM json_to_recordset(?::json) AS s(
      place integer, number text, stock_location_id integer, cost numeric, units json, rates json)),
  inserted AS (
    INSERT INTO shipments (number, order_id, stock_location_id, cost, fixed_cost)
    SELECT number, ?, stock_location_id, cost, CASE WHEN ? THEN cost END FROM wanted ORDER BY place
    ON CONFLICT (number) DO NOTHING
    RETURNING *),
  placed AS (SELECT inserted.id AS shipment_id, inserted.order_id, wanted.* FROM inserted JOIN wanted USING (number)),
  filled AS (
    INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending, counted)
    SELECT placed.order_id, u.line_item_id, u.variant_id, placed.shipment_id, u.state, ?, coalesce(u.counted, true)
      FROM placed
     CROSS JOIN LATERAL ROWS FROM (json_to_recordset(placed.units)
                AS (line_item_id integer, variant_id integer, state text, quantity integer, counted boolean))
           WITH ORDINALITY AS u (line_item_id, variant_id, state, quantity, counted, rank)
     CROSS JOIN LATERAL generate_series(1, u.quantity)
     ORDER BY placed.place, u.rank
    RETURNING *),
  rated AS (
    INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected)
    SELECT placed.shipment_id, r.shipping_method_id, r.cost, r.display_cost, r.selected
      FROM placed
     CROSS JOIN LATERAL json_to_recordset(placed.rates)
           AS r(shipping_method_id integer, cost numeric, display_cost text, selected boolean)
    RETURNING *)
  SELECT ${selectShipmentParts({ shipments: 'inserted', units: 'filled', rates: 'rated' }).join(', ')}
    FROM orders o WHERE o.id = ?`,
};

/**
 * Inserts shipments of the order with their units (one row each) and rates. Units of an incomplete order are pending;
 * the cost of a shipment of a complete order is fixed. One statement for any number of them; one more if a random
 * number is already taken.
 * @returns the stored shipments, in the order of `shipments`
 */
export async function insertShipments(
  tx: Tx,
  order: LockedOrder,
  shipments: readonly NewShipment[],
): Promise<ShipmentGraph[]> {
  const stored = new Map<number, ShipmentGraph>();
  while (stored.size < shipments.length) {
    const wanted = shipments.flatMap((shipment, place) =>
      stored.has(place) ? [] : [{ ...shipment, place, number: generateShipmentNumber() }],
    );
    const rows = await queryPrepared<LoadedShipments>(tx, INSERT_SHIPMENTS, [
      JSON.stringify(wanted),
      order.id,
      order.completed_at !== null,
      order.completed_at === null,
      order.id,
    ]);
    const byNumber = new Map(rows.flatMap(buildShipments).map((row) => [row.number, row]));
    for (const { place, number } of wanted) {
      const row = byNumber.get(number);
      if (row !== undefined) stored.set(place, row);
    }
  }
  return shipments.flatMap((_shipment, place) => stored.get(place) ?? []);
}

/** Inserts a shipment without units and rates; its cost is 0. @returns its id */
export async function insertEmptyShipment(
  tx: Tx,
  order: LockedOrder,
  stock_location_id: number,
): Promise<number> {
  const empty = { stock_location_id, cost: '0.0', units: [], rates: [] };
  const [shipment] = await insertShipments(tx, order, [empty]);
  if (shipment === undefined) throw new Error('insert returned no row');
  return shipment.id;
}

/** Inserts units of the order, one row each, in one statement. Units of an incomplete order are pending. */
export async function insertUnits(
  tx: Tx,
  order: LockedOrder,
  units: readonly {
    line_item_id: number;
    variant_id: number;
    shipment_id: number | undefined;
    state: FillState;
    quantity: number;
    counted: boolean;
  }[],
): Promise<void> {
  if (units.length === 0) return;
  await tx.raw(
    `INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending, counted)
     SELECT ?, line_item_id, variant_id, shipment_id, state, ?, counted
       FROM json_to_recordset(?::json) AS u(line_item_id integer, variant_id integer,
            shipment_id integer, state text, quantity integer, counted boolean)
      CROSS JOIN LATERAL generate_series(1, u.quantity)`,
    [order.id, order.completed_at === null, JSON.stringify(units)],
  );
}

/** Deletes the shipments of an order with their units, rates and adjustments. */
export async function deleteShipmentsOfOrder(tx: Tx, order: LockedOrder): Promise<void> {
  await tx('shipments').where({ order_id: order.id }).delete();
}

/** Deletes the shipments of an order that have no units. Canceled ones stay listed. */
export async function deleteEmptyShipments(tx: Tx, order: LockedOrder): Promise<void> {
  await tx.raw(
    `DELETE FROM shipments WHERE order_id = ? AND state <> 'canceled'
        AND NOT EXISTS (SELECT 1 FROM inventory_units WHERE inventory_units.shipment_id = shipments.id)`,
    [order.id],
  );
}
