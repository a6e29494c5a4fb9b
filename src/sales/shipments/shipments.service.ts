import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { InvalidResource, NotAuthorized, NotFound, Refused } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import type { Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { Ending } from '../../platform/perform';
import { findUnitsOfShipments, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import { rejectCanceled } from '../order-input/order-contents';
import { loadOrderGraphs, type OrderGraph, type ShipmentGraph } from '../order/order-graph';
import { lockOrderGraphById, type LockedOrderGraph } from '../order/order-lock';
import { updateOrder } from '../order-updater/order-updater';
import type { Cause } from '../order/state-changes.repository';
import { findOrderKey } from '../order/orders.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { deleteEmptyShipments, insertEmptyShipment } from '../fulfilment/proposed-shipments.repository';
import { refreshRates } from '../fulfilment/refresh-rates';
import { applyShipmentAttributes, buildRestockEstimate } from './shipment-attributes';
import { lowerLines, raiseLine } from './shipment-lines';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import {
  chooseUnits,
  listRestock,
  countUnshippedUnits,
  addUnitsToShipment,
  refuseShipped,
  removeUnits,
} from '../fulfilment/shipment-units';
import { performOnShipment } from '../fulfilment/perform-on-shipment';
import type { ContentChange, ShipmentAttributes, ShipmentCreateInput } from './shipments.schema';
import { findOwnShipmentPage, findShipmentKey } from '../fulfilment/shipments.repository';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { notifyOrders } from '../../inventory/backorders';

/** A shipment in its order, with all its parts. */
export interface PlacedShipment {
  order: OrderGraph;
  shipment: ShipmentGraph;
}

/** @throws NotFound */
export async function requireShipment(ctx: Ctx, number: string): Promise<void> {
  if ((await findShipmentKey(ctx.db, number)) === undefined) throw new NotFound();
}

/** A shipment of the caller's own orders, unit by unit. */
export interface OwnShipment extends PlacedShipment {
  units: InventoryUnitRow[];
}

/** Shipments of the caller's orders, in whatever state those are; the newest first. @throws NotAuthorized to guests */
export async function listOwnShipments(ctx: Ctx, list: ListQuery): Promise<Page<OwnShipment>> {
  const userId = findUserId(ctx.actor);
  if (userId === null) throw new NotAuthorized();
  const page = await findOwnShipmentPage(ctx.db, userId, list);
  const orders = await loadOrderGraphs(ctx.db, [...new Set(page.rows.map((key) => key.order_id))]);
  const units = await findUnitsOfShipments(
    ctx.db,
    page.rows.map((key) => key.id),
  );
  const shipments = new Map(
    orders.flatMap((order) => order.shipments.map((shipment) => [shipment.id, { order, shipment }])),
  );
  const rows = page.rows.flatMap(({ id }) => {
    const placed = shipments.get(id);
    return placed === undefined
      ? []
      : [{ ...placed, units: units.filter((unit) => unit.shipment_id === id) }];
  });
  return { ...page, rows };
}

/**
 * A shipment made by hand, with goods of one variant; the order's line grows by as many (behaviour 10.3). Where the order
 * is in checkout it stays, and no stock moves yet.
 * @throws NotFound for an order, location or variant that is not there; InvalidResource; PaymentInProgress (409)
 */
export async function createShipment(ctx: Ctx, input: ShipmentCreateInput): Promise<PlacedShipment> {
  const demand = { variant_id: input.variant_id, quantity: input.quantity ?? 1 };
  return withTransactionAfterPayments(ctx, async (tx) => {
    const key = await findOrderKey(tx, input.order_id);
    if (key === undefined) throw new NotFound();
    const order = await lockOrderGraphById(tx, key);
    const location = await lockStockLocationForUse(tx, input.stock_location_id);
    if (location === undefined) throw new NotFound();
    const line_item_id = await raiseLine(tx, order, demand, ctx);
    const id = await insertEmptyShipment(tx, order, location.id);
    await addUnitsToShipment(tx, order, { id, stock_location_id: location.id }, { ...demand, line_item_id });
    await refreshRates(tx, order, [id]);
    return getPlacedShipment(await updateOrder(tx, order, buildCause(ctx, 'create')), id);
  });
}

/**
 * Changes tracking, number, location or rate of a shipment; cost, totals and states follow.
 * @throws NotFound, InvalidResource, PaymentInProgress
 */
export async function changeShipment(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockShipment(tx, number, buildRestockEstimate(attributes));
    return changeAttributes(tx, locked, { attributes, cause: buildCause(ctx, 'update') }, notifyOrders(ctx, tx));
  });
}

async function changeAttributes(
  tx: Tx,
  locked: LockedShipment,
  { attributes, cause }: { attributes: ShipmentAttributes; cause: Cause },
  onBackordersFilled: OnBackordersFilled,
): Promise<{ order: LockedOrderGraph; shipment: ShipmentGraph }> {
  await applyShipmentAttributes(tx, locked, attributes, onBackordersFilled);
  return getPlacedShipment(await updateOrder(tx, locked.order, cause), locked.shipment.id);
}

/**
 * Asks that a shipment be ready; it is when its state says so, which is computed, never forced (behaviour 10.1).
 * @throws NotFound, InvalidResource; Refused unless it is ready or shipped, and then the attributes are not kept
 */
export async function markShipmentReady(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockShipment(tx, number, buildRestockEstimate(attributes));
    const cause = buildCause(ctx, 'ready');
    const now = await changeAttributes(tx, locked, { attributes, cause }, notifyOrders(ctx, tx));
    throwShipmentRefusal(await performOnShipment(tx, 'ready', { ...now, at: ctx.now(), cause }));
    return now;
  });
}

/** @throws Refused with the specification's sentence, which rolls the transaction back */
export function throwShipmentRefusal(ending: Ending<never, void>): void {
  if (ending.ended === 'refused') throw new Refused(ending.errors['base']?.join(' '));
}

/**
 * Puts more goods into a shipment, from its own location; the order's line grows by as many.
 * @throws NotFound, InvalidResource, PaymentInProgress
 */
export async function addToShipment(
  ctx: Ctx,
  number: string,
  change: ContentChange,
): Promise<PlacedShipment> {
  const demand = { variant_id: change.variant_id, quantity: change.quantity ?? 1 };
  return withTransactionAfterPayments(ctx, async (tx) => {
    const { order, shipment } = await lockShipment(tx, number);
    refuseShipped(shipment);
    const line_item_id = await raiseLine(tx, order, demand, ctx);
    await addUnitsToShipment(tx, order, shipment, { ...demand, line_item_id });
    await refreshRates(tx, order, [shipment.id]);
    return getPlacedShipment(await updateOrder(tx, order, buildCause(ctx, 'add')), shipment.id);
  });
}

/**
 * Takes goods out of a shipment, all it has of the variant unless told; the order's line shrinks by as many, a completed
 * order's goods go back to the shelves. A shipment left empty is gone; what is answered is the last that was seen of it.
 * @throws NotFound also when the variant is not in it; InvalidResource, PaymentInProgress
 */
export async function removeFromShipment(
  ctx: Ctx,
  number: string,
  change: ContentChange,
): Promise<PlacedShipment> {
  const { variant_id } = change;
  const goods = { variant_id, ...(change.quantity != null && { quantity: change.quantity }) };
  return withTransactionAfterPayments(ctx, async (tx) => {
    const { order, shipment } = await lockShipment(tx, number, (one) => listRestock(one, goods));
    refuseShipped(shipment);
    rejectCanceled(order);
    const present = countUnshippedUnits(shipment, variant_id);
    if (present === 0) throw new NotFound();
    const quantity = goods.quantity ?? present;
    if (quantity > present) {
      throw new InvalidResource({ quantity: [`must be less than or equal to ${present}`] });
    }
    const removed = chooseUnits(shipment, { variant_id }, quantity);
    await removeUnits(tx, order, removed, notifyOrders(ctx, tx));
    const patch = await lowerLines(tx, order, removed);
    await deleteEmptyShipments(tx, order);
    await refreshRates(tx, order, [shipment.id]);
    const after = await updateOrder(tx, order, buildCause(ctx, 'remove'), patch);
    const isLeft = after.shipments.some(({ id }) => id === shipment.id);
    return isLeft ? getPlacedShipment(after, shipment.id) : { order: after, shipment: { ...shipment, units: [] } };
  });
}

/** Who asks for what, in the words of the history. */
export function buildCause(ctx: Ctx, event: string): Cause {
  return { user_id: findUserId(ctx.actor), reason: `shipment ${event}` };
}

/** @throws Error when the order has no such shipment, a bug */
export function getPlacedShipment<O extends OrderGraph>(order: O, id: number): { order: O; shipment: ShipmentGraph } {
  const shipment = order.shipments.find((candidate) => candidate.id === id);
  if (shipment === undefined) throw new Error(`shipment ${id} is gone`);
  return { order, shipment };
}
