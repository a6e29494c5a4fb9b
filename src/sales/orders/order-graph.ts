import type { AddressGraph } from '../../geography/addresses/addresses.repository';
import type { Db } from '../../platform/database/knex';
import { NotFound } from '../../errors';
import type { InventoryUnitState } from '../inventory-units/inventory-unit.machine';
import type { PaymentState } from '../payments/payment.machine';
import type { ShipmentState } from '../shipments/shipment.machine';
import type { OrderRow } from './orders.repository';

export interface AdjustmentRow {
  id: number;
  order_id: number;
  line_item_id: number | null;
  shipment_id: number | null;
  source_type: string | null;
  source_id: number | null;
  amount: string;
  label: string;
  mandatory: boolean;
  included: boolean;
  eligible: boolean;
  closed: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface LineItemRow {
  id: number;
  order_id: number;
  variant_id: number;
  quantity: number;
  price: string;
  promo_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
  created_at: Date;
}

export interface CreditCardRow {
  id: number;
  user_id: number | null;
  payment_method_id: number;
  month: string;
  year: string;
  cc_type: string | null;
  last_digits: string;
  name: string;
  gateway_customer_profile_id: string | null;
  gateway_payment_profile_id: string | null;
  is_default: boolean;
}

export interface PaymentRow {
  id: number;
  number: string;
  order_id: number;
  payment_method_id: number;
  credit_card_id: number | null;
  amount: string;
  amount_is_explicit: boolean;
  state: PaymentState;
  response_code: string | null;
  avs_response: string | null;
  cvv_response_code: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A payment with its method's name, its card (null for checks) and the sum of its refunds. */
export interface PaymentGraph extends PaymentRow {
  payment_method_name: string;
  card: CreditCardRow | null;
  refunded: string;
  /** What counts in the order's totals: its state, or the one before while a gateway is being asked. */
  settled_state: PaymentState;
}

export interface ShippingRateRow {
  id: number;
  shipment_id: number;
  shipping_method_id: number;
  shipping_method_name: string;
  shipping_method_code: string | null;
  cost: string;
  display_cost: string;
  selected: boolean;
}

export interface ShipmentRow {
  id: number;
  number: string;
  order_id: number;
  stock_location_id: number;
  state: ShipmentState;
  cost: string;
  tracking: string | null;
  shipped_at: Date | null;
  promo_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
  created_at: Date;
}

/** How many units of a line a shipment holds in one state. */
export interface UnitCount {
  shipment_id: number;
  line_item_id: number | null;
  variant_id: number;
  state: InventoryUnitState;
  quantity: number;
}

/** A shipment with what lies in it (units by line and state) and its rates by cost. */
export interface ShipmentGraph extends ShipmentRow {
  stock_location_name: string;
  units: UnitCount[];
  rates: ShippingRateRow[];
}

/** An order with everything its detail form shows, save variants and shipping methods, which have loaders of their own. */
export interface OrderGraph extends OrderRow {
  bill_address: AddressGraph | null;
  ship_address: AddressGraph | null;
  line_items: LineItemRow[];
  /** Of the order, its lines and its shipments alike. */
  adjustments: AdjustmentRow[];
  payments: PaymentGraph[];
  shipments: ShipmentGraph[];
  /** Whether there is any tax rate; without one nobody need ask which apply. */
  shop_has_taxes: boolean;
  /** Whether there is any promotion that has not expired; without one nobody need ask which apply. */
  shop_has_promotions: boolean;
}

/** Addresses that the order is about to get, in place of those its row names. */
export type AddressIds = Partial<Pick<OrderRow, 'bill_address_id' | 'ship_address_id'>>;

/** An order that has no parts: a new one, or one whose parts are still to be loaded. */
export function partless(order: OrderRow): OrderGraph {
  return {
    ...order,
    ...{
      bill_address: null,
      ship_address: null,
      line_items: [],
      adjustments: [],
      payments: [],
      shipments: [],
    },
    shop_has_taxes: true,
    shop_has_promotions: true,
  };
}

/** Times inside a JSON aggregate come as text; these keys of ours hold times and nothing else. */
const TIMES = new Set(['created_at', 'updated_at', 'shipped_at']);

function reviveTimes<T>(rows: T[] | null): T[] {
  for (const row of rows ?? []) {
    const record = row as Record<string, unknown>; // a row of JSON is a record
    for (const key of TIMES) {
      const value = record[key];
      if (typeof value === 'string') record[key] = new Date(value);
    }
  }
  return rows ?? [];
}

const ADDRESS = (column: string): string => `(
  SELECT json_build_object(
    'id', a.id, 'firstname', a.firstname, 'lastname', a.lastname, 'address1', a.address1, 'address2', a.address2,
    'city', a.city, 'zipcode', a.zipcode, 'phone', a.phone, 'company', a.company,
    'alternative_phone', a.alternative_phone, 'country_id', a.country_id, 'state_id', a.state_id,
    'state_name', a.state_name, 'country', row_to_json(c), 'state', row_to_json(s))
  FROM addresses a JOIN countries c ON c.id = a.country_id LEFT JOIN states s ON s.id = a.state_id
  WHERE a.id = coalesce(?::integer, o.${column}))`;

/** One aggregate of the rows of a subquery, in its order; amounts must be cast to text in it, JSON numbers are floats. */
const ROWS = (name: string, select: string): string => `(SELECT json_agg(r) FROM (${select}) r) AS ${name}`;

const PARTS = [
  `${ADDRESS('bill_address_id')} AS bill_address`,
  `${ADDRESS('ship_address_id')} AS ship_address`,
  ROWS(
    'line_items',
    `SELECT id, order_id, variant_id, quantity, price::text, promo_total::text, adjustment_total::text,
            included_tax_total::text, additional_tax_total::text, created_at
       FROM line_items WHERE order_id = o.id ORDER BY created_at, id`,
  ),
  ROWS(
    'adjustments',
    `SELECT id, order_id, line_item_id, shipment_id, source_type, source_id, amount::text, label, mandatory, included,
            eligible, closed, created_at, updated_at
       FROM adjustments WHERE order_id = o.id ORDER BY created_at, id`,
  ),
  ROWS(
    'payments',
    `SELECT p.id, p.number, p.order_id, p.payment_method_id, p.credit_card_id, p.amount::text, p.amount_is_explicit,
            p.state, p.response_code, p.avs_response, p.cvv_response_code, p.created_at, p.updated_at,
            m.name AS payment_method_name,
            coalesce((SELECT state_before FROM payment_operations
                       WHERE payment_id = p.id AND payment_operations.state = 'started'), p.state) AS settled_state,
            (SELECT row_to_json(card) FROM (
               SELECT id, user_id, payment_method_id, month, year, cc_type, last_digits, name,
                      gateway_customer_profile_id, gateway_payment_profile_id, is_default
                 FROM credit_cards WHERE credit_cards.id = p.credit_card_id) card) AS card,
            (SELECT coalesce(sum(amount), 0)::text FROM refunds WHERE refunds.payment_id = p.id) AS refunded
       FROM payments p JOIN payment_methods m ON m.id = p.payment_method_id
      WHERE p.order_id = o.id ORDER BY p.created_at, p.id`,
  ),
  ROWS(
    'shipments',
    `SELECT s.id, s.number, s.order_id, s.stock_location_id, s.state, s.cost::text, s.tracking, s.shipped_at,
            s.promo_total::text, s.adjustment_total::text, s.included_tax_total::text, s.additional_tax_total::text,
            s.created_at, l.name AS stock_location_name
       FROM shipments s JOIN stock_locations l ON l.id = s.stock_location_id
      WHERE s.order_id = o.id ORDER BY s.id`,
  ),
  ROWS(
    'units',
    `SELECT shipment_id, line_item_id, variant_id, state, count(*)::integer AS quantity
       FROM inventory_units WHERE order_id = o.id
      GROUP BY shipment_id, line_item_id, variant_id, state ORDER BY min(id)`,
  ),
  ROWS(
    'rates',
    `SELECT r.id, r.shipment_id, r.shipping_method_id, m.name AS shipping_method_name, m.code AS shipping_method_code,
            r.cost::text, r.display_cost, r.selected
       FROM shipments s JOIN shipping_rates r ON r.shipment_id = s.id
       JOIN shipping_methods m ON m.id = r.shipping_method_id
      WHERE s.order_id = o.id ORDER BY r.cost, r.id`,
  ),
  `EXISTS (SELECT 1 FROM tax_rates WHERE deleted_at IS NULL) AS shop_has_taxes`,
  `EXISTS (SELECT 1 FROM promotions WHERE coalesce(expires_at, 'infinity') > now()) AS shop_has_promotions`,
];

interface LoadedOrder extends OrderRow {
  shop_has_taxes: boolean;
  shop_has_promotions: boolean;
  bill_address: AddressGraph | null;
  ship_address: AddressGraph | null;
  line_items: LineItemRow[] | null;
  adjustments: AdjustmentRow[] | null;
  payments: PaymentGraph[] | null;
  shipments: (ShipmentRow & { stock_location_name: string })[] | null;
  units: UnitCount[] | null;
  rates: ShippingRateRow[] | null;
}

/**
 * Orders with all their parts, in the order of `ids`; unknown ids are left out. One statement, however many orders.
 * Under the order's lock it is what the order updater calculates from.
 */
export async function loadOrderGraphs(
  db: Db,
  ids: readonly number[],
  addresses: AddressIds = {},
): Promise<OrderGraph[]> {
  if (ids.length === 0) return [];
  const { bill_address_id = null, ship_address_id = null } = addresses;
  const loaded = await db.raw<{ rows: LoadedOrder[] }>(
    `SELECT o.*, ${PARTS.join(', ')} FROM orders o WHERE o.id = ANY(?::integer[])`,
    [bill_address_id, ship_address_id, [...ids]],
  );
  const byId = new Map(loaded.rows.map((row) => [row.id, toGraph(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** @throws NotFound */
export async function loadOrderGraph(db: Db, id: number, addresses: AddressIds = {}): Promise<OrderGraph> {
  const [graph] = await loadOrderGraphs(db, [id], addresses);
  if (graph === undefined) throw new NotFound();
  return graph;
}

function toGraph(loaded: LoadedOrder): OrderGraph {
  const { units, rates, shipments, ...order } = loaded;
  return {
    ...order,
    line_items: reviveTimes(order.line_items),
    adjustments: reviveTimes(order.adjustments),
    payments: reviveTimes(order.payments),
    shipments: reviveTimes(shipments).map((shipment) => ({
      ...shipment,
      units: (units ?? []).filter((unit) => unit.shipment_id === shipment.id),
      rates: (rates ?? []).filter((rate) => rate.shipment_id === shipment.id),
    })),
  };
}
