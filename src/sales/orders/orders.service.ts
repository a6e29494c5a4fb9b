import type { Ctx } from '../context';
import { findUserId, isAdmin } from '../../access/actor';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { applyInput, applyPayment, isOrderChange } from '../order-input/apply-input';
import { buildEditor } from '../order-input/editor';
import type { CheckoutInput } from '../order-input/checkout.schema';
import { preparePayment } from '../order-input/payment-input';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { listStockChanges } from '../fulfilment/sold-units';
import { getAuthorizedOrder } from '../order/order-access';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { loadOrderGraph, loadOrderGraphs } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import { authorizeOrderChange } from '../order/sold-order-policy';
import {
  findCurrentOrderId,
  findOrderPage,
  findOwnOrderIds,
  type ShownOrder,
} from '../order/orders.repository';

/** Returns one page of all orders, without nested records. A blank `text` finds all. */
export async function listOrders(
  ctx: Ctx,
  list: ListQuery,
  { carts, text }: { carts: boolean; text: string | null | undefined },
): Promise<Page<ShownOrder>> {
  return findOrderPage(ctx.db, list, { carts, text: text?.trim() ? text : null });
}

/** Returns one page of the actor's own orders, in every state. Empty for guests. */
export async function listOwnOrders(ctx: Ctx, list: ListQuery): Promise<Page<OrderGraph>> {
  const ids = await findOwnOrderIds(ctx.db, findUserId(ctx.actor) ?? 0, list);
  return { ...ids, rows: await loadOrderGraphs(ctx.db, ids.rows) };
}

/** Returns the actor's newest open order, or null if there is none. */
export async function getCurrentOrder(ctx: Ctx): Promise<OrderGraph | null> {
  const id = await findCurrentOrderId(ctx.db, findUserId(ctx.actor) ?? 0);
  return id === null ? null : loadOrderGraph(ctx.db, id);
}

/** Returns an order with its nested records. @throws NotFound, NotAuthorized */
export async function getOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const order = await getAuthorizedOrder(ctx, number);
  return loadOrderGraph(ctx.db, order.id);
}

/**
 * Applies attributes to an order in any state, without a step of the checkout. Changed line items of a
 * complete order move stock. Shoppers can only pay for a complete order.
 * @throws NotFound, NotAuthorized; InvalidResource or TransitionRefused, and nothing is changed
 */
export async function changeOrder(ctx: Ctx, number: string, input: CheckoutInput): Promise<OrderGraph> {
  const findPayment = await preparePayment(ctx, number, input, { completed: true });
  const cause = { user_id: findUserId(ctx.actor), reason: 'order update' };
  const { order: attributes } = input;
  const rows = attributes.line_items_attributes ?? attributes.line_items ?? [];
  return withOrderTransaction(ctx, number, async (tx) => {
    // Only existing line items can be restocked.
    const restocks = rows.some(({ id }) => id != null) && { restocks: listStockChanges };
    const order = await lockOrder(tx, { number, credentials: ctx }, { ...restocks });
    const payment = await findPayment(tx, order);
    // Shoppers may still pay for a complete order.
    const isPaymentOnly = order.completed_at !== null && !isAdmin(ctx.actor) && !isOrderChange(attributes);
    if (isPaymentOnly) return saveDraft(tx, await applyPayment(tx, createDraft(order), payment, cause));
    const draft = createDraft(authorizeOrderChange(ctx.actor, order));
    return saveDraft(tx, await applyInput(tx, draft, { attributes, payment, cause }, buildEditor(ctx, tx)));
  });
}
