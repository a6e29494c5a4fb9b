import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import { isCountedAt, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import {
  deleteUnits,
  findUnshippedUnits,
  updateCounted,
  type UnshippedUnit,
  type UnitGroup,
} from './inventory-units.repository';
import { groupBy } from '../../platform/group-by';
import { mergeUnits, splitCounted } from './counted-units';
import { restockUnits } from './restock-units';
import type { ShipmentGraph, UnitCount } from '../order/order-graph';
import { insertUnits } from './proposed-shipments.repository';
import type { FillState } from './stock-coordinator';
import { reassignUnits } from './unit-states';
import { loadSupply, unstockSupply, listSupplyUnits, type Demand } from './supply';
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
  return listUnshippedUnits(shipment)
    .filter((unit) => variantId === undefined || unit.variant_id === variantId)
    .reduce((all, unit) => all + unit.quantity, 0);
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

function buildRestock(
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
 * Deletes units of an order, and restocks them if the order is complete. Shipments may be left empty. Orders whose
 * backorders the units may fill must be locked before `order` (`lockShipment`).
 */
export async function removeUnits(
  tx: Tx,
  order: LockedOrderGraph,
  groups: readonly UnitGroup[],
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  if (groups.length === 0) return;
  const deleted = await deleteUnits(tx, order, groups);
  const shipments = new Map(order.shipments.map((shipment) => [shipment.id, shipment]));
  const returned = deleted.flatMap((units) => {
    const shipment = shipments.get(units.shipment_id);
    return shipment === undefined
      ? []
      : splitCounted(units).map((part) => buildRestock(shipment, { ...units, ...part }));
  });
  if (order.completed_at !== null) await restockUnits(tx, order, returned, onBackordersFilled);
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

/** Returns the units of a shipment without those that `groupUnshippedUnits` groups. */
export function removeUnshipped(units: readonly UnitCount[]): UnitCount[] {
  return units.filter(
    ({ state, line_item_id }) => (state !== 'on_hand' && state !== 'backordered') || line_item_id === null,
  );
}

/** Returns the units of a shipment after those on hand have shipped. */
export function shipOnHand(units: readonly UnitCount[]): UnitCount[] {
  return mergeUnits(
    units.map((unit) => (unit.state === 'on_hand' ? { ...unit, state: 'shipped' as const } : unit)),
  );
}

/**
 * Adds units of a stored line item to a shipment, on hand or backordered depending on the stock of its location. If the
 * order is complete, they are unstocked at once.
 * @throws InvalidResource `quantity`
 */
export async function addUnitsToShipment(
  tx: Tx,
  order: LockedOrderGraph,
  shipment: Pick<ShipmentGraph, 'id' | 'stock_location_id'>,
  demand: Demand & { line_item_id: number; user_id: number | null },
): Promise<void> {
  const { stock_location_id } = shipment;
  const { line_item_id, variant_id, user_id } = demand;
  const supply = await loadSupply(tx, order, { stock_location_id, demands: [demand] });
  const counted = isCountedAt(supply.locked)({ stock_location_id, variant_id });
  const units = listSupplyUnits(supply, demand).map(({ state, quantity }) => ({
    shipment_id: shipment.id,
    line_item_id,
    variant_id,
    state,
    quantity,
    counted,
  }));
  await insertUnits(tx, order, units);
  await unstockSupply(tx, order, supply, { shipment_id: shipment.id, user_id });
}

/** The shipment that units move to, with its location. */
export type Destination = Pick<ShipmentGraph, 'id' | 'stock_location_id'>;

/**
 * Moves unshipped units into another shipment, or into the same one at another location: `demand`, or all of them. If
 * the location changes, they are filled from the stock of the new location and restocked at the old one. If it does
 * not, their states stay and no stock moves. Requires the same locks as `removeUnits`.
 * @throws InvalidResource `quantity`
 */
export async function moveUnits(
  tx: Tx,
  order: LockedOrderGraph,
  move: { from: ShipmentGraph; to: Destination; demand?: Demand },
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  const { from, to, demand } = move;
  const units = await findUnshippedUnits(tx, from.id, demand ?? null);
  if (from.stock_location_id === to.stock_location_id) {
    await reassignUnits(
      tx,
      order,
      units.map((unit) => ({ ...unit, fill: unit.state })),
      to.id,
    );
    return;
  }
  const demands = sumDemands(units);
  const alsoLocked = demands.map(({ variant_id }) => ({
    variant_id,
    stock_location_id: from.stock_location_id,
  }));
  const { stock_location_id } = to;
  const supply = await loadSupply(tx, order, { stock_location_id, demands, alsoLocked });
  const onHand = new Map([...supply.fills].map(([variant_id, fill]) => [variant_id, fill.on_hand]));
  const refilled = units.map((unit) => ({ ...unit, fill: assignFillState(onHand, unit.variant_id) }));
  await reassignUnits(tx, order, refilled, to.id);
  if (order.completed_at === null) return;
  await unstockSupply(tx, order, supply, { shipment_id: to.id, user_id: onBackordersFilled.user_id });
  const isCounted = isCountedAt(supply.locked);
  const changed = units.flatMap(({ id, variant_id, counted }) => {
    const now = isCounted({ stock_location_id, variant_id });
    return now === counted ? [] : [{ id, counted: now }];
  });
  await updateCounted(tx, order, changed);
  await restockUnits(tx, order, listMovedRestock(from, units), onBackordersFilled);
}

/** Lists the stock changes that restock these units of a shipment. They count if their sale did. */
function listMovedRestock(from: ShipmentGraph, units: readonly UnshippedUnit[]): PlacedChange[] {
  const groups = groupBy(units, ({ variant_id, state, counted }) => `${variant_id}/${state}/${counted}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [buildRestock(from, { ...first, quantity: group.length })];
  });
}

function sumDemands(units: readonly UnshippedUnit[]): Demand[] {
  const quantities = new Map<number, number>();
  for (const { variant_id } of units) quantities.set(variant_id, (quantities.get(variant_id) ?? 0) + 1);
  return [...quantities].map(([variant_id, quantity]) => ({ variant_id, quantity }));
}

function assignFillState(onHand: Map<number, number>, variantId: number): FillState {
  const remaining = onHand.get(variantId) ?? 0;
  onHand.set(variantId, remaining - 1);
  return remaining > 0 ? 'on_hand' : 'backordered';
}
