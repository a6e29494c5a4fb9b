import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { InvalidResource, requireFound } from '../../platform/errors';
import { roundMoney, toAmount, ZERO } from '../../platform/money';
import { type MoneyDisplay, pickDisplay } from '../../platform/money-format';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { mapPage, type Page } from '../../platform/query-builder/page';
import { createDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { NegativeAmount } from '../order-updater/recalculate-order';
import { loadOrderGraph } from '../order/load-order-graph';
import { getAuthorizedOrder } from '../order/order-access';
import { isMerged } from '../order/merged-shipment';
import type { AdjustmentRow, OrderGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import { authorizeOrderChange, rejectCanceled, type ChangeableOrder } from '../order/sold-order-policy';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { findAdjustmentPage } from '../pricing/adjustments.repository';
import { buildAdjustment } from '../pricing/new-adjustment';
import type { AdjustmentAttributes, AdjustmentChanges } from './adjustments.schema';

/** An adjustment in a path: the number of its order, and its id. */
export interface AdjustmentPath {
  number: string;
  id: number;
}

/** An adjustment, and how its order shows amounts. */
export interface ListedAdjustment extends MoneyDisplay {
  adjustment: AdjustmentRow;
}

/**
 * Returns one page of the adjustments of an order, its line items and its shipments.
 * @throws NotFound, NotAuthorized
 */
export async function listAdjustments(
  ctx: Ctx,
  number: string,
  list: ListQuery,
): Promise<Page<ListedAdjustment>> {
  const order = await getAuthorizedOrder(ctx, number);
  return mapPage(await findAdjustmentPage(ctx.db, order.id, list), (adjustment) => ({
    adjustment,
    ...pickDisplay(order),
  }));
}

/** Returns an adjustment of an order, its line items or its shipments. @throws NotFound, NotAuthorized */
export async function getAdjustment(ctx: Ctx, { number, id }: AdjustmentPath): Promise<ListedAdjustment> {
  const order = await getAuthorizedOrder(ctx, number);
  const { adjustments } = await loadOrderGraph(ctx.db, order.id);
  return { adjustment: requireFound(adjustments.find((one) => one.id === id)), ...pickDisplay(order) };
}

/**
 * Creates a manual adjustment of an order, or of one of its line items or shipments, and recalculates the order.
 * @throws NotFound, NotAuthorized; InvalidResource, with `amount` if something would cost less than nothing
 */
export async function createAdjustment(
  ctx: Ctx,
  number: string,
  attributes: AdjustmentAttributes,
): Promise<ListedAdjustment> {
  return changeOrder(ctx, number, 'adjustment created', (order) => {
    const { label, line_item_id = null, shipment_id = null } = attributes;
    rejectOtherParts(order, { line_item_id, shipment_id });
    const taxed = readTaxed(attributes.taxed, { line_item_id, shipment_id });
    const amount = readAmount(attributes.amount, order);
    const source = { source_type: null, source_id: null };
    const adjustment = buildAdjustment(order, { label, amount, line_item_id, shipment_id, ...source, taxed });
    return { adjustment, adjustments: [...order.adjustments, adjustment] };
  });
}

/**
 * Changes a manual adjustment and recalculates its order.
 * @throws as `createAdjustment`; InvalidResource `base` for a tax, a discount or the credit of a return
 */
export async function changeAdjustment(
  ctx: Ctx,
  { number, id }: AdjustmentPath,
  changes: AdjustmentChanges,
): Promise<ListedAdjustment> {
  return changeOrder(ctx, number, 'adjustment changed', (order) => {
    const adjustment = getManualAdjustment(order, id);
    const amount = changes.amount === undefined ? undefined : readAmount(changes.amount, order);
    const changed = {
      ...adjustment,
      ...omitUndefined({ label: changes.label, amount }),
      ...(changes.taxed !== undefined && { taxed: readTaxed(changes.taxed, adjustment) }),
    };
    const adjustments = order.adjustments.map((row) => (row === adjustment ? changed : row));
    return { adjustment: changed, adjustments };
  });
}

/** Deletes a manual adjustment and recalculates its order. @throws as `changeAdjustment` */
export async function removeAdjustment(ctx: Ctx, { number, id }: AdjustmentPath): Promise<void> {
  await changeOrder(ctx, number, 'adjustment removed', (order) => {
    const adjustment = getManualAdjustment(order, id);
    return { adjustment, adjustments: order.adjustments.filter((row) => row !== adjustment) };
  });
}

/**
 * Locks an order, changes one of its manual adjustments and recalculates it. All writes of manual adjustments pass
 * through here.
 */
async function changeOrder(
  ctx: Ctx,
  number: string,
  reason: string,
  change: (order: ChangeableOrder) => { adjustment: AdjustmentRow; adjustments: AdjustmentRow[] },
): Promise<ListedAdjustment> {
  const cause = { user_id: findUserId(ctx.actor), reason };
  return withOrderTransaction(ctx, number, async (tx) => {
    const order = authorizeOrderChange(ctx.actor, await lockOrder(tx, { number, credentials: ctx }));
    rejectCanceled(order);
    const { adjustment, adjustments } = change(order);
    const draft = { ...createDraft(order), order: { ...order, adjustments } };
    try {
      const stored = await saveRecalculated(tx, draft, cause);
      return { adjustment: findStored(order, stored, adjustment), ...pickDisplay(order) };
    } catch (error) {
      throw error instanceof NegativeAmount ? new NegativeAmount('amount') : error;
    }
  });
}

/** Finds the changed adjustment in the stored order, or the only new one that staff made; itself if it was deleted. */
function findStored(before: OrderGraph, stored: OrderGraph, changed: AdjustmentRow): AdjustmentRow {
  const known = new Set(before.adjustments.map(({ id }) => id));
  const isStored = (row: AdjustmentRow): boolean =>
    changed.id < 0 ? row.source_type === null && !known.has(row.id) : row.id === changed.id;
  return stored.adjustments.find(isStored) ?? changed;
}

function readAmount(amount: string, { currency }: ChangeableOrder): string {
  const rounded = roundMoney(amount, currency);
  if (toAmount(rounded) === ZERO) throw new InvalidResource({ amount: ['must be other than 0'] });
  return rounded;
}

/** @throws InvalidResource if an adjustment of the whole order, which has no tax rate of its own, is to be taxed */
function readTaxed(taxed: boolean | null | undefined, { line_item_id, shipment_id }: Owner): boolean {
  if (taxed !== true) return false;
  if (line_item_id === null && shipment_id === null) {
    throw new InvalidResource({ taxed: ['needs a line item or a shipment'] });
  }
  return true;
}

type Owner = Pick<AdjustmentRow, 'line_item_id' | 'shipment_id'>;

/** @throws InvalidResource unless only one is given, and it is a part of the order that can cost something */
function rejectOtherParts(order: ChangeableOrder, { line_item_id, shipment_id }: Owner): void {
  if (line_item_id !== null && !order.line_items.some(({ id }) => id === line_item_id)) {
    throw new InvalidResource({ line_item_id: ['is invalid'] });
  }
  if (shipment_id === null) return;
  const shipment = order.shipments.find(({ id }) => id === shipment_id);
  if (line_item_id !== null || shipment === undefined) {
    throw new InvalidResource({ shipment_id: ['is invalid'] });
  }
  if (shipment.state === 'canceled' && !isMerged(order, shipment)) {
    throw new InvalidResource({ shipment_id: ['is canceled'] });
  }
}

/** @throws NotFound; InvalidResource if the adjustment is calculated or belongs to a return */
function getManualAdjustment(order: ChangeableOrder, id: number): AdjustmentRow {
  const adjustment = requireFound(order.adjustments.find((one) => one.id === id));
  if (adjustment.source_type !== null) {
    throw new InvalidResource({ base: ['Taxes, discounts and credits of returns cannot be changed'] });
  }
  return adjustment;
}
