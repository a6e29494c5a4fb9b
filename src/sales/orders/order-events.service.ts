import type { Ctx } from '../context';
import { userIdOf } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { orRefuse } from '../../platform/state-machine';
import { deleteAdjustmentsOfOrder } from '../pricing/adjustments.repository';
import { soldFrom } from '../fulfilment/sold-units';
import { deleteLines } from '../fulfilment/line-items.repository';
import { settleCanceledPayments, startCancelingPayments } from '../payment-processing/order-payments';
import type { PaymentQuestion } from '../payment-processing/payment-operations.repository';
import { deleteCheckoutPayments } from '../payment-processing/payments.repository';
import { settledTransaction } from '../payment-processing/when-settled';
import { unlinkPromotions } from '../pricing/order-promotions.repository';
import { deleteShipmentsOfOrder } from '../fulfilment/proposed-shipments.repository';
import { derived } from '../order-updater/derived-order';
import { giveBack } from '../fulfilment/give-back';
import { lockFilledOrdersOf } from '../fulfilment/lock-filled-orders';
import { draftOf, patched, reloaded, saveDraft, type OrderPatch } from '../order-updater/order-draft';
import { loadOrderGraph, type OrderGraph } from '../order/order-graph';
import { lockWholeOrder, type OpenOrder } from '../order/order-lock';
import { orderMachine, type OrderEffect, type OrderEvent, type OrderFacts } from '../order/order.machine';
import type { Cause } from '../order/state-changes.repository';
import { tellOrders } from '../../inventory/backorders';

/**
 * Takes everything out of an order (behaviour 7.4): an open one is a new cart again, a complete one stays complete and
 * its goods go back, unless some have shipped. E-mail, addresses, token and owner stay.
 * @throws NotFound, NotAuthorized, TransitionRefused
 */
export async function emptyOrder(ctx: Ctx, number: string): Promise<void> {
  await settledTransaction(ctx, async (tx) => {
    await lockFilledOrdersOf(tx, ctx, number);
    const order = await lockWholeOrder(tx, ctx, number);
    const { to, then } = orRefuse(orderMachine.decide(order.state, 'empty', factsOf(order)));
    await happened(tx, ctx, order, { event: 'empty', to, effects: then });
  });
}

/**
 * Cancels a complete order of which nothing has shipped. Its goods go back on their shelves first; afterwards, with
 * nothing locked, its payments are voided at their gateways. One that refuses leaves the shop owing (credit_owed).
 * @throws NotFound, NotAuthorized, TransitionRefused
 */
export async function cancelOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const { order, questions } = await settledTransaction(ctx, (tx) => cancel(tx, ctx, number));
  if (questions.length === 0) return order;
  await settleCanceledPayments(ctx, questions);
  return loadOrderGraph(ctx.db, order.id);
}

async function cancel(
  tx: Tx,
  ctx: Ctx,
  number: string,
): Promise<{ order: OpenOrder; questions: PaymentQuestion[] }> {
  await lockFilledOrdersOf(tx, ctx, number);
  const order = await lockWholeOrder(tx, ctx, number);
  const { through, prepare } = orRefuse(orderMachine.decide(order.state, 'cancel', factsOf(order)));
  const canceled = await happened(tx, ctx, order, { event: 'cancel', to: through, effects: prepare });
  return { order: canceled, questions: await startCancelingPayments(tx, canceled, causeOf(ctx, 'cancel')) };
}

/**
 * An admin has looked at a complete order and lets it pass; it is not considered risky any more. Approving twice is
 * once. @throws NotFound, TransitionRefused
 */
export async function approveOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  return settledTransaction(ctx, async (tx) => {
    const order = await lockWholeOrder(tx, ctx, number);
    const { to, then } = orRefuse(orderMachine.decide(order.state, 'approve', factsOf(order)));
    return happened(tx, ctx, order, { event: 'approve', to, effects: then });
  });
}

function causeOf(ctx: Ctx, event: OrderEvent): Cause {
  return { user_id: userIdOf(ctx.actor), reason: `order ${event}` };
}

function factsOf(order: OrderGraph): OrderFacts {
  const units = order.shipments.flatMap((shipment) => shipment.units);
  return {
    shipment_state: order.shipment_state,
    has_shipped_units: units.some(({ state }) => state === 'shipped' || state === 'returned'),
    is_approved: order.approved_at !== null,
    // Asked for by the events of return authorizations only.
    every_unit_is_returned: false,
    open_return_holds_units: false,
  };
}

interface Happening {
  event: OrderEvent;
  to: OrderGraph['state'];
  effects: readonly OrderEffect[];
}

/** Makes an event happen: its effects, the new state, what follows from both. @returns the order as it is then */
async function happened(
  tx: Tx,
  ctx: Ctx,
  order: OpenOrder,
  { event, to, effects }: Happening,
): Promise<OpenOrder> {
  if (effects.length === 0) return order;
  const cause = causeOf(ctx, event);
  const patch: OrderPatch = { state: to };
  for (const effect of effects) await runEffect(effect, { tx, ctx, order, patch });
  const draft = await reloaded(tx, patched(draftOf(order), patch, cause));
  const saved = await saveDraft(tx, await derived(tx, draft, cause));
  // Only now, when its own units wait for nothing any more: what comes back is for others.
  if (effects.includes('restock_units')) {
    const returned = soldFrom(order).map((change) => ({ ...change, action: `order ${event}` }));
    await giveBack(tx, order, returned, tellOrders(ctx, tx));
  }
  return saved;
}

interface EffectRun {
  tx: Tx;
  ctx: Ctx;
  order: OpenOrder;
  /** What becomes of the order's own columns. */
  patch: OrderPatch;
}

async function runEffect(effect: OrderEffect, { tx, ctx, order, patch }: EffectRun): Promise<void> {
  switch (effect) {
    case 'delete_line_items':
      return deleteLines(
        tx,
        order.line_items.map(({ id }) => id),
      );
    case 'delete_adjustments':
      await unlinkPromotions(tx, order.id);
      return deleteAdjustmentsOfOrder(tx, order.id);
    case 'delete_shipments':
      return deleteShipmentsOfOrder(tx, order.id);
    case 'delete_checkout_payments':
      return deleteCheckoutPayments(tx, order.id);
    case 'stamp_cancellation':
      Object.assign(patch, { canceled_at: ctx.now(), canceler_id: userIdOf(ctx.actor) } satisfies OrderPatch);
      return;
    case 'stamp_approval':
      Object.assign(patch, {
        approved_at: ctx.now(),
        approver_id: userIdOf(ctx.actor),
        considered_risky: false,
      } satisfies OrderPatch);
      return;
    case 'cancel_shipments': // Their state follows the order's, when it is derived.
    case 'restock_units': // Comes last: see `happened`.
      return;
    case 'unstock_units':
    case 'resume_shipments':
    case 'clear_cancellation':
      throw new Error('no endpoint resumes an order');
  }
}
