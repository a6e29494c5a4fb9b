import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import { loadStockByLocation } from '../../inventory/availability';
import { lockStockAt, unstock, type PlacedChange } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey } from '../../inventory/stock-place';
import type { Tx } from '../../platform/database/transaction';
import { findOrderedVariants, type OrderedVariant } from './ordered-variants.repository';
import { MAX_UNITS } from './proposal';
import type { UnitGroup } from './inventory-units.repository';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { deleteEmptyShipments, insertShipments, insertUnits } from './proposed-shipments.repository';
import { refreshRates } from './refresh-rates';
import { chooseUnits, isUnshipped, removeUnits } from './shipment-units';
import { packOrder, type Package } from './stock-coordinator';
import { buildShortageError } from './supply';
import type { LockedOrderGraph } from '../order/order-lock';

/** How many units a line of a completed order is to have. */
export interface SoldLine {
  line_item_id: number;
  variant_id: number;
  quantity: number;
}

/**
 * Makes the units of a completed order's lines as many as the lines say: goods leave the shelves for added units and
 * come back for removed ones (behaviour 6.7). Added units join an unshipped shipment of their kind, or get one of
 * their own. Shipments left empty go; what the others cost is asked anew. Expects added lines
 * stored; `order` as it was before. A constant number of statements.
 * @throws InvalidResource under `line_items.quantity` when shipped units would have to go, or nobody has the goods
 */
export async function matchUnitsToLines(
  tx: Tx,
  order: LockedOrderGraph,
  lines: readonly SoldLine[],
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  const units = order.shipments.flatMap((shipment) => shipment.units);
  const moves = lines.map((line) => {
    const own = units.filter((unit) => unit.line_item_id === line.line_item_id);
    return { ...line, by: line.quantity - own.reduce((all, unit) => all + unit.quantity, 0) };
  });
  const present = units.reduce((all, unit) => all + unit.quantity, 0);
  if (present + moves.reduce((all, { by }) => all + by, 0) > MAX_UNITS) {
    throw new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${MAX_UNITS}`] });
  }
  const removed = moves.flatMap((move) => (move.by < 0 ? chooseUnitsToRemove(order, move) : []));
  await removeUnits(tx, order, removed, onBackordersFilled);
  const joined = await addUnits(
    tx,
    order,
    moves.filter((move) => move.by > 0),
  );
  await deleteEmptyShipments(tx, order);
  await refreshRates(tx, order, [...removed.map((group) => group.shipment_id), ...joined]);
}

type LineChange = SoldLine & { by: number };

/** The newest shipment gives first. */
function chooseUnitsToRemove(order: OrderGraph, move: LineChange): UnitGroup[] {
  const groups: UnitGroup[] = [];
  let left = -move.by;
  for (const shipment of order.shipments.filter(isUnshipped).reverse()) {
    const given = chooseUnits(shipment, move, left);
    groups.push(...given);
    left -= given.reduce((all, { quantity }) => all + quantity, 0);
  }
  if (left === 0) return groups;
  throw new InvalidResource({ 'line_items.quantity': ['cannot be less than the number of shipped units.'] });
}

/** @returns the ids of the shipments that got units */
async function addUnits(tx: Tx, order: OrderGraph, moves: readonly LineChange[]): Promise<number[]> {
  if (moves.length === 0) return [];
  const { packages, locked, goods } = await packChanges(tx, order, moves);
  const joining = packages.map((box) => ({ box, shipment: findMatchingShipment(order, box, goods) }));
  const unplaced = joining.flatMap(({ box, shipment }) => (shipment === null ? [box] : []));
  await insertUnits(
    tx,
    joining.flatMap(({ box, shipment }) => (shipment === null ? [] : buildUnits(order, box, shipment.id))),
    { pending: false },
  );
  const newIds = await insertShipments(
    tx,
    unplaced.map((box) => ({
      order_id: order.id,
      stock_location_id: box.stock_location_id,
      cost: '0.0',
      units: box.contents.map((content) => ({ ...content, state: box.state })),
      rates: [],
    })),
    { pending: false },
  );
  const idOf = new Map(unplaced.map((box, index) => [box, newIds[index] ?? 0]));
  const placed = joining.map(({ box, shipment }) => ({ box, id: shipment?.id ?? idOf.get(box) ?? 0 }));
  const shelves = new Set(locked.map(buildPlaceKey));
  const taken = placed
    .flatMap(({ box, id }) => buildUnstockChanges(box, id))
    .filter((one) => shelves.has(buildPlaceKey(one)));
  await unstock(tx, locked, taken);
  return placed.map(({ id }) => id);
}

interface Packing {
  packages: readonly Package[];
  locked: readonly LockedStockItem[];
  goods: ReadonlyMap<number, OrderedVariant>;
}

/** Decides by the locked counts where added units come from. */
async function packChanges(tx: Tx, order: OrderGraph, moves: readonly LineChange[]): Promise<Packing> {
  const variantIds = new Set([...order.line_items, ...moves].map(({ variant_id }) => variant_id));
  const goods = await findOrderedVariants(tx, [...variantIds], order.currency);
  const { locations, shelves } = await loadStockByLocation(tx, [
    ...new Set(moves.map((move) => move.variant_id)),
  ]);
  const locked = await lockStockAt(tx, shelves);
  const items = moves.flatMap((move) => {
    const known = goods.get(move.variant_id);
    return known === undefined ? [] : [{ ...known, line_item_id: move.line_item_id, quantity: move.by }];
  });
  const { packages, shortages } = packOrder(items, locked, locations);
  const [shortage] = shortages;
  if (shortage !== undefined) throw await buildShortageError(tx, shortage.variant_id, 'line_items.quantity');
  return { packages, locked, goods };
}

/** As proposed shipments are: of one location, one shipping category, and all on hand or all waited for. */
function findMatchingShipment(
  order: OrderGraph,
  box: Package,
  goods: ReadonlyMap<number, OrderedVariant>,
): ShipmentGraph | null {
  const alike = order.shipments.find(
    (shipment) =>
      isUnshipped(shipment) &&
      shipment.stock_location_id === box.stock_location_id &&
      shipment.units.every(
        ({ variant_id, state }) =>
          state === box.state && goods.get(variant_id)?.shipping_category_id === box.shipping_category_id,
      ),
  );
  return alike ?? null;
}

function buildUnits(order: OrderGraph, box: Package, shipment_id: number) {
  return box.contents.map((content) => ({ ...content, state: box.state, order_id: order.id, shipment_id }));
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

/** What an order takes from which shelf, shipment by shipment. */
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
