import { NOT_AVAILABLE } from '../../errors/error-codes';
import { InvalidResource } from '../../platform/errors';
import { buildUnstock } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey, type StockPlace } from '../../inventory/stock-place';
import { sendAll, type Tx } from '../../platform/database/transaction';
import { sumQuantities } from '../../platform/quantities';
import type { FulfilmentFacts } from './fulfilment-facts';
import type { OrderGraph } from '../order/order-graph';
import { calculateFill, type FillState } from './stock-coordinator';

/** A quantity of a variant that one location must supply. */
export interface Demand {
  variant_id: number;
  quantity: number;
}

/** How a location fills demands. The counts it was decided by stay locked until the transaction ends. */
export interface Supply {
  stock_location_id: number;
  demands: readonly Demand[];
  fills: ReadonlyMap<number, Record<FillState, number>>;
  locked: readonly LockedStockItem[];
}

/**
 * Locks the stock of one location and decides how it fills demands of an order. An admin chose the location, so no
 * other one is considered. On-hand units that an incomplete order already has there count as taken. `alsoLocked` are
 * other places whose stock the caller will change; all stock is locked at once, by id. Variants must be distinct.
 * @throws InvalidResource `quantity` if the location lacks the units and they cannot be backordered
 */
export function planSupply(
  facts: FulfilmentFacts,
  order: OrderGraph,
  at: { stock_location_id: number; demands: readonly Demand[]; alsoLocked?: readonly StockPlace[] },
): Supply {
  const { stock_location_id, demands, alsoLocked = [] } = at;
  const places = demands.map(({ variant_id }) => ({ stock_location_id, variant_id }));
  const locked = facts.lockedStock([...places, ...alsoLocked]);
  const items = new Map(locked.map((item) => [buildPlaceKey(item), item]));
  const untracked = findUntrackedVariants(
    facts,
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
    if (missing > 0) throw buildShortageError(facts, variant_id, { left: quantity - missing });
    fills.set(variant_id, fill);
  }
  return { stock_location_id, demands, fills, locked };
}

/** Returns the variants whose inventory is not tracked. A location supplies them without a stock item. */
export function findUntrackedVariants(
  facts: FulfilmentFacts,
  demands: readonly { variant_id: number }[],
): Set<number> {
  if (demands.length === 0) return new Set();
  const known = facts.availability(demands.map(({ variant_id }) => variant_id));
  return new Set([...known.values()].flatMap((one) => (one.tracks_inventory ? [] : one.variant_id)));
}

function countHeldByCart(order: OrderGraph, place: StockPlace): number {
  if (order.completed_at !== null) return 0;
  const held = order.shipments
    .filter((shipment) => shipment.stock_location_id === place.stock_location_id)
    .flatMap((shipment) => shipment.units)
    .filter((unit) => unit.variant_id === place.variant_id && unit.state === 'on_hand');
  return sumQuantities(held);
}

/**
 * Builds the error for a quantity that is not available. Its hint says how many are: `left` at one location, by default at
 * all.
 */
export function buildShortageError(
  facts: FulfilmentFacts,
  variantId: number,
  { field = 'quantity', left }: { field?: string; left?: number } = {},
): InvalidResource {
  const title = facts.variantTitle(variantId);
  const available = left ?? facts.availability([variantId]).get(variantId)?.total_on_hand ?? 0;
  const error = new InvalidResource({ [field]: [`selected of "${title}" ${NOT_AVAILABLE}`] });
  return error.withHint(
    available > 0 ? `At most ${available} are available.` : 'It is out of stock and cannot be backordered.',
  );
}

/**
 * Unstocks a supply for a shipment of a complete order, in the name of an account. Does nothing if the order is
 * incomplete.
 */
export function unstockSupply(
  tx: Tx,
  order: Pick<OrderGraph, 'completed_at'>,
  supply: Supply,
  { shipment_id, user_id }: { shipment_id: number; user_id: number | null },
): void {
  if (order.completed_at === null) return;
  const { stock_location_id, demands, locked } = supply;
  const lockedPlaces = new Set(locked.map(buildPlaceKey));
  const taken = demands.map(({ variant_id, quantity }) => ({
    stock_location_id,
    variant_id,
    quantity,
    action: 'sold',
    originator: { type: 'Store::Shipment' as const, id: shipment_id },
  }));
  const known = taken.filter((change) => lockedPlaces.has(buildPlaceKey(change)));
  sendAll(tx, buildUnstock(locked, known, user_id));
}

/** Lists the quantities by which a supply fills a demand, by unit state. Omits zeros. */
export function listSupplyUnits(supply: Supply, demand: Demand): { state: FillState; quantity: number }[] {
  const fill = supply.fills.get(demand.variant_id);
  return (['on_hand', 'backordered'] as const)
    .map((state) => ({ state, quantity: fill?.[state] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
}
