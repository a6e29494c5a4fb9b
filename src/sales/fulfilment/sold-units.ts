import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import type { ActiveLocation } from '../../inventory/availability';
import { buildUnstock, isCountedAt, type PlacedChange } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from '../../inventory/stock-place';
import { withFacts } from '../../platform/database/facts';
import { sendAll, type Tx } from '../../platform/database/transaction';
import { sumQuantities } from '../../platform/quantities';
import { FULFILMENT_FACTS, type FulfilmentFacts } from './fulfilment-facts';
import type { OrderedVariant } from './ordered-variants.repository';
import { MAX_UNITS } from './proposal';
import type { UnitGroup } from '../order/unit-moves.repository';
import type { OrderGraph, ShipmentGraph, UnitCount } from '../order/order-graph';
import { storeParts, type OrderDraft } from '../order-updater/order-draft';
import { removeEmptyShipments } from './moved-freight';
import { buildShipment } from './new-shipment';
import { refreshRates } from './refresh-rates';
import { takeReleasedFreights } from './released-freights';
import { releaseFreights } from './released-freights.repository';
import { splitCounted } from './counted-units';
import { chooseUnits, getShipmentByNumber, isUnshipped, placeUnits, removeUnits } from './shipment-units';
import { packOrder, type Package } from './stock-coordinator';
import { buildShortageError } from './supply';
import { getOrderedVariants } from './variants-of-order';
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
 * removed; a new shipment takes over their freight. The rates of the others are recalculated. Line items must be stored. A
 * constant number of statements.
 * @returns the draft with the units, which are stored
 * @throws InvalidResource `line_items.quantity` if shipped units would have to be removed, or stock is missing
 */
export async function matchUnitsToLines<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  lines: readonly SoldLine[],
  onBackordersFilled: OnBackordersFilled,
): Promise<OrderDraft<Order>> {
  const { order } = draft;
  const units = order.shipments.flatMap((shipment) => shipment.units);
  const changes = lines.map((line) => {
    const own = units.filter((unit) => unit.line_item_id === line.line_item_id);
    return { ...line, by: line.quantity - sumQuantities(own) };
  });
  const present = sumQuantities(units);
  if (present + changes.reduce((all, { by }) => all + by, 0) > MAX_UNITS) {
    throw new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${MAX_UNITS}`] });
  }
  const removed = changes.flatMap((change) => (change.by < 0 ? chooseUnitsToRemove(order, change) : []));
  const left = await removeUnits(tx, draft, removed, onBackordersFilled);
  const raised = changes.filter((change) => change.by > 0);
  const { filled, joined } = await addUnits(tx, left, { order, raised }, onBackordersFilled.user_id);
  releaseFreights(tx, order);
  const kept = { ...filled, order: removeEmptyShipments(filled.order) };
  const made = kept.order.shipments.find(
    ({ id }) => joined.includes(id) && !order.shipments.some((shipment) => shipment.id === id),
  );
  const cause = { user_id: onBackordersFilled.user_id, reason: 'shipment create' };
  const taken = made === undefined ? null : await takeReleasedFreights(tx, kept, { shipment: made, cause });
  const changed = [...removed.map((group) => group.shipment_id), ...joined];
  return withFacts(tx, FULFILMENT_FACTS, (facts) =>
    refreshRates(facts, taken?.draft ?? kept, changed, taken?.method_id ?? undefined),
  );
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
      remaining -= sumQuantities(chosen);
    }
  }
  if (remaining === 0) return groups;
  throw new InvalidResource({ 'line_items.quantity': ['cannot be less than the number of shipped units.'] });
}

/**
 * Adds units to shipments and stores them. `order` is the order before units were removed, whose shipments they may join.
 * @returns the draft and the ids of the shipments
 */
async function addUnits<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  { order, raised }: { order: LockedOrderGraph; raised: readonly LineChange[] },
  user_id: number | null,
): Promise<{ filled: OrderDraft<Order>; joined: number[] }> {
  if (raised.length === 0) return { filled: draft, joined: [] };
  const { packages, locked, variants, locations } = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
    packChanges(facts, order, raised),
  );
  const isCounted = isCountedAt(locked);
  const nameOf = new Map(locations.map(({ id, name }) => [id, name]));
  const placed = packages.map((box) => {
    const { stock_location_id } = box;
    const place = { stock_location_id, stock_location_name: nameOf.get(stock_location_id) ?? '' };
    const known = findMatchingShipment(order, box, variants);
    return {
      box,
      known,
      shipment: known ?? buildShipment(order, { ...place, cost: '0.0', units: [], rates: [] }),
    };
  });
  const made = placed.flatMap(({ known, shipment }) => (known === null ? shipment : []));
  const grown = { ...draft, order: { ...draft.order, shipments: [...draft.order.shipments, ...made] } };
  const added = placed.flatMap(({ box, shipment }) => buildUnits(box, shipment.id, isCounted));
  const filled = await storeParts(tx, placeUnits(grown, added));
  const lockedPlaces = new Set(locked.map(buildPlaceKey));
  const joined = placed.map(({ box, shipment: { number } }) => ({
    box,
    id: getShipmentByNumber(filled.order, number).id,
  }));
  const taken = joined
    .flatMap(({ box, id }) => buildUnstockChanges(box, id))
    .filter((one) => lockedPlaces.has(buildPlaceKey(one)));
  sendAll(tx, buildUnstock(locked, taken, user_id));
  return { filled, joined: joined.map(({ id }) => id) };
}

interface Packing {
  packages: readonly Package[];
  locked: readonly LockedStockItem[];
  variants: ReadonlyMap<number, OrderedVariant>;
  locations: readonly ActiveLocation[];
}

/** Locks the stock and decides which locations the added units come from. */
function packChanges(facts: FulfilmentFacts, order: OrderGraph, changes: readonly LineChange[]): Packing {
  const variantIds = new Set([...order.line_items, ...changes].map(({ variant_id }) => variant_id));
  const variants = getOrderedVariants(facts, order, [...variantIds]);
  const raised = new Set(changes.map((change) => change.variant_id));
  const { locations, stock } = facts.stockByLocation([...raised]);
  const locked = facts.lockedStock(
    stock.map(({ stock_location_id, variant_id }) => ({ stock_location_id, variant_id })),
  );
  const items = changes.flatMap(({ variant_id, line_item_id, by }) => {
    const variant = variants.get(variant_id);
    return variant === undefined ? [] : [{ ...variant, line_item_id, quantity: by }];
  });
  const { packages, shortages } = packOrder(items, locked, locations);
  const [shortage] = shortages;
  if (shortage !== undefined)
    throw buildShortageError(facts, shortage.variant_id, { field: 'line_items.quantity' });
  return { packages, locked, variants, locations };
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

function buildUnits(
  { stock_location_id, state, contents }: Package,
  shipment_id: number,
  isCounted: (place: StockPlace) => boolean,
): UnitCount[] {
  return contents.map(({ line_item_id, variant_id, quantity }) => {
    const counted_quantity = isCounted({ stock_location_id, variant_id }) ? quantity : 0;
    return { shipment_id, line_item_id, variant_id, state, quantity, counted_quantity };
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
