import type { OnBackordersFilled } from '../../inventory/backorders';
import { InvalidResource } from '../../platform/errors';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import { deleteUnits, findUnshippedUnits, type UnshippedUnit, type UnitGroup } from './inventory-units.repository';
import { restockUnits } from './restock-units';
import type { ShipmentGraph } from '../order/order-graph';
import { insertUnits } from './proposed-shipments.repository';
import type { FillState } from './stock-coordinator';
import { reassignUnits } from './unit-states';
import { loadSupply, unstockSupply, listSupplyUnits, type Demand } from './supply';
import type { LockedOrderGraph } from '../order/order-lock';

/** Whether anything may still be put into a shipment or taken out of it. */
export const isUnshipped = (shipment: ShipmentGraph): boolean =>
  shipment.state === 'pending' || shipment.state === 'ready';

/** @throws InvalidResource */
export function refuseShipped(shipment: Pick<ShipmentGraph, 'state'>): void {
  if (shipment.state === 'shipped') throw new InvalidResource({ base: ['The shipment has shipped'] });
}

/** How many units a shipment holds that have not left; of one variant, or of all. */
export function countUnshippedUnits(shipment: ShipmentGraph, variantId?: number): number {
  return listUnshippedUnits(shipment)
    .filter((unit) => variantId === undefined || unit.variant_id === variantId)
    .reduce((all, unit) => all + unit.quantity, 0);
}

function listUnshippedUnits(shipment: ShipmentGraph) {
  return shipment.units.filter(({ state }) => state === 'on_hand' || state === 'backordered');
}

/** What lies in a shipment, as goods given back to its shelves; only what was there fills backorders. */
export function listRestock(
  shipment: ShipmentGraph,
  goods: { variant_id?: number; quantity?: number } = {},
): PlacedChange[] {
  let left = goods.quantity ?? Infinity;
  const inTurn = listUnshippedUnits(shipment).sort(compareBackorderedFirst);
  return inTurn.flatMap(({ variant_id, state, quantity }) => {
    if (goods.variant_id !== undefined && variant_id !== goods.variant_id) return [];
    const taken = Math.min(left, quantity);
    left -= taken;
    return taken === 0 ? [] : [buildRestock(shipment, { variant_id, state, quantity: taken })];
  });
}

/** What somebody still waits for goes before what lies there. */
function compareBackorderedFirst(one: { state: string }, other: { state: string }): number {
  return Number(other.state === 'backordered') - Number(one.state === 'backordered');
}

function buildRestock(
  shipment: Pick<ShipmentGraph, 'id' | 'stock_location_id'>,
  goods: { variant_id: number; state: string; quantity: number },
): PlacedChange {
  return {
    stock_location_id: shipment.stock_location_id,
    variant_id: goods.variant_id,
    quantity: goods.quantity,
    action: 'taken off the order',
    originator: { type: 'Store::Shipment', id: shipment.id },
    fills_backorders: goods.state === 'on_hand',
  };
}

/**
 * Takes units out of their shipments and off the order; a completed order's go back to the shelves. Shipments may be
 * left empty. Lock the orders that the goods will fill before `order` (`lockShipment`).
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
 * The units that go when `quantity` of a line, or of a variant, leave a shipment: backordered ones first.
 * @returns groups of fewer units in all when the shipment has not got as many
 */
export function chooseUnits(
  shipment: ShipmentGraph,
  of: { line_item_id: number } | { variant_id: number },
  quantity: number,
): UnitGroup[] {
  let left = quantity;
  return listUnshippedUnits(shipment)
    .filter((unit) =>
      'variant_id' in of ? unit.variant_id === of.variant_id : unit.line_item_id === of.line_item_id,
    )
    .sort(compareBackorderedFirst)
    .flatMap(({ line_item_id, variant_id, state, quantity: present }) => {
      const taken = Math.min(left, present);
      left -= taken;
      if (taken === 0 || line_item_id === null) return [];
      return [{ shipment_id: shipment.id, line_item_id, variant_id, state, quantity: taken }];
    });
}

/**
 * Puts goods of a line into a shipment: on hand or backordered by its location's stock, which a completed order's are
 * taken from at once. Expects the line stored. @throws InvalidResource `quantity`
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
    order_id: order.id,
    shipment_id: shipment.id,
    line_item_id: demand.line_item_id,
    variant_id: demand.variant_id,
    state,
    quantity,
  }));
  await insertUnits(tx, units, { pending: order.completed_at === null });
  await unstockSupply(tx, order, supply, shipment);
}

/** Where units go to: a shipment, and where that leaves from. */
export type Destination = Pick<ShipmentGraph, 'id' | 'stock_location_id'>;

/**
 * Moves units of a shipment that have not left into another one (or the same, at another location): `goods` of them,
 * or all. At another location they are filled from its stock and given back where they came from; at the same one they
 * stay what they are, and no stock moves. Expects what `takeOutUnits` does. @throws InvalidResource `quantity`
 */
export async function moveUnits(
  tx: Tx,
  order: LockedOrderGraph,
  move: { from: ShipmentGraph; to: Destination; goods?: Demand },
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  const { from, to, goods } = move;
  const units = await findUnshippedUnits(tx, from.id, goods ?? null);
  if (from.stock_location_id === to.stock_location_id) {
    await reassignUnits(
      tx,
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
  const left = new Map([...supply.fills].map(([variant_id, fill]) => [variant_id, fill.on_hand]));
  const refilled = units.map((unit) => ({ ...unit, fill: assignFillState(left, unit.variant_id) }));
  await reassignUnits(tx, refilled, to.id);
  await unstockSupply(tx, order, supply, to);
  if (order.completed_at !== null) {
    await restockUnits(tx, order, listRestock(from, goods), onBackordersFilled);
  }
}

function sumDemands(units: readonly UnshippedUnit[]): Demand[] {
  const quantities = new Map<number, number>();
  for (const { variant_id } of units) quantities.set(variant_id, (quantities.get(variant_id) ?? 0) + 1);
  return [...quantities].map(([variant_id, quantity]) => ({ variant_id, quantity }));
}

function assignFillState(left: Map<number, number>, variantId: number): FillState {
  const on_hand = left.get(variantId) ?? 0;
  left.set(variantId, on_hand - 1);
  return on_hand > 0 ? 'on_hand' : 'backordered';
}
