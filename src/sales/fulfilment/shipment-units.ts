import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import {
  deleteUnits,
  findUnshippedUnits,
  type UnshippedUnit,
  type UnitGroup,
} from './inventory-units.repository';
import { restockUnits } from './restock-units';
import type { ShipmentGraph } from '../order/order-graph';
import { insertUnits } from './proposed-shipments.repository';
import type { FillState } from './stock-coordinator';
import { reassignUnits } from './unit-states';
import { loadSupply, unstockSupply, listSupplyUnits, type Demand } from './supply';
import type { LockedOrderGraph } from '../order/order-lock';

/** Returns whether the contents of a shipment may still change. */
export const isUnshipped = (shipment: ShipmentGraph): boolean =>
  shipment.state === 'pending' || shipment.state === 'ready';

/** Rejects changes of the contents or the cost of a shipment that has shipped or is canceled. @throws InvalidResource */
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

/** Lists the stock changes that restock the unshipped units of a shipment. Only units on hand fill backorders. */
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
  units: { variant_id: number; state: string; quantity: number },
): PlacedChange {
  return {
    stock_location_id: shipment.stock_location_id,
    variant_id: units.variant_id,
    quantity: units.quantity,
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
  await deleteUnits(tx, order, groups);
  const shipments = new Map(order.shipments.map((shipment) => [shipment.id, shipment]));
  const returned = groups.flatMap((group) => {
    const shipment = shipments.get(group.shipment_id);
    return shipment === undefined ? [] : [buildRestock(shipment, group)];
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

/**
 * Adds units of a stored line item to a shipment, on hand or backordered depending on the stock of its location. If the
 * order is complete, they are unstocked at once.
 * @throws InvalidResource `quantity`
 */
export async function addUnitsToShipment(
  tx: Tx,
  order: LockedOrderGraph,
  shipment: Pick<ShipmentGraph, 'id' | 'stock_location_id'>,
  demand: Demand & { line_item_id: number },
): Promise<void> {
  const { stock_location_id } = shipment;
  const supply = await loadSupply(tx, order, { stock_location_id, demands: [demand] });
  const units = listSupplyUnits(supply, demand).map(({ state, quantity }) => ({
    shipment_id: shipment.id,
    line_item_id: demand.line_item_id,
    variant_id: demand.variant_id,
    state,
    quantity,
  }));
  await insertUnits(tx, order, units);
  await unstockSupply(tx, order, supply, shipment);
}

/** The shipment that units move to, with its location. */
export type Destination = Pick<ShipmentGraph, 'id' | 'stock_location_id'>;

/**
 * Moves unshipped units into another shipment, or into the same one at another location: `demand`, or all of them. If
 * the location changes, they are filled from the stock of the new location and restocked at the old one. If it does not,
 * their states stay and no stock moves. Requires the same locks as `removeUnits`.
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
  await unstockSupply(tx, order, supply, to);
  if (order.completed_at !== null) {
    await restockUnits(tx, order, listRestock(from, demand), onBackordersFilled);
  }
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
