import { mergeUnits } from './counted-units';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { newId } from '../order/new-id';
import { compareDecimals } from '../../platform/money';
import type { OrderGraph, ShipmentGraph, UnitCount } from '../order/order-graph';
import { expectFew } from '../order/json-rows-sql';
import { selectRates, SHIPMENT_COLUMNS } from '../order/order-graph-sql';
import type { LockedOrder } from '../order/order-lock';
import { generateShipmentNumber } from '../order/numbers';
import type { FillState } from './stock-coordinator';

/** A shipment to insert, with its units by line item and its rates. Amounts are decimal strings. */
export interface NewShipment {
  stock_location_id: number;
  stock_location_name?: string;
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
  rates: {
    shipping_method_id: number;
    shipping_method_name?: string;
    shipping_method_code?: string | null;
    cost: string;
    display_cost: string;
    selected: boolean;
  }[];
}

const INSERT_SHIPMENTS = {
  name: 'insert_shipments',
  sql: `
  WITH inserted AS (
    INSERT INTO shipments (number, order_id, stock_location_id, cost, fixed_cost)
    SELECT number, ?, stock_location_id, cost, CASE WHEN ? THEN cost END
      FROM json_to_recordset(?::json) AS s(place integer, number text, stock_location_id integer, cost numeric)
     WHERE ${expectFew('place')} ORDER BY place
    ON CONFLICT (number) DO NOTHING
    RETURNING *),
  filled AS (
    INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending, counted)
    SELECT inserted.order_id, u.line_item_id, u.variant_id, inserted.id, u.state, ?, coalesce(u.counted, true)
      FROM inserted
     CROSS JOIN LATERAL json_to_recordset(?::json -> inserted.number)
           AS u(line_item_id integer, variant_id integer, state text, quantity integer, counted boolean)
     CROSS JOIN LATERAL generate_series(1, u.quantity) AS unit(place)
     WHERE ${expectFew('u.quantity')} AND ${expectFew('unit.place')}),
  rated AS (
    INSERT INTO shipping_rates (shipment_id, shipping_method_id, cost, display_cost, selected)
    SELECT inserted.id, r.shipping_method_id, r.cost, r.display_cost, r.selected
      FROM inserted
     CROSS JOIN LATERAL json_to_recordset(?::json -> inserted.number)
           AS r(shipping_method_id integer, cost numeric, display_cost text, selected boolean)
     WHERE ${expectFew('r.shipping_method_id')}
    RETURNING *)
  SELECT ${SHIPMENT_COLUMNS},
         ${selectRates('rated r JOIN shipping_methods m ON m.id = r.shipping_method_id WHERE r.shipment_id = s.id')} AS rates
    FROM inserted s JOIN orders o ON o.id = s.order_id JOIN stock_locations l ON l.id = s.stock_location_id`,
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
    const rows = await queryPrepared<Omit<ShipmentGraph, 'units'>>(tx, INSERT_SHIPMENTS, [
      order.id,
      order.completed_at !== null,
      JSON.stringify(wanted.map(({ units: _units, rates: _rates, ...shipment }) => shipment)),
      order.completed_at === null,
      JSON.stringify(Object.fromEntries(wanted.map(({ number, units }) => [number, units]))),
      JSON.stringify(Object.fromEntries(wanted.map(({ number, rates }) => [number, rates]))),
    ]);
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    for (const { place, number, units } of wanted) {
      const row = byNumber.get(number);
      if (row !== undefined) stored.set(place, { units: countUnits(row.id, units), ...row });
    }
  }
  return shipments.flatMap((_shipment, place) => stored.get(place) ?? []);
}

/** Counts units as the graph of the order does. */
function countUnits(shipment_id: number, units: NewShipment['units']): UnitCount[] {
  return mergeUnits(
    units.map(({ line_item_id, variant_id, state, quantity, counted = true }) => ({
      shipment_id,
      line_item_id,
      variant_id,
      state,
      quantity,
      counted_quantity: counted ? quantity : 0,
    })),
  );
}

/** Builds proposed shipments that are not stored yet. */
export function buildShipments(order: OrderGraph, shipments: readonly NewShipment[]): ShipmentGraph[] {
  return shipments.map(({ stock_location_id, stock_location_name = '', cost, units, rates }) => {
    const id = newId();
    return {
      id,
      number: generateShipmentNumber(),
      order_id: order.id,
      stock_location_id,
      stock_location_name,
      state: 'pending',
      cost,
      fixed_cost: null,
      tracking: null,
      tracking_url: null,
      shipped_at: null,
      unit_shipped_at: null,
      is_imported: false,
      promo_total: '0.00',
      adjustment_total: '0.00',
      included_tax_total: '0.00',
      additional_tax_total: '0.00',
      created_at: order.transaction_time,
      updated_at: order.transaction_time,
      is_added: false,
      units: countUnits(id, units),
      rates: rates
        .map((rate) => ({
          shipping_method_name: '',
          shipping_method_code: null,
          method_is_deleted: false,
          ...rate,
          id: newId(),
          shipment_id: id,
        }))
        .sort((one, other) => compareDecimals(one.cost, other.cost)),
    };
  });
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

/** Deletes the shipments of an order that have no units. Canceled ones stay listed. */
export async function deleteEmptyShipments(tx: Tx, order: LockedOrder): Promise<void> {
  await tx.raw(
    `DELETE FROM shipments WHERE order_id = ? AND state <> 'canceled'
        AND NOT EXISTS (SELECT 1 FROM inventory_units WHERE inventory_units.shipment_id = shipments.id)`,
    [order.id],
  );
}
