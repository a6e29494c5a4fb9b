import { buildEditor } from '../order-input/editor';
import type { Ctx } from '../context';
import { InvalidResource, type FieldErrors } from '../../platform/errors';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findLocationNames } from '../../inventory/stock-locations/stock-locations.repository';
import { getAuthorizedOrder } from '../order/order-access';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import type { ReturnReasonRow } from '../return-authorization-reasons/return-authorization-reasons.definition';
import { findOfferedReturnReasons } from '../return-authorization-reasons/return-authorization-reasons.repository';
import {
  attachItems,
  findReturnAuthorizationPage,
  type ReturnAuthorizationPatch,
  type ReturnAuthorizationRow,
} from './return-authorizations.repository';
import type { ReturnAuthorizationChanges, ReturnedItems } from './return-authorizations.schema';
import { lockReturn, getReturn, type ReturnPath } from './return-lock';
import { findReferences, normalizeAmount } from './return-attributes';
import { performOnReturn, type ReturnRequest } from './return-events';

/** Returns one page of the return authorizations of all orders. */
export async function listAllReturnAuthorizations(
  ctx: Ctx,
  list: ListQuery,
): Promise<Page<ReturnAuthorizationRow>> {
  return withItems(ctx, await findReturnAuthorizationPage(ctx.db, null, list));
}

/** Returns one page of the return authorizations of an order. @throws NotFound, NotAuthorized */
export async function listReturnAuthorizations(
  ctx: Ctx,
  number: string,
  list: ListQuery,
): Promise<Page<ReturnAuthorizationRow>> {
  const order = await getAuthorizedOrder(ctx, number);
  return withItems(ctx, await findReturnAuthorizationPage(ctx.db, order.id, list));
}

/** Returns a return authorization. @throws NotFound also if it belongs to another order; NotAuthorized */
export async function getReturnAuthorization(ctx: Ctx, path: ReturnPath): Promise<ReturnAuthorizationRow> {
  const order = await getAuthorizedOrder(ctx, path.number);
  const authorization = await getReturn(ctx.db, order.id, path.id);
  const [shown = authorization] = await attachItems(ctx.db, [authorization]);
  return shown;
}

async function withItems(
  { db }: Ctx,
  page: Page<ReturnAuthorizationRow>,
): Promise<Page<ReturnAuthorizationRow>> {
  return { ...page, rows: await attachItems(db, page.rows) };
}

/**
 * Returns what a new return of this order may use: the reasons, and the stock locations that its items come back to, the
 * default one first.
 * @throws NotFound, NotAuthorized
 */
export async function listReturnChoices(
  ctx: Ctx,
  number: string,
): Promise<{ reasons: ReturnReasonRow[]; locations: { id: number; name: string }[] }> {
  await getAuthorizedOrder(ctx, number);
  const [reasons, locations] = await Promise.all([
    findOfferedReturnReasons(ctx.db),
    findLocationNames(ctx.db),
  ]);
  return { reasons, locations };
}

/**
 * Updates a return authorization.
 * @throws NotFound, NotAuthorized; InvalidResource, also if it is received or canceled
 */
export async function changeReturnAuthorization(
  ctx: Ctx,
  path: ReturnPath,
  changes: ReturnAuthorizationChanges,
): Promise<ReturnAuthorizationRow> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockReturn(tx, ctx, path, { receives: false });
    const references = await findReferences(tx, changes);
    const errors: FieldErrors = {
      ...(changes.return_authorization_reason_id !== undefined &&
        references.return_authorization_reason_id === null && { reason: ["can't be blank"] }),
      ...(changes.stock_location_id !== undefined &&
        references.stock_location_id === null && { stock_location: ["can't be blank"] }),
    };
    if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
    const patch: ReturnAuthorizationPatch = omitUndefined({
      ...changes,
      amount: undefined,
      ...normalizeAmount(changes.amount, locked.order.currency),
    });
    return performOnReturn(tx, buildEditor(ctx, tx), locked, { event: 'update', changes: patch });
  });
}

/**
 * Deletes a return authorization and releases its units.
 * @throws NotFound, NotAuthorized; InvalidResource if received
 */
export async function removeReturnAuthorization(ctx: Ctx, path: ReturnPath): Promise<void> {
  await performStep(ctx, path, { event: 'delete' });
}

/**
 * Sets the number of shipped units of a variant on the return, and whether they will be restocked. The order becomes
 * `awaiting_return`.
 * @throws NotFound, NotAuthorized; InvalidResource `quantity` if fewer units are shipped and not on another return;
 *   TransitionRefused if the return is received or canceled
 */
export async function addReturnedItems(
  ctx: Ctx,
  path: ReturnPath,
  { variant_id, quantity, restock }: ReturnedItems,
): Promise<ReturnAuthorizationRow> {
  const items = { variant_id, quantity: quantity ?? 1, restock: restock ?? true };
  return performStep(ctx, path, { event: 'add', items });
}

/**
 * Receives a return: restocks its units and credits the order. A second call is refused.
 * @throws NotFound, NotAuthorized; InvalidResource `amount` if it exceeds the order total; TransitionRefused if the
 *   return has no units, or is received or canceled
 */
export async function receiveReturn(ctx: Ctx, path: ReturnPath): Promise<ReturnAuthorizationRow> {
  return performStep(ctx, path, { event: 'receive' });
}

/** Cancels a return and releases its units. @throws NotFound, NotAuthorized; TransitionRefused */
export async function cancelReturn(ctx: Ctx, path: ReturnPath): Promise<ReturnAuthorizationRow> {
  return performStep(ctx, path, { event: 'cancel' });
}

async function performStep(
  ctx: Ctx,
  path: ReturnPath,
  request: ReturnRequest,
): Promise<ReturnAuthorizationRow> {
  return withTransactionAfterPayments(ctx, async (tx) => {
    const locked = await lockReturn(tx, ctx, path, { receives: request.event === 'receive' });
    return performOnReturn(tx, buildEditor(ctx, tx), locked, request);
  });
}
