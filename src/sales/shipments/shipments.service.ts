import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { InvalidResource, NotAuthorized, NotFound, Refused } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import type { Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { Ending } from '../../platform/perform';
import { findUnitsOfShipments, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import { rejectCanceled } from '../order/sold-order-policy';
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

/** A shipment and its order, with their nested records. */
export interface PlacedShipment {
  order: OrderGraph;
  shipment: ShipmentGraph;
}

/** Checks that a shipment has or had this number. @throws NotFound */
export async function requireShipment(ctx: Ctx, number: string): Promise<void> {
  if ((await findShipmentKey(ctx.db, number)) === undefined) throw new NotFound();
}

/** A shipment of one of the actor's orders, with its units. */
export interface OwnShipment extends PlacedShipment {
  units: InventoryUnitRow[];
}

/**
 * Returns one page of the shipments of the actor's orders, in any state, newest first.
 * @throws NotAuthorized for guests
 */
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
 * Creates a shipment with units of one variant, and adds them to the order's line item. An incomplete
 * order keeps its state, and no stock moves yet.
 * @throws NotFound if the order, location or variant does not exist; InvalidResource; PaymentInProgress (409)
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
    await addUnitsToShipment(
      tx,
      order,
      { id, stock_location_id: location.id },
      { ...demand, line_item_id, user_id: findUserId(ctx.actor) },
    );
    await refreshRates(tx, order, [id]);
    return getPlacedShipment(await updateOrder(tx, order, buildCause(ctx, 'create')), id);
  });
}

/**
 * Updates tracking, number, location or rate of a shipment, and with them its cost and the totals and states.
 * @throws NotFound, InvalidResource, PaymentInProgress
 */
export async function changeShipment(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockShipment(tx, number, buildRestockEstimate(attributes));
    return changeAttributes(
      tx,
      locked,
      { attributes, cause: buildCause(ctx, 'update') },
      notifyOrders(ctx, tx),
    );
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
 * Updates a shipment and requires that it is ready. The state is calculated, never forced.
 * @throws NotFound, InvalidResource, PaymentInProgress; Refused unless it is ready or shipped, which also discards the
 *   attributes
 */
export async function markShipmentReady(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockShipment(tx, number, buildRestockEstimate(attributes));
    const cause = buildCause(ctx, 'ready');
    const placed = await changeAttributes(tx, locked, { attributes, cause }, notifyOrders(ctx, tx));
    throwShipmentRefusal(await performOnShipment(tx, 'ready', { ...placed, at: ctx.now(), cause }));
    return placed;
  });
}

/** @throws Refused with the specification's message if the event was refused; this rolls the transaction back */
export function throwShipmentRefusal(ending: Ending<never, void>): void {
  if (ending.ended === 'refused') throw new Refused(ending.errors['base']?.join(' '));
}

/**
 * Adds units to a shipment, from the stock of its location, and to the order's line item.
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
    const user_id = findUserId(ctx.actor);
    await addUnitsToShipment(tx, order, shipment, { ...demand, line_item_id, user_id });
    await refreshRates(tx, order, [shipment.id]);
    return getPlacedShipment(await updateOrder(tx, order, buildCause(ctx, 'add')), shipment.id);
  });
}

/**
 * Removes units of a variant from a shipment, and from the order's line item. The quantity defaults to all units of the
 * variant. The units of a complete order are restocked. An empty shipment is deleted, and returned without units.
 * @throws NotFound also if the shipment has no units of the variant; InvalidResource, PaymentInProgress
 */
export async function removeFromShipment(
  ctx: Ctx,
  number: string,
  change: ContentChange,
): Promise<PlacedShipment> {
  const { variant_id } = change;
  const limit = { variant_id, ...(change.quantity != null && { quantity: change.quantity }) };
  return withTransactionAfterPayments(ctx, async (tx) => {
    const { order, shipment } = await lockShipment(tx, number, (one) => listRestock(one, limit));
    refuseShipped(shipment);
    rejectCanceled(order);
    const present = countUnshippedUnits(shipment, variant_id);
    if (present === 0) throw new NotFound();
    const quantity = limit.quantity ?? present;
    if (quantity > present) {
      throw new InvalidResource({ quantity: [`must be less than or equal to ${present}`] });
    }
    const removed = chooseUnits(shipment, { variant_id }, quantity);
    await removeUnits(tx, order, removed, notifyOrders(ctx, tx));
    const patch = await lowerLines(tx, order, removed);
    await deleteEmptyShipments(tx, order);
    await refreshRates(tx, order, [shipment.id]);
    const updated = await updateOrder(tx, order, buildCause(ctx, 'remove'), patch);
    const isLeft = updated.shipments.some(({ id }) => id === shipment.id);
    return isLeft
      ? getPlacedShipment(updated, shipment.id)
      : { order: updated, shipment: { ...shipment, units: [] } };
  });
}

/** Builds the cause of a change for the history: the actor and the event. */
export function buildCause(ctx: Ctx, event: string): Cause {
  return { user_id: findUserId(ctx.actor), reason: `shipment ${event}` };
}

/** Returns a shipment of the order with the order. @throws Error if the order has no such shipment, which is a bug */
export function getPlacedShipment<O extends OrderGraph>(
  order: O,
  id: number,
): { order: O; shipment: ShipmentGraph } {
  const shipment = order.shipments.find((candidate) => candidate.id === id);
  if (shipment === undefined) throw new Error(`shipment ${id} is gone`);
  return { order, shipment };
}
