import { buildUnstock, isCountedAt, type PlacedChange } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from '../../inventory/stock-place';
import { groupBy } from '../../platform/group-by';
import type { BoundStatement } from '../../platform/database/prepared';
import { sumQuantities } from '../../platform/quantities';
import type { OrderGraph, ShipmentGraph, UnitCount } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { UnitMove, UnitUpdate } from '../order/unit-moves.repository';
import { isCountedAsStored, mergeUnits } from './counted-units';
import type { FulfilmentFacts } from './fulfilment-facts';
import type { InventoryUnitRow } from './inventory-units.repository';
import type { Shortfall } from './line-shortages';
import type { OrderedVariant } from './ordered-variants.repository';
import { listStockChanges } from './sold-units';
import { planRefill, type FillState, type RefillPlan } from './stock-coordinator';
import { refillUnits } from './unit-states';

/** How the units of an order that completes or is resumed are filled from the locked stock items. */
export interface StockPlan {
  locked: readonly LockedStockItem[];
  shortages: RefillPlan['shortages'];
  /** The units to unstock, by shipment. Variants without inventory tracking are recorded but not counted. */
  sold: readonly PlacedChange[];
  /** The units and how they are filled; empty if their rows stay as they are. */
  units: readonly PlannedUnit[];
}

interface PlannedUnit {
  before: InventoryUnitRow;
  /** Null if the stock is short. */
  fill: FillState | null;
}

/** Locks the stock items of an order and plans the state of every unit from their counts. */
export function planStock(
  facts: FulfilmentFacts,
  order: LockedOrderGraph,
  variants: ReadonlyMap<number, OrderedVariant>,
): StockPlan {
  const planned = listStockChanges(order);
  const locked = facts.lockedStock(
    planned.map(({ stock_location_id, variant_id }) => ({ stock_location_id, variant_id })),
  );
  const places = new Set(locked.map(buildPlaceKey));
  const sold = planned.filter((change) => places.has(buildPlaceKey(change)));
  // Units of one group are alike, so their rows are needed only to change some of them.
  const { shortages, units } = planUnits(listUnits(order), { order, variants, locked });
  const isStored = isCountedAsStored(order, isCountedAt(locked));
  if (shortages.length > 0 || (isStored && units.every(({ before, fill }) => before.state === fill))) {
    return { locked, shortages, sold, units: [] };
  }
  const rows = facts.unitsOfOrder(order.id);
  return { locked, shortages, sold, units: planUnits(rows, { order, variants, locked }).units };
}

type PlaceableUnit = Pick<InventoryUnitRow, 'id' | 'shipment_id' | 'variant_id' | 'state'>;

/** Lists the units of an order one by one. Their ids are positions in the list, not those of rows. */
function listUnits({ shipments }: OrderGraph): PlaceableUnit[] {
  return shipments
    .flatMap(({ units }) => units)
    .flatMap((group) => Array.from({ length: group.quantity }, () => group))
    .map(({ shipment_id, variant_id, state }, id) => ({ id, shipment_id, variant_id, state }));
}

function planUnits<Unit extends PlaceableUnit>(
  units: readonly Unit[],
  {
    order,
    variants,
    locked,
  }: {
    order: OrderGraph;
    variants: ReadonlyMap<number, OrderedVariant>;
    locked: readonly LockedStockItem[];
  },
): { shortages: StockPlan['shortages']; units: { before: Unit; fill: FillState | null }[] } {
  const locationOf = new Map(order.shipments.map((shipment) => [shipment.id, shipment.stock_location_id]));
  const proposed = units.map((unit) => ({
    id: unit.id,
    variant_id: unit.variant_id,
    stock_location_id: locationOf.get(unit.shipment_id) ?? 0,
    tracks_inventory: variants.get(unit.variant_id)?.tracks_inventory ?? true,
    state: readFillState(unit),
  }));
  // A location that was closed after the delivery step ships nothing.
  const open = locked.filter((item) => item.is_at_active_location);
  const plan = planRefill(proposed, open);
  const fills = new Map(plan.units.map((unit) => [unit.id, unit.state]));
  return {
    shortages: plan.shortages,
    units: units.map((before) => ({ before, fill: fills.get(before.id) ?? null })),
  };
}

function readFillState(unit: Pick<InventoryUnitRow, 'state'>): FillState {
  return unit.state === 'backordered' ? 'backordered' : 'on_hand';
}

/**
 * Sums missing units by line item, and returns how many units are available; an order has one line item of each
 * variant.
 */
export function listShortfalls(
  order: Pick<OrderGraph, 'line_items'>,
  missing: readonly { variant_id: number; quantity: number }[],
): Shortfall[] {
  return order.line_items.flatMap(({ variant_id, quantity }) => {
    const own = missing.filter((units) => units.variant_id === variant_id);
    const lacking = sumQuantities(own);
    return lacking === 0 ? [] : [{ variant_id, available: Math.max(0, quantity - lacking) }];
  });
}

/** What a plan changes of an order and its stock. */
export interface TakenStock {
  /** The shipments with their units; the same array if no unit changes. */
  shipments: ShipmentGraph[];
  units: UnitMove[];
  stock: BoundStatement[];
}

/**
 * Moves the units of an order to the states of a plan, and unstocks them. The plan must have no shortages.
 * @throws InvalidResource `count_on_hand` if an item has too few units
 */
export function takeStock(order: LockedOrderGraph, plan: StockPlan, user_id: number | null): TakenStock {
  const { units } = plan;
  const isCounted = isCountedAt(plan.locked);
  const changed = listChangedUnits(order, units, isCounted);
  return {
    shipments: units.length === 0 ? order.shipments : fillShipments(order.shipments, units, isCounted),
    units: changed.length === 0 ? [] : [{ changed }],
    stock: buildUnstock(plan.locked, plan.sold, user_id),
  };
}

function listChangedUnits(
  order: OrderGraph,
  units: readonly PlannedUnit[],
  isCounted: (place: StockPlace) => boolean,
): UnitUpdate[] {
  const filled = units.flatMap(({ before: { id, state }, fill }) =>
    fill === null ? [] : [{ id, state, fill }],
  );
  const stateOf = new Map(refillUnits(filled).map(({ id, state }) => [id, state]));
  const locationOf = new Map(order.shipments.map((shipment) => [shipment.id, shipment.stock_location_id]));
  return units.flatMap(({ before: { id, shipment_id, variant_id, counted: before } }) => {
    const stock_location_id = locationOf.get(shipment_id);
    const counted = stock_location_id === undefined ? before : isCounted({ stock_location_id, variant_id });
    const state = stateOf.get(id) ?? null;
    return state === null && counted === before ? [] : [{ id, state, shipment_id: null, counted }];
  });
}

function fillShipments(
  shipments: readonly ShipmentGraph[],
  units: readonly PlannedUnit[],
  isCounted: (place: StockPlace) => boolean,
): ShipmentGraph[] {
  const planned = groupBy(units, ({ before }) => before.shipment_id);
  return shipments.map((shipment) => {
    const own = (planned.get(shipment.id) ?? []).map(({ before, fill }): UnitCount => {
      const { shipment_id, line_item_id, variant_id } = before;
      const { stock_location_id } = shipment;
      const counted_quantity = isCounted({ stock_location_id, variant_id }) ? 1 : 0;
      const state = fill ?? before.state;
      return { shipment_id, line_item_id, variant_id, state, quantity: 1, counted_quantity };
    });
    return { ...shipment, units: mergeUnits(own) };
  });
}
