import { userIdOf, type Ctx } from '../../access/context';
import type { Tx } from '../../platform/database/transaction';
import { perform, throwIfRefused, type Ending, type PerformerOf } from '../../platform/perform';
import { lockFilledOrdersOf } from '../fulfilment/lock-filled-orders';
import { loadOrderGraph, type OrderGraph } from '../order/order-graph';
import { lockWholeOrder, type OpenOrder } from '../order/order-lock';
import { orderMachine, type OrderEvent } from '../order/order.machine';
import { derived } from '../order-updater/derived-order';
import { draftOf, patched, reloaded, saveDraft } from '../order-updater/order-draft';
import type { Cause } from '../order-updater/order-updater';
import { settleCanceledPayments, startCancelingPayments } from '../payment-processing/order-payments';
import { settledTransaction } from '../payment-processing/when-settled';
import { effects, orderFacts, type EventCaller, type OrderStep } from './order.effects';

/**
 * Takes everything out of an order (behaviour 7.4): an incomplete one is a new cart again, a complete one stays complete
 * and is restocked, unless some of it has shipped. E-mail, addresses, token and owner stay.
 * @throws NotFound, NotAuthorized, TransitionRefused
 */
export async function emptyOrder(ctx: Ctx, number: string): Promise<void> {
  await settledTransaction(ctx, async (tx) => {
    await lockFilledOrdersOf(tx, ctx, number);
    const order = await lockWholeOrder(tx, ctx, number);
    throwIfRefused(await performOnOrder(tx, 'empty', order, ctx));
  });
}

/**
 * Cancels a complete order of which nothing has shipped. It is restocked first; after the commit, with nothing locked,
 * its payments are voided at their gateways. One that declines leaves the shop owing (credit_owed).
 * @throws NotFound, NotAuthorized, TransitionRefused
 */
export async function cancelOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const { order, questions } = await settledTransaction(ctx, async (tx) => {
    await lockFilledOrdersOf(tx, ctx, number);
    const locked = await lockWholeOrder(tx, ctx, number);
    const ending = throwIfRefused(await performOnOrder(tx, 'cancel', locked, ctx));
    if (ending.ended !== 'asks') return { order: locked, questions: [] };
    const canceled = ending.written;
    return {
      order: canceled,
      questions: await startCancelingPayments(tx, canceled, causeOf(ctx, 'cancel')),
    };
  });
  if (questions.length === 0) return order;
  await settleCanceledPayments(ctx, questions);
  return loadOrderGraph(ctx.db, order.id);
}

/**
 * Approves a complete order after an admin has reviewed it; it is no longer considered risky. Repeatable.
 * @throws NotFound, TransitionRefused
 */
export async function approveOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  return settledTransaction(ctx, async (tx) => {
    const order = await lockWholeOrder(tx, ctx, number);
    const ending = throwIfRefused(await performOnOrder(tx, 'approve', order, ctx));
    return ending.ended === 'unchanged' ? order : ending.written;
  });
}

function causeOf({ actor }: EventCaller, event: OrderEvent): Cause {
  return { user_id: userIdOf(actor), reason: `order ${event}` };
}

/** Performs an event, writes the order with everything that follows. Returns the order as it is then. */
async function performOnOrder(
  tx: Tx,
  event: Exclude<OrderEvent, 'import'>,
  order: OpenOrder,
  by: EventCaller,
): Promise<Ending<'cancel_payments', OpenOrder>> {
  return perform(performer, event, { tx, order, patch: {}, by, cause: causeOf(by, event) });
}

const performer: PerformerOf<typeof orderMachine, OrderStep, OpenOrder> = {
  machine: orderMachine,
  read: ({ order }) => ({ state: order.state, facts: orderFacts(order) }),
  effects,
  async write({ tx, order, patch, cause }, { to }) {
    const changes = { ...patch, ...(to !== null && { state: to }) };
    const draft = await reloaded(tx, patched(draftOf(order), changes, cause));
    return saveDraft(tx, await derived(tx, draft, cause));
  },
};
