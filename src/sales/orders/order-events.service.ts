import { buildEditor, type Editor } from '../order-input/editor';
import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import {
  processCancellations,
  startCancellations,
  startVoidingAuthorizations,
} from '../payment-processing/cancel-payments';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { saveRecalculated } from '../order-updater/order-updater';
import { nameShortages } from '../fulfilment/line-shortages';
import { FULFILMENT_FACTS } from '../fulfilment/fulfilment-facts';
import { listShortfalls, planStock } from '../fulfilment/stock-plan';
import { getOrderedVariants } from '../fulfilment/variants-of-order';
import { lockUsedUpPromotions } from '../pricing/order-promotions.repository';
import { listStockChanges } from '../fulfilment/sold-units';
import { createDraft, patchDraft, saveDraft, type OrderDraft } from '../order-updater/order-draft';
import { restockUnits } from '../fulfilment/restock-units';
import { loadOrderGraph } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import type { LockedOrderGraph } from '../order/order-lock';
import { orderMachine } from '../order/order.machine';
import type { OrderCall, OrderEvent } from '../order/order.machine';
import type { Cause } from '../order/state-changes.repository';
import { PaymentInProgress } from '../../errors/errors';
import { TransitionRefused } from '../../platform/errors';
import { perform, throwIfRefused } from '../../platform/perform';
import type { Ending, PerformerOf } from '../../platform/perform';
import { effects, buildOrderFacts } from './order.effects';
import type { EventContext, OrderStep, ResumeTerms } from './order.effects';

/**
 * Empties an order. An incomplete order becomes an empty cart; a complete one stays complete and is restocked. Open
 * authorizations are voided after the commit. Refused after something has shipped. E-mail, addresses, token and owner
 * are kept.
 * @throws NotFound, NotAuthorized, TransitionRefused
 */
export async function emptyOrder(ctx: Ctx, number: string): Promise<void> {
  const requests = await withOrderTransaction(ctx, number, async (tx) => {
    const order = await lockOrder(tx, { number, credentials: ctx }, { restocks: listStockChanges });
    const performed = await performOnOrder(tx, 'empty', { order }, buildEditor(ctx, tx));
    return startCall(tx, performed.order, throwIfRefused(performed.ending), buildCause(ctx, 'empty'));
  });
  await processCancellations(ctx, requests);
}

/**
 * Cancels a complete order. Refused after something has shipped. Restocks it, then, after the commit and without locks,
 * voids its payments at their gateways, and credits those that are settled. If a gateway declines, the order owes the
 * money (`credit_owed`).
 * @throws NotFound, NotAuthorized, TransitionRefused
 */
export async function cancelOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const { order, requests } = await withOrderTransaction(ctx, number, async (tx) => {
    const locked = await lockOrder(tx, { number, credentials: ctx }, { restocks: listStockChanges });
    const performed = await performOnOrder(tx, 'cancel', { order: locked }, buildEditor(ctx, tx));
    const ending = throwIfRefused(performed.ending);
    const requests = await startCall(tx, performed.order, ending, buildCause(ctx, 'cancel'));
    return { order: performed.order, requests };
  });
  if (requests.length === 0) return order;
  await processCancellations(ctx, requests);
  return loadOrderGraph(ctx.db, order.id);
}

/**
 * Approves a complete order after an admin has reviewed it; it is no longer considered risky. Repeatable.
 * @throws NotFound, TransitionRefused
 */
export async function approveOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  return withOrderTransaction(ctx, number, async (tx) => {
    const order = await lockOrder(tx, { number, credentials: ctx });
    const performed = await performOnOrder(tx, 'approve', { order }, buildEditor(ctx, tx));
    throwIfRefused(performed.ending);
    return performed.order;
  });
}

/** Starts the gateway calls that an event of the order requires. @returns the requests, for `processCancellations` */
async function startCall(
  tx: Tx,
  order: LockedOrderGraph,
  ending: { ended: 'unchanged' | 'moved' } | { ended: 'calls'; call: OrderCall },
  cause: Cause,
): Promise<GatewayRequest[]> {
  if (ending.ended !== 'calls') return [];
  const { draft, requests } = await STARTERS[ending.call](tx, createDraft(order), cause);
  await saveDraft(tx, draft);
  return requests;
}

const STARTERS: Record<OrderCall, typeof startCancellations> = {
  void_authorizations: startVoidingAuthorizations,
  cancel_payments: startCancellations,
};

function buildCause({ actor }: Pick<EventContext, 'actor'>, event: OrderEvent): Cause {
  return { user_id: findUserId(actor), reason: `order ${event}` };
}

/**
 * Resumes a canceled order: unstocks its units again at the locations of their shipments. Payments that were voided or
 * credited stay so, so the order usually owes its total.
 * @throws NotFound; PaymentInProgress, also while a refund waits for its provider; TransitionRefused unless it is canceled, and with
 *   the missing units by line item if a location has too few, also if another one has them
 */
export async function resumeOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  return withOrderTransaction(ctx, number, async (tx) => {
    const order = await lockOrder(tx, { number, credentials: ctx });
    const isUndecided = order.payments.some(({ state }) => state === 'processing');
    // A cancellation whose refunds are decided after the order was resumed would refund what the order has sold again.
    if (order.state === 'canceled' && isUndecided) throw new PaymentInProgress(order.id);
    const terms = order.state === 'canceled' ? await loadResumeTerms(tx, order) : undefined;
    const performed = await performOnOrder(tx, 'resume', { order, terms }, buildEditor(ctx, tx));
    const { ending } = performed;
    if (ending.ended === 'refused' && terms !== undefined && terms.stock.shortages.length > 0) {
      const line_items = await nameShortages(tx, order, listShortfalls(order, terms.stock.shortages));
      throw new TransitionRefused(ending.errors, { line_items });
    }
    throwIfRefused(ending);
    return performed.order;
  });
}

/** Locks the promotions of the order, then its stock items. */
async function loadResumeTerms(tx: Tx, order: LockedOrderGraph): Promise<ResumeTerms> {
  const promotions_hold = !(await lockUsedUpPromotions(tx, order));
  const variantIds = order.line_items.map((line) => line.variant_id);
  const stock = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
    planStock(facts, order, getOrderedVariants(facts, order, variantIds)),
  );
  return { promotions_hold, stock };
}

/** Performs an event, and saves the order with everything that follows. @returns the ending, and the order as it is then */
async function performOnOrder(
  tx: Tx,
  event: Exclude<OrderEvent, 'import'>,
  { order, terms }: { order: LockedOrderGraph; terms?: ResumeTerms | undefined },
  context: Editor,
): Promise<{ ending: Ending<OrderCall, OrderDraft>; order: LockedOrderGraph }> {
  const cause = buildCause(context, event);
  const draft = createDraft(order);
  const step: OrderStep = { order, patch: {}, draft, returned: [], context, cause, terms };
  const ending = perform(performer, event, step);
  if (ending.ended === 'unchanged' || ending.ended === 'refused') return { ending, order };
  const saved = await saveRecalculated(tx, ending.written, cause);
  if (step.returned.length > 0) {
    await restockUnits(tx, createDraft(saved), step.returned, context.onBackordersFilled);
  }
  return { ending, order: saved };
}

const performer: PerformerOf<typeof orderMachine, OrderStep, OrderDraft> = {
  machine: orderMachine,
  read: ({ order, terms }) => ({ state: order.state, facts: buildOrderFacts(order, terms) }),
  effects,
  write: ({ draft, patch, cause }, { to }) =>
    patchDraft(draft, { ...patch, ...(to !== null && { state: to }) }, cause),
};
