import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import { isCountedAt, type PlacedChange } from '../../inventory/stock-ledger';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { sumQuantities } from '../../platform/quantities';
import { countCounted, type UnitGroup } from '../order/unit-moves.repository';
import { addUnitCounts, mergeUnits, negateUnits, splitCounted } from './counted-units';
import { FULFILMENT_FACTS } from './fulfilment-facts';
import { restockUnits } from './restock-units';
import type { OrderGraph, ShipmentGraph, UnitCount } from '../order/order-graph';
import { addToDraft, storeParts, type OrderDraft } from '../order-updater/order-draft';
import { planSupply, unstockSupply, listSupplyUnits, type Demand } from './supply';
import type { LockedOrderGraph } from '../order/order-lock';

/** Returns whether the contents of a shipment may still change. */
export const isUnshipped = (shipment: ShipmentGraph): boolean =>
  shipment.state === 'pending' || shipment.state === 'ready';

/**
 * Rejects changes of the contents or the cost of a shipment that has shipped or is canceled.
 * @throws InvalidResource
 */
export function requireUnshipped(shipment: Pick<ShipmentGraph, 'state'>): void {
  if (shipment.state === 'shipped') throw new InvalidResource({ base: ['The shipment has shipped'] });
  if (shipment.state === 'canceled') throw new InvalidResource({ base: ['The shipment is canceled'] });
}

/** Returns the number of unshipped units of a shipment, of one variant or of all. */
export function countUnshippedUnits(shipment: ShipmentGraph, variantId?: number): number {
  return sumQuantities(
    listUnshippedUnits(shipment).filter((unit) => variantId === undefined || unit.variant_id === variantId),
  );
}

function listUnshippedUnits(shipment: ShipmentGraph) {
  return shipment.units.filter(({ state }) => state === 'on_hand' || state === 'backordered');
}

/**
 * Estimates the stock changes that restock the unshipped units of a shipment. Only units on hand fill backorders. Which
 * of them are counted is known when they are restocked.
 */
export function listRestock(
  shipment: ShipmentGraph,
  limit: { variant_id?: number; quantity?: number } = {},
): PlacedChange[] {
  let remaining = limit.quantity ?? Infinity;
  const units = listUnshippedUnits(shipment).sort(compareBackorderedFirst);
  return units.flatMap(({ variant_id, state, quantity }) => {
    if (limit.variant_id !== undefined && variant_id !== limit.variant_id) return [];
    const taken = Math.min(remaining, quantity);
    remaining -= taken;
    return taken === 0 ? [] : [buildRestock(shipment, { variant_id, state, quantity: taken })];
  });
}

/** Orders backordered units before units on hand. */
function compareBackorderedFirst(one: { state: string }, other: { state: string }): number {
  return Number(other.state === 'backordered') - Number(one.state === 'backordered');
}

/** Builds the stock change that restocks units of a shipment. */
export function buildRestock(
  shipment: Pick<ShipmentGraph, 'id' | 'stock_location_id'>,
  units: { variant_id: number; state: string; quantity: number; counted?: boolean },
): PlacedChange {
  return {
    stock_location_id: shipment.stock_location_id,
    variant_id: units.variant_id,
    quantity: units.quantity,
    counted: units.counted,
    action: 'taken off the order',
    originator: { type: 'Store::Shipment', id: shipment.id },
    fills_backorders: units.state === 'on_hand',
  };
}

/**
 * Removes units of an order, and restocks them if the order is complete. Shipments may be left empty. Orders whose
 * backorders the units may fill must be locked before `order` (`lockShipment`).
 * @returns the stored draft without the units
 */
export async function removeUnits<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  groups: readonly UnitGroup[],
  onBackordersFilled: OnBackordersFilled,
): Promise<OrderDraft<Order>> {
  if (groups.length === 0) return draft;
  const removed = await countGroups(tx, draft.order, groups);
  const shipments = addUnitCounts(draft.order, removed.map(negateUnits));
  const left = { ...draft, order: { ...draft.order, shipments } };
  const stored = await storeParts(tx, addToDraft(left, { units: [{ removed: groups }] }));
  if (draft.order.completed_at === null) return stored;
  const owners = new Map(shipments.map((shipment) => [shipment.id, shipment]));
  const returned = removed.sort(byPlace).flatMap((units) => {
    const shipment = owners.get(units.shipment_id);
    return shipment === undefined
      ? []
      : splitCounted(units).map((part) => buildRestock(shipment, { ...units, ...part }));
  });
  return restockUnits(tx, stored, returned, onBackordersFilled);
}

/** Sorts units in the order in which their movements are recorded. */
function byPlace(one: UnitCount, other: UnitCount): number {
  return (
    one.shipment_id - other.shipment_id ||
    one.variant_id - other.variant_id ||
    compareBackorderedFirst(one, other)
  );
}

/** Counts which units of these groups changed a count when they were sold. At most one statement, usually none. */
async function countGroups(
  tx: Tx,
  order: LockedOrderGraph,
  groups: readonly UnitGroup[],
): Promise<UnitCount[]> {
  const units = order.shipments.flatMap((shipment) => shipment.units);
  const counts = groups.map((group) => {
    const all = units.find(
      ({ shipment_id, line_item_id, state }) =>
        shipment_id === group.shipment_id && line_item_id === group.line_item_id && state === group.state,
    );
    const { quantity = 0, counted_quantity = 0 } = all ?? {};
    const isMixed = counted_quantity > 0 && counted_quantity < quantity && group.quantity < quantity;
    return { ...group, counted_quantity: isMixed ? null : Math.min(counted_quantity, group.quantity) };
  });
  const isKnown = counts.every(({ counted_quantity }) => counted_quantity !== null);
  const counted = isKnown ? new Map<number, number>() : await countCounted(tx, order, groups);
  return counts.map((count, place) => ({
    ...count,
    counted_quantity: count.counted_quantity ?? counted.get(place) ?? 0,
  }));
}

/**
 * Selects `quantity` unshipped units of a line item or a variant in a shipment, backordered units first.
 * @returns groups with fewer units in total if the shipment has fewer
 */
export function chooseUnits(
  shipment: ShipmentGraph,
  of: { line_item_id: number } | { variant_id: number },
  quantity: number,
): UnitGroup[] {
  let remaining = quantity;
  return listUnshippedUnits(shipment)
    .filter((unit) =>
      'variant_id' in of ? unit.variant_id === of.variant_id : unit.line_item_id === of.line_item_id,
    )
    .sort(compareBackorderedFirst)
    .flatMap(({ line_item_id, variant_id, state, quantity: present }) => {
      const taken = Math.min(remaining, present);
      remaining -= taken;
      if (taken === 0 || line_item_id === null) return [];
      return [{ shipment_id: shipment.id, line_item_id, variant_id, state, quantity: taken }];
    });
}

/** Returns all unshipped units of a shipment, as groups. */
export function groupUnshippedUnits(shipment: ShipmentGraph): UnitGroup[] {
  return listUnshippedUnits(shipment).flatMap(({ line_item_id, variant_id, state, quantity }) =>
    line_item_id === null ? [] : [{ shipment_id: shipment.id, line_item_id, variant_id, state, quantity }],
  );
}

/** Returns the units of a shipment after those on hand have shipped. */
export function shipOnHand(units: readonly UnitCount[]): UnitCount[] {
  return mergeUnits(
    units.map((unit) => (unit.state === 'on_hand' ? { ...unit, state: 'shipped' as const } : unit)),
  );
}

/**
 * Adds units of a line item to a shipment, on hand or backordered depending on the stock of its location. If the order is
 * complete, they are stored and unstocked at once. Line item and shipment may be new.
 * @throws InvalidResource `quantity`
 */
export async function addUnitsToShipment(
  tx: Tx,
  draft: OrderDraft,
  shipment: Pick<ShipmentGraph, 'id' | 'number' | 'stock_location_id'>,
  demand: Demand & { line_item_id: number; user_id: number | null },
): Promise<OrderDraft> {
  const { order } = draft;
  const { stock_location_id, number } = shipment;
  const { line_item_id, variant_id, user_id } = demand;
  const supply = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
    planSupply(facts, order, { stock_location_id, demands: [demand] }),
  );
  const counted = isCountedAt(supply.locked)({ stock_location_id, variant_id });
  const added = listSupplyUnits(supply, demand).map(({ state, quantity }) => ({
    shipment_id: shipment.id,
    line_item_id,
    variant_id,
    state,
    quantity,
    counted_quantity: counted ? quantity : 0,
  }));
  const filled = placeUnits(draft, added);
  if (order.completed_at === null) return filled;
  const stored = await storeParts(tx, filled);
  const { id } = getShipmentByNumber(stored.order, number);
  unstockSupply(tx, order, supply, { shipment_id: id, user_id });
  return stored;
}

/** Adds units to shipments of a draft. */
export function placeUnits<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  added: readonly UnitCount[],
): OrderDraft<Order> {
  const shipments = addUnitCounts(draft.order, added);
  // The units of new shipments are stored with them.
  const placed = added.filter(({ shipment_id }) => shipment_id > 0);
  return addToDraft(
    { ...draft, order: { ...draft.order, shipments } },
    { units: placed.length === 0 ? [] : [{ added: placed }] },
  );
}

/** Returns a shipment of the order whose id may have changed because it was stored. @throws Error, which is a bug */
export function getShipmentByNumber({ shipments }: OrderGraph, number: string): ShipmentGraph {
  const found = shipments.find((shipment) => shipment.number === number);
  if (found === undefined) throw new Error(`shipment ${number} is gone`);
  return found;
}
