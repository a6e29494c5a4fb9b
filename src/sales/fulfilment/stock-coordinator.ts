import { sumQuantities } from '../../platform/quantities';
import { buildPlaceKey } from '../../inventory/stock-place';
import type { InventoryUnitState } from '../order/inventory-unit.machine';

/** The units that an order needs for one line item. */
export interface DesiredItem {
  line_item_id: number;
  variant_id: number;
  quantity: number;
  shipping_category_id: number;
  tracks_inventory: boolean;
}

/** A stock item. A count below zero means backordered units; nothing is then available. */
export interface StockCount {
  stock_location_id: number;
  variant_id: number;
  count_on_hand: number;
  backorderable: boolean;
}

/** An active location that is not deleted. */
export interface LocationFacts {
  id: number;
  name: string;
  is_default: boolean;
}

export type FillState = Extract<InventoryUnitState, 'on_hand' | 'backordered'>;

/** A future shipment of one location, one shipping category and one fill state. Quantities are at least 1. */
export interface Package {
  stock_location_id: number;
  shipping_category_id: number;
  state: FillState;
  contents: { line_item_id: number; variant_id: number; quantity: number }[];
}

/** Units that no location can supply. */
export interface Shortage {
  line_item_id: number;
  variant_id: number;
  quantity: number;
}

export interface PackingPlan {
  packages: Package[];
  shortages: Shortage[];
}

/**
 * Decides which location ships which units. Each unit ships from the first location that has it on hand:
 * the default location first, the others by name. Units that no location has on hand are backordered at the first
 * location that allows it. Line items of the same variant share its stock. Untracked variants are on hand at the first
 * location that has a stock item of any variant of the order. Packages are ordered by location, then by line item, on
 * hand before backordered. Deterministic.
 */
export function packOrder(
  items: readonly DesiredItem[],
  stock: readonly StockCount[],
  locations: readonly LocationFacts[],
): PackingPlan {
  const ordered = sortLocations(locations);
  const stockByPlace = new Map(stock.map((count) => [buildPlaceKey(count), { ...count }]));
  const untrackedLocation = findUntrackedLocation(items, ordered, stockByPlace);
  const pieces: Piece[] = [];
  const shortages: Shortage[] = [];
  for (const item of items) {
    const own = item.tracks_inventory
      ? fillTracked(item, ordered, stockByPlace)
      : fillUntracked(item, untrackedLocation);
    pieces.push(...own);
    const missing = item.quantity - sumQuantities(own);
    if (missing > 0) {
      shortages.push({ line_item_id: item.line_item_id, variant_id: item.variant_id, quantity: missing });
    }
  }
  return { packages: buildPackages(pieces, ordered), shortages };
}

/** Calculates how many of `quantity` units one stock item fills. Without an item all are missing. */
export function calculateFill(
  stockItem: Pick<StockCount, 'count_on_hand' | 'backorderable'> | null,
  quantity: number,
): { on_hand: number; backordered: number; missing: number } {
  const on_hand = Math.min(quantity, Math.max(0, stockItem?.count_on_hand ?? 0));
  const backordered = stockItem?.backorderable ? quantity - on_hand : 0;
  return { on_hand, backordered, missing: quantity - on_hand - backordered };
}

/** An inventory unit of an order about to complete, at the location of its shipment. */
export interface ProposedUnit {
  id: number;
  variant_id: number;
  stock_location_id: number;
  tracks_inventory: boolean;
  state: FillState;
}

export interface RefillPlan {
  /** The state of every unit that can be supplied. */
  units: { id: number; state: FillState }[];
  /** The quantity to unstock from each stock item, on hand and backordered. Omits untracked variants. */
  taken: { stock_location_id: number; variant_id: number; quantity: number }[];
  /** Units that their location cannot supply, even if another one could. The order then cannot complete. */
  shortages: { stock_location_id: number; variant_id: number; quantity: number }[];
}

/**
 * Decides the states of an order's units by the counts locked at completion. If units are scarce, those
 * that were on hand at the delivery step are filled first. All units of a stock item are counted together, across line
 * items and shipments, so that two line items cannot take the same stock. `stock` holds the locked items; a place
 * without one has no stock.
 */
export function planRefill(units: readonly ProposedUnit[], stock: readonly StockCount[]): RefillPlan {
  const stockByPlace = new Map(stock.map((count) => [buildPlaceKey(count), count]));
  const plan: RefillPlan = { units: [], taken: [], shortages: [] };
  for (const unit of units.filter(({ tracks_inventory }) => !tracks_inventory)) {
    plan.units.push({ id: unit.id, state: 'on_hand' });
  }
  const wanted = new Map<string, [ProposedUnit, ...ProposedUnit[]]>();
  for (const unit of units.filter(({ tracks_inventory }) => tracks_inventory)) {
    const others = wanted.get(buildPlaceKey(unit));
    if (others) others.push(unit);
    else wanted.set(buildPlaceKey(unit), [unit]);
  }
  for (const [place, group] of wanted) refillGroup(plan, group, stockByPlace.get(place) ?? null);
  return plan;
}

/** Adds the units of one stock item to the plan. Units that are on hand so far are filled first. */
function refillGroup(
  plan: RefillPlan,
  group: [ProposedUnit, ...ProposedUnit[]],
  stockItem: StockCount | null,
): void {
  const [{ stock_location_id, variant_id }] = group;
  const { on_hand, missing } = calculateFill(stockItem, group.length);
  const filled = group.length - missing;
  const isBackordered = (unit: ProposedUnit): number => Number(unit.state === 'backordered');
  const byPreference = group.toSorted((one, other) => isBackordered(one) - isBackordered(other));
  for (const [index, { id }] of byPreference.slice(0, filled).entries()) {
    plan.units.push({ id, state: index < on_hand ? 'on_hand' : 'backordered' });
  }
  if (filled > 0) plan.taken.push({ stock_location_id, variant_id, quantity: filled });
  if (missing > 0) plan.shortages.push({ stock_location_id, variant_id, quantity: missing });
}

/** Part of one line item, at one location and in one fill state. */
interface Piece {
  item: DesiredItem;
  stock_location_id: number;
  state: FillState;
  quantity: number;
}

/** Stock items by place. Counts decrease while the order is packed. */
type StockByPlace = Map<string, StockCount>;

function sortLocations(locations: readonly LocationFacts[]): LocationFacts[] {
  return locations.toSorted(
    (one, other) =>
      Number(other.is_default) - Number(one.is_default) ||
      compareNames(one.name, other.name) ||
      one.id - other.id,
  );
}

/** Compares by code unit, not by locale, for the same order on every machine. */
function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function fillTracked(
  item: DesiredItem,
  locations: readonly LocationFacts[],
  stockByPlace: StockByPlace,
): Piece[] {
  const pieces: Piece[] = [];
  let needed = item.quantity;
  for (const { id } of locations) {
    const stockItem = stockByPlace.get(buildPlaceKey({ stock_location_id: id, variant_id: item.variant_id }));
    const { on_hand } = calculateFill(stockItem ?? null, needed);
    if (!stockItem || on_hand === 0) continue;
    pieces.push({ item, stock_location_id: id, state: 'on_hand', quantity: on_hand });
    stockItem.count_on_hand -= on_hand;
    needed -= on_hand;
  }
  const backorderable = locations.find(
    ({ id }) =>
      stockByPlace.get(buildPlaceKey({ stock_location_id: id, variant_id: item.variant_id }))?.backorderable,
  );
  if (needed > 0 && backorderable) {
    pieces.push({ item, stock_location_id: backorderable.id, state: 'backordered', quantity: needed });
  }
  return pieces;
}

function fillUntracked(item: DesiredItem, location: LocationFacts | null): Piece[] {
  if (!location || item.quantity === 0) return [];
  return [{ item, stock_location_id: location.id, state: 'on_hand', quantity: item.quantity }];
}

/** Returns the first location with a stock item of any variant of the order, else the first location. */
function findUntrackedLocation(
  items: readonly DesiredItem[],
  locations: readonly LocationFacts[],
  stockByPlace: StockByPlace,
): LocationFacts | null {
  const hasAny = ({ id }: LocationFacts): boolean =>
    items.some(({ variant_id }) => stockByPlace.has(buildPlaceKey({ stock_location_id: id, variant_id })));
  return locations.find(hasAny) ?? locations[0] ?? null;
}

function buildPackages(pieces: readonly Piece[], locations: readonly LocationFacts[]): Package[] {
  const rank = new Map(locations.map(({ id }, index) => [id, index]));
  const packages = new Map<string, Package>();
  for (const { item, stock_location_id, state, quantity } of pieces) {
    const key = `${stock_location_id}/${item.shipping_category_id}/${state}`;
    const { line_item_id, variant_id, shipping_category_id } = item;
    const box = packages.get(key) ?? { stock_location_id, shipping_category_id, state, contents: [] };
    box.contents.push({ line_item_id, variant_id, quantity });
    packages.set(key, box);
  }
  const categories = [...new Set(pieces.map(({ item }) => item.shipping_category_id))];
  return [...packages.values()].sort(
    (one, other) =>
      (rank.get(one.stock_location_id) ?? 0) - (rank.get(other.stock_location_id) ?? 0) ||
      categories.indexOf(one.shipping_category_id) - categories.indexOf(other.shipping_category_id) ||
      Number(one.state === 'backordered') - Number(other.state === 'backordered'),
  );
}
