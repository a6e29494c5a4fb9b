import type { InventoryUnitState } from '../order/inventory-unit.machine';

/** What an order wants of one line. */
export interface DesiredItem {
  line_item_id: number;
  variant_id: number;
  quantity: number;
  shipping_category_id: number;
  tracks_inventory: boolean;
}

/** A stock item: what a location has of a variant. Counts below zero are units owed to others and count as none. */
export interface StockCount {
  stock_location_id: number;
  variant_id: number;
  count_on_hand: number;
  backorderable: boolean;
}

/** An active, not deleted location. */
export interface LocationFacts {
  id: number;
  name: string;
  is_default: boolean;
}

export type FillState = Extract<InventoryUnitState, 'on_hand' | 'backordered'>;

/** One shipment to be: of one location, one shipping category and one fill state. Quantities are at least 1. */
export interface Package {
  stock_location_id: number;
  shipping_category_id: number;
  state: FillState;
  contents: { line_item_id: number; variant_id: number; quantity: number }[];
}

/** Units nobody can supply. */
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
 * Which location ships what (behaviour 8.4). Each unit goes to the first location having it on hand, the default location
 * before the others by name; only what no location has on hand is backordered, at the first location that may. Lines of the
 * same variant share its stock. Untracked variants go on hand with the first location that holds stock items of the order.
 * Packages come in location order, within a location in the order of the lines, on hand before backordered. Deterministic.
 */
export function packOrder(
  items: readonly DesiredItem[],
  stock: readonly StockCount[],
  locations: readonly LocationFacts[],
): PackingPlan {
  const ordered = sortLocations(locations);
  const shelves = new Map(stock.map((count) => [keyOfPlace(count), { ...count }]));
  const holder = findUntrackedHolder(items, ordered, shelves);
  const pieces: Piece[] = [];
  const shortages: Shortage[] = [];
  for (const item of items) {
    const own = item.tracks_inventory ? fillTracked(item, ordered, shelves) : fillUntracked(item, holder);
    pieces.push(...own);
    const missing = item.quantity - own.reduce((all, piece) => all + piece.quantity, 0);
    if (missing > 0) {
      shortages.push({ line_item_id: item.line_item_id, variant_id: item.variant_id, quantity: missing });
    }
  }
  return { packages: buildPackages(pieces, ordered), shortages };
}

/** What `quantity` more units of one stock item would be; without an item nothing can be filled. */
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
  /** The state of every unit that can be had. */
  units: { id: number; state: FillState }[];
  /** What to take from each stock item, summed; on hand and backordered alike, untracked variants left out. */
  taken: { stock_location_id: number; variant_id: number; quantity: number }[];
  /** Units nobody can supply at their location, even when another one could: the order cannot complete. */
  shortages: { stock_location_id: number; variant_id: number; quantity: number }[];
}

/**
 * The states of an order's units by the counts locked at completion (behaviour 8.5); what was guessed at the delivery step
 * is only a preference for who keeps a scarce unit. All units of a stock item are counted together, whatever line or
 * shipment they are in, so two lines cannot take the same stock. `stock` are the locked rows; a missing one has nothing.
 */
export function planRefill(units: readonly ProposedUnit[], stock: readonly StockCount[]): RefillPlan {
  const shelves = new Map(stock.map((count) => [keyOfPlace(count), count]));
  const plan: RefillPlan = { units: [], taken: [], shortages: [] };
  for (const unit of units.filter(({ tracks_inventory }) => !tracks_inventory)) {
    plan.units.push({ id: unit.id, state: 'on_hand' });
  }
  const wanted = new Map<string, [ProposedUnit, ...ProposedUnit[]]>();
  for (const unit of units.filter(({ tracks_inventory }) => tracks_inventory)) {
    const others = wanted.get(keyOfPlace(unit));
    if (others) others.push(unit);
    else wanted.set(keyOfPlace(unit), [unit]);
  }
  for (const [shelf, group] of wanted) refillGroup(plan, group, shelves.get(shelf) ?? null);
  return plan;
}

/** Adds the units of one stock item to the plan; those on hand so far are the first to be on hand again. */
function refillGroup(
  plan: RefillPlan,
  group: [ProposedUnit, ...ProposedUnit[]],
  shelf: StockCount | null,
): void {
  const [{ stock_location_id, variant_id }] = group;
  const { on_hand, missing } = calculateFill(shelf, group.length);
  const filled = group.length - missing;
  const isBackordered = (unit: ProposedUnit): number => Number(unit.state === 'backordered');
  const byPreference = group.toSorted((one, other) => isBackordered(one) - isBackordered(other));
  for (const [index, { id }] of byPreference.slice(0, filled).entries()) {
    plan.units.push({ id, state: index < on_hand ? 'on_hand' : 'backordered' });
  }
  if (filled > 0) plan.taken.push({ stock_location_id, variant_id, quantity: filled });
  if (missing > 0) plan.shortages.push({ stock_location_id, variant_id, quantity: missing });
}

/** Part of one line at one location in one fill state. */
interface Piece {
  item: DesiredItem;
  stock_location_id: number;
  state: FillState;
  quantity: number;
}

/** Stock items by location and variant; counts go down while the order is packed. */
type StockByPlace = Map<string, StockCount>;

function keyOfPlace(place: { stock_location_id: number; variant_id: number }): string {
  return `${place.stock_location_id}/${place.variant_id}`;
}

function sortLocations(locations: readonly LocationFacts[]): LocationFacts[] {
  return locations.toSorted(
    (one, other) =>
      Number(other.is_default) - Number(one.is_default) ||
      compareNames(one.name, other.name) ||
      one.id - other.id,
  );
}

/** By code unit, not by locale: the same order on every machine. */
function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function fillTracked(item: DesiredItem, locations: readonly LocationFacts[], shelves: StockByPlace): Piece[] {
  const pieces: Piece[] = [];
  let needed = item.quantity;
  for (const { id } of locations) {
    const shelf = shelves.get(keyOfPlace({ stock_location_id: id, variant_id: item.variant_id }));
    const { on_hand } = calculateFill(shelf ?? null, needed);
    if (!shelf || on_hand === 0) continue;
    pieces.push({ item, stock_location_id: id, state: 'on_hand', quantity: on_hand });
    shelf.count_on_hand -= on_hand;
    needed -= on_hand;
  }
  const promising = locations.find(
    ({ id }) => shelves.get(keyOfPlace({ stock_location_id: id, variant_id: item.variant_id }))?.backorderable,
  );
  if (needed > 0 && promising) {
    pieces.push({ item, stock_location_id: promising.id, state: 'backordered', quantity: needed });
  }
  return pieces;
}

function fillUntracked(item: DesiredItem, holder: LocationFacts | null): Piece[] {
  if (!holder || item.quantity === 0) return [];
  return [{ item, stock_location_id: holder.id, state: 'on_hand', quantity: item.quantity }];
}

/** The first location with a stock item of any of the order's variants; where none has one, the first of all. */
function findUntrackedHolder(
  items: readonly DesiredItem[],
  locations: readonly LocationFacts[],
  shelves: StockByPlace,
): LocationFacts | null {
  const holdsSome = ({ id }: LocationFacts): boolean =>
    items.some(({ variant_id }) => shelves.has(keyOfPlace({ stock_location_id: id, variant_id })));
  return locations.find(holdsSome) ?? locations[0] ?? null;
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
