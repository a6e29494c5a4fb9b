import { mergeUnits } from './counted-units';
import { newId } from '../order/new-id';
import { compareDecimals } from '../../platform/money';
import { describeAddition, type OrderGraph, type ShipmentGraph, type UnitCount } from '../order/order-graph';
import { generateShipmentNumber } from '../order/numbers';
import type { OrderDraft } from '../order-updater/order-draft';
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

/** Builds a shipment that is not stored yet. The cost of a shipment of a complete order is fixed. */
export function buildShipment(order: OrderGraph, shipment: NewShipment): ShipmentGraph {
  const { stock_location_id, stock_location_name = '', cost, units, rates } = shipment;
  const id = newId();
  return {
    id,
    number: generateShipmentNumber(),
    order_id: order.id,
    stock_location_id,
    stock_location_name,
    state: 'pending',
    cost,
    fixed_cost: order.completed_at === null ? null : cost,
    tracking: null,
    tracking_url: null,
    shipped_at: null,
    unit_shipped_at: null,
    is_imported: false,
    promo_total: '0.00',
    adjustment_total: '0.00',
    included_tax_total: '0.00',
    additional_tax_total: '0.00',
    updated_at: order.transaction_time,
    ...describeAddition(order),
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
}

/** Builds a shipment without units and rates; its cost is 0. */
export function buildEmptyShipment(order: OrderGraph, location: { id: number; name: string }): ShipmentGraph {
  const place = { stock_location_id: location.id, stock_location_name: location.name };
  return buildShipment(order, { ...place, cost: '0.0', units: [], rates: [] });
}

/** Adds a shipment to a draft. */
export function addShipment(draft: OrderDraft, shipment: ShipmentGraph): OrderDraft {
  return { ...draft, order: { ...draft.order, shipments: [...draft.order.shipments, shipment] } };
}
