import type { Ctx } from '../context';
import { findUserId, type Actor } from '../../access/actor';
import { InvalidResource, NotAuthorized, NotFound, Refused, requireFound } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { FULFILMENT_FACTS } from '../fulfilment/fulfilment-facts';
import { findUnitsOfShipments, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import { rejectCanceled } from '../order/sold-order-policy';
import { loadOrderGraphs } from '../order/load-order-graph';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { createDraft, patchDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import type { Cause } from '../order/state-changes.repository';
import { findOrderKey } from '../order/orders.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { removeEmptyShipments } from '../fulfilment/moved-freight';
import { addShipment, buildEmptyShipment } from '../fulfilment/new-shipment';
import { refreshRates } from '../fulfilment/refresh-rates';
import { takeReleasedFreights } from '../fulfilment/released-freights';
import { releaseFreights } from '../fulfilment/released-freights.repository';
import { applyShipmentAttributes, buildRestockEstimate } from './shipment-attributes';
import { lowerLines } from '../fulfilment/shipment-lines';
import { raiseLine } from './raise-line';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import {
  chooseUnits,
  listRestock,
  countUnshippedUnits,
  getShipmentByNumber,
  addUnitsToShipment,
  requireUnshipped,
  removeUnits,
} from '../fulfilment/shipment-units';
import {
  performCancel,
  performOnShipment,
  type PerformedOnShipment,
} from '../fulfilment/perform-on-shipment';
import type { ContentChange, ShipmentAttributes, ShipmentCreateInput } from './shipments.schema';
import {
  findOwnShipmentPage,
  findShipmentKey,
  findShipmentPage,
  type ShipmentKey,
} from '../fulfilment/shipments.repository';
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
  const units = await findUnitsOfShipments(
    ctx.db,
    page.rows.map((key) => key.id),
  );
  const shipments = await loadPlacedShipments(ctx, page.rows);
  const rows = shipments.map((placed) => ({
    ...placed,
    units: units.filter((unit) => unit.shipment_id === placed.shipment.id),
  }));
  return { ...page, rows };
}

/** Returns one page of all shipments, in any state. */
export async function listShipments(ctx: Ctx, list: ListQuery): Promise<Page<PlacedShipment>> {
  const page = await findShipmentPage(ctx.db, list);
  return { ...page, rows: await loadPlacedShipments(ctx, page.rows) };
}

/** Returns the shipment with this current or former number. @throws NotFound */
export async function getShipment(ctx: Ctx, number: string): Promise<PlacedShipment> {
  const key = await findShipmentKey(ctx.db, number);
  return requireFound((key === undefined ? [] : await loadPlacedShipments(ctx, [key]))[0]);
}

/** Loads shipments with their orders. One statement. Omits those that were deleted meanwhile. */
async function loadPlacedShipments(ctx: Ctx, keys: readonly ShipmentKey[]): Promise<PlacedShipment[]> {
  const orders = await loadOrderGraphs(ctx.db, [...new Set(keys.map((key) => key.order_id))]);
  const shipments = new Map(
    orders.flatMap((order) => order.shipments.map((shipment) => [shipment.id, { order, shipment }])),
  );
  return keys.flatMap(({ id }) => shipments.get(id) ?? []);
}

/**
 * Creates a shipment with units of one variant, and adds them to the order's line item. An incomplete
 * order keeps its state, and no stock moves yet.
 * @throws NotFound if the order, location or variant does not exist; InvalidResource; PaymentInProgress (409)
 */
export async function createShipment(ctx: Ctx, input: ShipmentCreateInput): Promise<PlacedShipment> {
  const demand = { variant_id: input.variant_id, quantity: input.quantity ?? 1 };
  return withTransactionAfterPayments(ctx, async (tx) => {
    const key = requireFound(await findOrderKey(tx, input.order_id));
    const order = await lockOrder(tx, { id: key });
    const location = requireFound(await lockStockLocationForUse(tx, input.stock_location_id));
    const raised = await raiseLine(tx, createDraft(order), demand, ctx);
    const shipment = buildEmptyShipment(order, location);
    const units = { ...demand, line_item_id: raised.line_item_id, user_id: findUserId(ctx.actor) };
    const filled = await addUnitsToShipment(tx, addShipment(raised.draft, shipment), shipment, units);
    const cause = buildCause(ctx, 'create');
    const made = getShipmentByNumber(filled.order, shipment.number);
    const taken = await takeReleasedFreights(tx, filled, { shipment: made, cause });
    const rated = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
      refreshRates(facts, taken.draft, [made.id], taken.method_id ?? undefined),
    );
    const saved = await saveRecalculated(tx, rated, cause);
    return { order: saved, shipment: getShipmentByNumber(saved, shipment.number) };
  });
}

/**
 * Updates tracking, number, location, rate or cost of a shipment, and with them the totals and states.
 * @throws NotFound, InvalidResource, PaymentInProgress
 */
export async function changeShipment(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockShipment(tx, number, buildRestockEstimate(attributes));
    const editor = { actor: ctx.actor, onBackordersFilled: notifyOrders(ctx, tx) };
    return changeAttributes(tx, locked, { attributes, cause: buildCause(ctx, 'update') }, editor);
  });
}

async function changeAttributes(
  tx: Tx,
  locked: LockedShipment,
  { attributes, cause }: { attributes: ShipmentAttributes; cause: Cause },
  editor: { actor: Actor; onBackordersFilled: OnBackordersFilled },
): Promise<{ order: LockedOrderGraph; shipment: ShipmentGraph }> {
  const draft = await applyShipmentAttributes(tx, locked, attributes, editor);
  return getPlacedShipment(await saveRecalculated(tx, draft, cause), locked.shipment.id);
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
    const editor = { actor: ctx.actor, onBackordersFilled: notifyOrders(ctx, tx) };
    const placed = await changeAttributes(tx, locked, { attributes, cause }, editor);
    const { order, shipment } = placed;
    const subject = { draft: createDraft(order), shipment, at: ctx.now(), cause };
    throwShipmentRefusal(performOnShipment('ready', subject).ending);
    return placed;
  });
}

/** @throws Refused with the message that clients match if the event was refused; this rolls the transaction back */
export function throwShipmentRefusal(ending: PerformedOnShipment['ending']): void {
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
    rejectCanceled(order);
    requireUnshipped(shipment);
    const { draft, line_item_id } = await raiseLine(tx, createDraft(order), demand, ctx);
    const user_id = findUserId(ctx.actor);
    const filled = await addUnitsToShipment(tx, draft, shipment, { ...demand, line_item_id, user_id });
    const rated = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
      refreshRates(facts, filled, [shipment.id]),
    );
    return getPlacedShipment(await saveRecalculated(tx, rated, buildCause(ctx, 'add')), shipment.id);
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
    rejectCanceled(order);
    requireUnshipped(shipment);
    const present = countUnshippedUnits(shipment, variant_id);
    if (present === 0) throw new NotFound();
    const quantity = limit.quantity ?? present;
    if (quantity > present) {
      throw new InvalidResource({ quantity: [`must be less than or equal to ${present}`] });
    }
    const removed = chooseUnits(shipment, { variant_id }, quantity);
    const cause = buildCause(ctx, 'remove');
    const left = await removeUnits(tx, createDraft(order), removed, notifyOrders(ctx, tx));
    const { patch, parts } = lowerLines(left.order, removed);
    releaseFreights(tx, order);
    const lowered = patchDraft(left, patch, cause);
    const kept = { ...lowered, order: removeEmptyShipments({ ...lowered.order, ...parts }) };
    const rated = await withFacts(tx, FULFILMENT_FACTS, (facts) => refreshRates(facts, kept, [shipment.id]));
    const updated = await saveRecalculated(tx, rated, cause);
    const isLeft = updated.shipments.some(({ id }) => id === shipment.id);
    return isLeft
      ? getPlacedShipment(updated, shipment.id)
      : { order: updated, shipment: { ...shipment, units: [] } };
  });
}

/**
 * Cancels a shipment of a complete order: its unshipped units are restocked and leave their line items, and its cost
 * becomes 0. It stays listed as `canceled`. If units have shipped, the shipment has then shipped, at its cost.
 * Repeatable.
 * @throws NotFound, PaymentInProgress; Refused if it has shipped or the order is not complete; InvalidResource `total`
 *   if the credits of returns exceed the rest of the order
 */
export async function cancelShipment(ctx: Ctx, number: string): Promise<PlacedShipment> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockShipment(tx, number, (shipment) => listRestock(shipment));
    const cause = buildCause(ctx, 'cancel');
    const { order, shipment } = locked;
    const subject = { draft: createDraft(order), shipment, at: ctx.now(), cause };
    const { ending, draft } = await performCancel(tx, subject, notifyOrders(ctx, tx));
    throwShipmentRefusal(ending);
    if (ending.ended !== 'moved') return locked;
    return getPlacedShipment(await saveRecalculated(tx, draft, cause), shipment.id);
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
