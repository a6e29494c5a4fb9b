import { findUserId } from '../../access/actor';
import { DAY_MS } from '../../platform/calendar';
import { InvalidResource, Refused } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import {
  findDefaultLocationId,
  findStockLocation,
} from '../../inventory/stock-locations/stock-locations.repository';
import type { Ctx } from '../context';
import { buildEditor } from '../order-input/editor';
import { getAuthorizedOrder } from '../order/order-access';
import { lockOrder } from '../order/order-lock';
import { insertStateChanges } from '../order/state-changes.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import type { ReturnReasonRow } from '../return-authorization-reasons/return-authorization-reasons.definition';
import { findOfferedReturnReasons } from '../return-authorization-reasons/return-authorization-reasons.repository';
import { NO_AMOUNT } from './return-attributes';
import {
  attachItems,
  findRequestedReturns,
  insertReturnAuthorization,
  type ReturnAuthorizationRow,
} from './return-authorizations.repository';
import { buildStateChange, performOnReturn } from './return-events';
import { lockReturn, type ReturnPath } from './return-lock';
import type { ReturnRequestInput } from './return-requests.schema';
import { findRequestErrors } from './return-rules';
import {
  findRequestedItems,
  findReturnableLines,
  findReturnDays,
  insertRequestedItems,
  type RequestedItem,
  type ReturnableLine,
} from './return-requests.repository';

/** A return that a customer requested, with its items. */
export type RequestedReturn = ReturnAuthorizationRow & { requested_items: RequestedItem[] };

/** What a customer may return now, and the reasons to choose from. */
export interface ReturnOffer {
  lines: ReturnableLine[];
  reasons: ReturnReasonRow[];
}

/** Returns what the customer of an order may return now: nothing if the store takes no requests. @throws NotFound, NotAuthorized */
export async function getReturnOffer(ctx: Ctx, number: string): Promise<ReturnOffer> {
  const order = await getAuthorizedOrder(ctx, number);
  return {
    lines: await listReturnable(ctx, ctx.db, order.id),
    reasons: await findOfferedReturnReasons(ctx.db),
  };
}

/** Returns the requests of an order, oldest first. @throws NotFound, NotAuthorized */
export async function listReturnRequests(ctx: Ctx, number: string): Promise<RequestedReturn[]> {
  const order = await getAuthorizedOrder(ctx, number);
  return attachItems(ctx.db, await findRequestedReturns(ctx.db, order.id));
}

/**
 * Requests the return of shipped units, as the customer of the order. The units are not reserved: staff approve the
 * request, which puts them on the return, or decline it. Locks the order.
 * @throws NotFound, NotAuthorized; Refused if the store takes no requests; InvalidResource if more units are requested
 *   than have shipped within the days of the store and are on no other return or request
 */
export async function requestReturn(
  ctx: Ctx,
  number: string,
  { items, memo }: ReturnRequestInput,
): Promise<RequestedReturn> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const order = await lockOrder(tx, { number, credentials: ctx });
    if ((await findReturnDays(tx)) === 0) throw new Refused('The store takes no requests for returns.');
    const lines = await listReturnable(ctx, tx, order.id);
    const reasons = await findOfferedReturnReasons(tx);
    const errors = findRequestErrors(items, { lines, reasons });
    if (errors !== null) throw new InvalidResource(errors);
    const [first] = items;
    const line = lines.find(({ line_item_id }) => line_item_id === first?.line_item_id);
    if (first === undefined || line === undefined) throw new Error('a valid request has an item');
    const authorization = await insertReturnAuthorization(tx, order, {
      state: 'requested',
      stock_location_id: await findUsableLocation(tx, line.stock_location_id),
      return_authorization_reason_id: first.reason_id,
      ...NO_AMOUNT,
      memo: memo ?? null,
      customer_memo: memo ?? null,
      decline_reason: null,
    });
    await insertRequestedItems(tx, authorization, items);
    const cause = { user_id: findUserId(ctx.actor), reason: 'return authorization request' };
    const created = buildStateChange({ ...authorization, state: null }, authorization.state, cause);
    await insertStateChanges(tx, [created]);
    return { ...authorization, requested_items: await findRequestedItems(tx, [authorization.id]) };
  });
}

/**
 * Approves a requested return: its items are put on it, and it becomes an authorization.
 * @throws NotFound, NotAuthorized; InvalidResource `quantity` if units are on another return meanwhile; TransitionRefused
 */
export async function approveReturn(ctx: Ctx, path: ReturnPath): Promise<ReturnAuthorizationRow> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockReturn(tx, ctx, path, { receives: false });
    const items = await findRequestedItems(tx, [locked.authorization.id]);
    return performOnReturn(tx, buildEditor(ctx, tx), locked, { event: 'approve', items });
  });
}

/** Declines a requested return. @throws NotFound, NotAuthorized, TransitionRefused */
export async function declineReturn(
  ctx: Ctx,
  path: ReturnPath,
  reason: string | null,
): Promise<ReturnAuthorizationRow> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockReturn(tx, ctx, path, { receives: false });
    const changes = { decline_reason: reason };
    return performOnReturn(tx, buildEditor(ctx, tx), locked, { event: 'decline', changes });
  });
}

async function listReturnable(ctx: Ctx, db: Db, orderId: number): Promise<ReturnableLine[]> {
  const days = await findReturnDays(db);
  if (days === 0) return [];
  return findReturnableLines(db, orderId, new Date(ctx.now().getTime() - days * DAY_MS));
}

/** Returns the location that shipped the units if it still exists, else the default one. */
async function findUsableLocation(tx: Tx, id: number): Promise<number> {
  if ((await findStockLocation(tx, id)) !== undefined) return id;
  return (await findDefaultLocationId(tx)) ?? id;
}
