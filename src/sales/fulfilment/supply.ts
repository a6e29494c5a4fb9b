import { InvalidResource } from '../../platform/errors';
import { loadAvailability } from '../../inventory/availability';
import { lockStockAt, unstock } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from '../../inventory/stock-place';
import type { Tx } from '../../platform/database/transaction';
import { findVariantTitle } from './sellable-variants.repository';
import type { OrderGraph } from '../order/order-graph';
import { calculateFill, type FillState } from './stock-coordinator';

/** Goods wanted of one location. */
export interface Demand {
  variant_id: number;
  quantity: number;
}

/** How a location fills what is wanted of it, decided by counts that stay locked until the transaction ends. */
export interface Supply {
  stock_location_id: number;
  demands: readonly Demand[];
  fills: ReadonlyMap<number, Record<FillState, number>>;
  locked: readonly LockedStockItem[];
}

/**
 * Asks one location for goods that an order is to get from there and nowhere else, as an admin has chosen it. What a
 * cart holds there already counts as gone, as its stock is taken later. `alsoLocked` are places whose stock the caller
 * is about to change too: all stock is locked at once, by id. Variants must be distinct.
 * @throws InvalidResource `quantity` when the location has not got it and takes no backorders
 */
export async function loadSupply(
  tx: Tx,
  order: OrderGraph,
  at: { stock_location_id: number; demands: readonly Demand[]; alsoLocked?: readonly StockPlace[] },
): Promise<Supply> {
  const { stock_location_id, demands, alsoLocked = [] } = at;
  const places = demands.map(({ variant_id }) => ({ stock_location_id, variant_id }));
  const locked = await lockStockAt(tx, [...places, ...alsoLocked]);
  const items = new Map(locked.map((item) => [buildPlaceKey(item), item]));
  const untracked = await findUntracked(
    tx,
    places.filter((place) => !items.has(buildPlaceKey(place))),
  );
  const fills = new Map<number, Record<FillState, number>>();
  for (const { variant_id, quantity } of demands) {
    const place = { stock_location_id, variant_id };
    const item = items.get(buildPlaceKey(place));
    if (item?.tracks_inventory === false || untracked.has(variant_id)) {
      fills.set(variant_id, { on_hand: quantity, backordered: 0 });
      continue;
    }
    const free = item && { ...item, count_on_hand: item.count_on_hand - countHeldByCart(order, place) };
    const { missing, ...fill } = calculateFill(free ?? null, quantity);
    if (missing > 0) throw await buildShortageError(tx, variant_id);
    fills.set(variant_id, fill);
  }
  return { stock_location_id, demands, fills, locked };
}

/** A location may hold goods whose stock is not counted without having a stock item of them. */
async function findUntracked(tx: Tx, places: readonly StockPlace[]): Promise<Set<number>> {
  if (places.length === 0) return new Set();
  const known = await loadAvailability(
    tx,
    places.map(({ variant_id }) => variant_id),
  );
  return new Set([...known.values()].flatMap((one) => (one.tracks_inventory ? [] : one.variant_id)));
}

function countHeldByCart(order: OrderGraph, place: StockPlace): number {
  if (order.completed_at !== null) return 0;
  return order.shipments
    .filter((shipment) => shipment.stock_location_id === place.stock_location_id)
    .flatMap((shipment) => shipment.units)
    .filter((unit) => unit.variant_id === place.variant_id && unit.state === 'on_hand')
    .reduce((all, unit) => all + unit.quantity, 0);
}

/** The refusal of more than there is, in the words of behaviour 4.8. */
export async function buildShortageError(tx: Tx, variantId: number, field = 'quantity'): Promise<InvalidResource> {
  const title = await findVariantTitle(tx, variantId);
  return new InvalidResource({ [field]: [`selected of "${title}" is not available.`] });
}

/** Takes what was asked for off the shelves, for a shipment of a completed order; of a cart nothing is taken yet. */
export async function unstockSupply(
  tx: Tx,
  order: Pick<OrderGraph, 'completed_at'>,
  supply: Supply,
  shipment: { id: number },
): Promise<void> {
  if (order.completed_at === null) return;
  const { stock_location_id, demands, locked } = supply;
  const shelves = new Set(locked.map(buildPlaceKey));
  const taken = demands.map(({ variant_id, quantity }) => ({
    stock_location_id,
    variant_id,
    quantity,
    action: 'sold',
    originator: { type: 'Store::Shipment' as const, id: shipment.id },
  }));
  await unstock(
    tx,
    locked,
    taken.filter((change) => shelves.has(buildPlaceKey(change))),
  );
}

/** The units a supply comes to, by their states; those without any are left out. */
export function listSupplyUnits(supply: Supply, demand: Demand): { state: FillState; quantity: number }[] {
  const fill = supply.fills.get(demand.variant_id);
  return (['on_hand', 'backordered'] as const)
    .map((state) => ({ state, quantity: fill?.[state] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
}
