import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import { loadStockByLocation } from '../../inventory/availability.repository';
import { isCountedAt, lockStockAt, unstock, type PlacedChange } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from '../../inventory/stock-place';
import type { Tx } from '../../platform/database/transaction';
import { findOrderedVariants, type OrderedVariant } from './ordered-variants.repository';
import { MAX_UNITS } from './proposal';
import type { UnitGroup } from './inventory-units.repository';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { deleteEmptyShipments, insertShipments, insertUnits } from './proposed-shipments.repository';
import { refreshRates } from './refresh-rates';
import { releaseFreights, takeReleasedFreights } from './released-freights.repository';
import { splitCounted } from './counted-units';
import { chooseUnits, isUnshipped, removeUnits } from './shipment-units';
import { packOrder, type Package } from './stock-coordinator';
import { buildShortageError } from './supply';
import type { LockedOrderGraph } from '../order/order-lock';

/** The quantity that a line item of a complete order must have in units. */
export interface SoldLine {
  line_item_id: number;
  variant_id: number;
  quantity: number;
}

/**
 * Adds and removes units of a complete order until they match the quantities of `lines`. Added units are
 * unstocked, removed ones restocked. Added units join a matching unshipped shipment or a new one. Empty shipments are
 * deleted; a new shipment takes over their freight. The rates of the others are recalculated. New line items must be stored; pass `order` as it was before. A
 * constant number of statements.
 * @throws InvalidResource `line_items.quantity` if shipped units would have to be removed, or stock is missing
 */
export async function matchUnitsToLines(
  tx: Tx,
  order: LockedOrderGraph,
  lines: readonly SoldLine[],
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  const units = order.shipments.flatMap((shipment) => shipment.units);
  const changes = lines.map((line) => {
    const own = units.filter((unit) => unit.line_item_id === line.line_item_id);
    return { ...line, by: line.quantity - own.reduce((all, unit) => all + unit.quantity, 0) };
  });
  const present = units.reduce((all, unit) => all + unit.quantity, 0);
  if (present + changes.reduce((all, { by }) => all + by, 0) > MAX_UNITS) {
    throw new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${MAX_UNITS}`] });
  }
  const removed = changes.flatMap((change) => (change.by < 0 ? chooseUnitsToRemove(order, change) : []));
  await removeUnits(tx, order, removed, onBackordersFilled);
  const joined = await addUnits(
    tx,
    order,
    changes.filter((change) => change.by > 0),
    onBackordersFilled.user_id,
  );
  await releaseFreights(tx, order);
  await deleteEmptyShipments(tx, order);
  const made = joined.find((id) => !order.shipments.some((shipment) => shipment.id === id));
  const method_id = made === undefined ? null : await takeReleasedFreights(tx, order, made);
  const changed = [...removed.map((group) => group.shipment_id), ...joined];
  await refreshRates(tx, order, changed, method_id ?? undefined);
}

type LineChange = SoldLine & { by: number };

/**
 * Selects the units to remove: the backordered ones, then those on hand, both from the newest shipment first. So no
 * unit on hand is given up while others are still owed.
 */
function chooseUnitsToRemove(order: OrderGraph, change: LineChange): UnitGroup[] {
  const groups: UnitGroup[] = [];
  let remaining = -change.by;
  const shipments = order.shipments.filter(isUnshipped).reverse();
  for (const state of ['backordered', 'on_hand'] as const) {
    for (const shipment of shipments) {
      const units = shipment.units.filter((unit) => unit.state === state);
      const chosen = chooseUnits({ ...shipment, units }, change, remaining);
      groups.push(...chosen);
      remaining -= chosen.reduce((all, { quantity }) => all + quantity, 0);
    }
  }
  if (remaining === 0) return groups;
  throw new InvalidResource({ 'line_items.quantity': ['cannot be less than the number of shipped units.'] });
}

/** Adds units to shipments. @returns the ids of these shipments */
async function addUnits(
  tx: Tx,
  order: LockedOrderGraph,
  changes: readonly LineChange[],
  user_id: number | null,
): Promise<number[]> {
  if (changes.length === 0) return [];
  const { packages, locked, variants } = await packChanges(tx, order, changes);
  const isCounted = isCountedAt(locked);
  const joining = packages.map((box) => ({ box, shipment: findMatchingShipment(order, box, variants) }));
  const unplaced = joining.flatMap(({ box, shipment }) => (shipment === null ? [box] : []));
  await insertUnits(
    tx,
    order,
    joining.flatMap(({ box, shipment }) =>
      shipment === null
        ? []
        : buildUnits(box, isCounted).map((units) => ({ ...units, shipment_id: shipment.id })),
    ),
  );
  const added = await insertShipments(
    tx,
    order,
    unplaced.map((box) => ({
      stock_location_id: box.stock_location_id,
      cost: '0.0',
      units: buildUnits(box, isCounted),
      rates: [],
    })),
  );
  const idOf = new Map(unplaced.map((box, index) => [box, added[index]?.id ?? 0]));
  const placed = joining.map(({ box, shipment }) => ({ box, id: shipment?.id ?? idOf.get(box) ?? 0 }));
  const lockedPlaces = new Set(locked.map(buildPlaceKey));
  const taken = placed
    .flatMap(({ box, id }) => buildUnstockChanges(box, id))
    .filter((one) => lockedPlaces.has(buildPlaceKey(one)));
  await unstock(tx, locked, taken, user_id);
  return placed.map(({ id }) => id);
}

interface Packing {
  packages: readonly Package[];
  locked: readonly LockedStockItem[];
  variants: ReadonlyMap<number, OrderedVariant>;
}

/** Locks the stock and decides which locations the added units come from. */
async function packChanges(tx: Tx, order: OrderGraph, changes: readonly LineChange[]): Promise<Packing> {
  const variantIds = new Set([...order.line_items, ...changes].map(({ variant_id }) => variant_id));
  const variants = await findOrderedVariants(tx, [...variantIds], order.currency);
  const { locations, stock } = await loadStockByLocation(tx, [
    ...new Set(changes.map((change) => change.variant_id)),
  ]);
  const locked = await lockStockAt(tx, stock);
  const items = changes.flatMap(({ variant_id, line_item_id, by }) => {
    const variant = variants.get(variant_id);
    return variant === undefined ? [] : [{ ...variant, line_item_id, quantity: by }];
  });
  const { packages, shortages } = packOrder(items, locked, locations);
  const [shortage] = shortages;
  if (shortage !== undefined)
    throw await buildShortageError(tx, shortage.variant_id, { field: 'line_items.quantity' });
  return { packages, locked, variants };
}

/** Finds an unshipped shipment of the same location, shipping category and fill state; null if there is none. */
function findMatchingShipment(
  order: OrderGraph,
  box: Package,
  variants: ReadonlyMap<number, OrderedVariant>,
): ShipmentGraph | null {
  const match = order.shipments.find(
    (shipment) =>
      isUnshipped(shipment) &&
      shipment.stock_location_id === box.stock_location_id &&
      shipment.units.every(
        ({ variant_id, state }) =>
          state === box.state && variants.get(variant_id)?.shipping_category_id === box.shipping_category_id,
      ),
  );
  return match ?? null;
}

function buildUnits(box: Package, isCounted: (place: StockPlace) => boolean) {
  const { stock_location_id, state } = box;
  return box.contents.map((content) => {
    const counted = isCounted({ stock_location_id, variant_id: content.variant_id });
    return { ...content, state, counted };
  });
}

function buildUnstockChanges(box: Package, shipment_id: number): PlacedChange[] {
  return box.contents.map(({ variant_id, quantity }) => ({
    stock_location_id: box.stock_location_id,
    variant_id,
    quantity,
    action: 'sold',
    originator: { type: 'Store::Shipment', id: shipment_id },
  }));
}

/** Lists the stock changes that restock all units of an order, by shipment. They count if their sale did. */
export function listReturningUnits(order: OrderGraph): PlacedChange[] {
  return order.shipments.flatMap((shipment) =>
    shipment.units.flatMap((unit) =>
      splitCounted(unit).map(({ quantity, counted }) => ({
        stock_location_id: shipment.stock_location_id,
        variant_id: unit.variant_id,
        quantity,
        counted,
        originator: { type: 'Store::Shipment' as const, id: shipment.id },
        fills_backorders: unit.state !== 'backordered',
      })),
    ),
  );
}

/** Lists the stock changes that unstock all units of an order, by shipment. */
export function listStockChanges(order: OrderGraph): PlacedChange[] {
  return order.shipments.flatMap((shipment) =>
    shipment.units.map((unit) => ({
      stock_location_id: shipment.stock_location_id,
      variant_id: unit.variant_id,
      quantity: unit.quantity,
      action: 'sold',
      originator: { type: 'Store::Shipment' as const, id: shipment.id },
      fills_backorders: unit.state !== 'backordered',
    })),
  );
}
