import { userIdOf, type Ctx } from '../../context';
import { InvalidResource } from '../../errors';
import { loadStockByLocation } from '../../inventory/availability';
import { lockStockAt, returnStock, takeStock, type PlacedChange } from '../../inventory/stock-ledger';
import { placeKey } from '../../inventory/stock-place';
import type { Tx } from '../../platform/database/transaction';
import { findGoods } from '../checkout/goods.repository';
import { deleteUnits, type UnitGroup } from '../inventory-units/inventory-units.repository';
import type { OrderGraph, ShipmentGraph } from '../orders/order-graph';
import { deleteEmptyShipments, insertShipments, insertUnits } from './proposed-shipments.repository';
import { packOrder, type Package } from './stock-coordinator';

/** How many units a line of a completed order is to have. */
export interface SoldLine {
  line_item_id: number;
  variant_id: number;
  quantity: number;
}

/**
 * Makes the units of a completed order's lines as many as the lines say: goods leave the shelves for added units and
 * come back for removed ones (behaviour 6.7). Added units join an unshipped shipment of their location, or get one of
 * their own. Shipments left empty go. Expects the order locked and added lines stored; `order` as it was before.
 * @throws InvalidResource under `line_items.quantity` when shipped units would have to go, or nobody has the goods
 */
export async function moveSoldUnits(
  tx: Tx,
  ctx: Ctx,
  order: OrderGraph,
  lines: readonly SoldLine[],
): Promise<void> {
  const units = order.shipments.flatMap((shipment) => shipment.units);
  const moves = lines.map((line) => {
    const own = units.filter((unit) => unit.line_item_id === line.line_item_id);
    return { ...line, by: line.quantity - own.reduce((all, unit) => all + unit.quantity, 0) };
  });
  await removeUnits(
    tx,
    ctx,
    order,
    moves.filter((move) => move.by < 0),
  );
  await addUnits(
    tx,
    order,
    moves.filter((move) => move.by > 0),
  );
}

type Move = SoldLine & { by: number };

const isOpen = (shipment: ShipmentGraph): boolean =>
  shipment.state === 'pending' || shipment.state === 'ready';

async function removeUnits(tx: Tx, ctx: Ctx, order: OrderGraph, moves: readonly Move[]): Promise<void> {
  const groups = moves.flatMap((move) => groupsToRemove(order, move));
  if (groups.length === 0) return;
  const locationOf = new Map(order.shipments.map((shipment) => [shipment.id, shipment.stock_location_id]));
  await deleteUnits(tx, groups);
  const returned = groups.map((group): PlacedChange => ({
    stock_location_id: locationOf.get(group.shipment_id) ?? 0,
    variant_id: group.variant_id,
    quantity: group.quantity,
    action: 'taken off the order',
    originator: { type: 'Store::Shipment', id: group.shipment_id },
    fills_backorders: group.state === 'on_hand',
  }));
  await returnStock(tx, returned, (order_ids) =>
    ctx.onBackordersFilled(tx, {
      order_ids: order_ids.filter((id) => id !== order.id),
      user_id: userIdOf(ctx.actor),
    }),
  );
  await deleteEmptyShipments(tx, order.id);
}

/** The newest shipment gives first, and what is backordered before what lies there. */
function groupsToRemove(order: OrderGraph, move: Move): UnitGroup[] {
  const groups: UnitGroup[] = [];
  let left = -move.by;
  for (const shipment of order.shipments.filter(isOpen).reverse()) {
    for (const state of ['backordered', 'on_hand'] as const) {
      const present = shipment.units.find(
        (unit) => unit.line_item_id === move.line_item_id && unit.state === state,
      );
      const quantity = Math.min(left, present?.quantity ?? 0);
      if (quantity === 0) continue;
      const { line_item_id, variant_id } = move;
      groups.push({ shipment_id: shipment.id, line_item_id, variant_id, state, quantity });
      left -= quantity;
    }
  }
  if (left === 0) return groups;
  throw new InvalidResource({ 'line_items.quantity': ['cannot be less than the number of shipped units.'] });
}

async function addUnits(tx: Tx, order: OrderGraph, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const packages = await packAndTake(tx, order, moves);
  const joined = packages.flatMap(({ box, shipment }) =>
    shipment === undefined ? [] : unitsOf(order, box, shipment.id),
  );
  await insertUnits(tx, joined, { pending: false });
  const unplaced = packages.filter(({ shipment }) => shipment === undefined);
  await insertShipments(
    tx,
    unplaced.map(({ box }) => ({
      order_id: order.id,
      stock_location_id: box.stock_location_id,
      cost: '0.0',
      units: box.contents.map((content) => ({ ...content, state: box.state })),
      rates: [],
    })),
    { pending: false },
  );
}

function unitsOf(order: OrderGraph, box: Package, shipment_id: number) {
  return box.contents.map((content) => ({ ...content, state: box.state, order_id: order.id, shipment_id }));
}

interface PlacedPackage {
  box: Package;
  /** The unshipped shipment it joins; undefined when it needs one of its own. */
  shipment: ShipmentGraph | undefined;
}

/** Decides by the locked counts where added units come from, and takes them there. */
async function packAndTake(tx: Tx, order: OrderGraph, moves: readonly Move[]): Promise<PlacedPackage[]> {
  const variantIds = [...new Set(moves.map((move) => move.variant_id))];
  const goods = await findGoods(tx, variantIds, order.currency);
  const { locations, shelves } = await loadStockByLocation(tx, variantIds);
  const locked = await lockStockAt(tx, shelves);
  const items = moves.flatMap((move) => {
    const known = goods.get(move.variant_id);
    return known === undefined ? [] : [{ ...known, line_item_id: move.line_item_id, quantity: move.by }];
  });
  const plan = packOrder(items, locked, locations);
  if (plan.shortages.length > 0) {
    throw new InvalidResource({ 'line_items.quantity': ['is more than there is in stock'] });
  }
  const present = new Set(locked.map(placeKey));
  const taken = plan.packages.flatMap(({ stock_location_id, contents }) =>
    contents.map(({ variant_id, quantity }): PlacedChange => ({
      stock_location_id,
      variant_id,
      quantity,
      action: 'added to the order',
    })),
  );
  await takeStock(
    tx,
    locked,
    taken.filter((change) => present.has(placeKey(change))),
  );
  return plan.packages.map((box) => ({
    box,
    shipment: order.shipments.find(
      (shipment) => isOpen(shipment) && shipment.stock_location_id === box.stock_location_id,
    ),
  }));
}
