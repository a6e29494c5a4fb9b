import { userIdOf, type Ctx, type Deps } from '../../context';
import { TransitionRefused, type FieldErrors } from '../../errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { isRefused } from '../../platform/state-machine';
import { INCOMPLETE_STATES } from '../orders/order.machine';
import { loadOrderGraph, type OrderGraph } from '../orders/order-graph';
import { lockOrder, lockOrderOf, type LockedOrder } from '../orders/order-lock';
import { updateOrder, type Cause, type OrderPatch } from '../orders/order-updater';
import { changeLines } from '../orders/order-contents';
import { startNextPayment } from '../payments/order-payments';
import { storePayment, type PaymentSource } from '../payments/payment-entry';
import type { PaymentQuestion } from '../payments/payment-operations.repository';
import { causeOf, recordAnswer, settle, type Recorder } from '../payments/payment-processing';
import { whenSettled } from '../payments/when-settled';
import { loadStepFacts } from './checkout-facts';
import { runEffects, type Step } from './checkout.effects';
import { checkoutMachine, completion } from './checkout.machine';
import type { CheckoutInput, OrderAttributesInput } from './checkout.schema';
import { applyOrderAttributes } from './order-attributes';
import { preparePayment } from './payment-input';

type OpenOrder = OrderGraph & LockedOrder;

/** What a step came to: the order moved, or why it did not, or what the gateway must be asked before it can. */
type StepResult = { moved: OpenOrder } | { refused: FieldErrors } | { ask: PaymentQuestion };

/**
 * One step forward (PUT checkouts/:number/next).
 * @throws NotFound, NotAuthorized; TransitionRefused with the guard's errors, also on an order that is complete
 * Locks the order; of two equal calls the second sees the first one's state. Completing happens exactly once.
 */
export async function nextStep(ctx: Ctx, number: string): Promise<OrderGraph> {
  return whenSettled(ctx, async () => {
    const result = await withTransaction(ctx, async (tx) => {
      const locked = await lockOrder(tx, ctx, number);
      const order = { ...locked, ...(await loadOrderGraph(tx, locked.id)) };
      return takeStep(tx, ctx, order, causeFrom(ctx));
    });
    return conclude(ctx, result);
  });
}

/**
 * Steps forward until one is refused (PUT checkouts/:number/advance); answers the order where it stopped. It may
 * complete the order.
 * @throws NotFound, NotAuthorized
 */
export async function advanceOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  for (let steps = 0; steps < INCOMPLETE_STATES.length; steps++) {
    try {
      const order = await nextStep(ctx, number);
      if (order.completed_at !== null) return order;
    } catch (error) {
      if (error instanceof TransitionRefused) break;
      throw error;
    }
  }
  return withTransaction(ctx, async (tx) => loadOrderGraph(tx, (await lockOrder(tx, ctx, number)).id));
}

/**
 * Applies attributes, then takes one step forward (PUT checkouts/:number). When the step is refused the attributes stay.
 * A completed order is answered as it is: the attributes are ignored, whoever sends them twice gets the same order.
 * @throws NotFound, NotAuthorized; InvalidResource, and nothing is kept; TransitionRefused
 */
export async function updateCheckout(ctx: Ctx, number: string, input: CheckoutInput): Promise<OrderGraph> {
  const payment = await preparePayment(ctx, number, input);
  return whenSettled(ctx, async () => {
    const result = await withTransaction(ctx, async (tx): Promise<StepResult> => {
      const locked = await lockOrder(tx, ctx, number);
      const order = { ...locked, ...(await loadOrderGraph(tx, locked.id)) };
      if (order.state === 'canceled') return { refused: { base: ['The order is canceled'] } };
      if (order.completed_at !== null) return { moved: order };
      const cause = causeFrom(ctx);
      const applied = await applyInput(tx, ctx, order, { attributes: input.order, payment, cause });
      return takeStep(tx, ctx, applied, cause);
    });
    return conclude(ctx, result);
  });
}

function causeFrom(ctx: Ctx): Cause {
  return { user_id: userIdOf(ctx.actor), reason: 'checkout' };
}

/**
 * What PUT orders/:number and PUT checkouts/:number have in common: everything the body says is applied, no step taken.
 * Expects an incomplete order, locked. @throws InvalidResource
 */
export async function applyInput(
  tx: Tx,
  ctx: Ctx,
  order: OpenOrder,
  what: { attributes: OrderAttributesInput; payment: PaymentSource | null; cause: Cause },
): Promise<OpenOrder> {
  const { attributes } = what;
  const rows = attributes.line_items_attributes ?? attributes.line_items ?? [];
  const saysNothing = Object.values(attributes).every((value) => value === undefined);
  if (saysNothing && what.payment === null) return order;
  const contents = rows.length === 0 ? {} : await changeLines(tx, ctx, order, rows);
  const patch: OrderPatch = { ...(await applyOrderAttributes(tx, ctx, order, attributes)), ...contents };
  if (what.payment !== null) await storePayment(tx, order, what.payment, { amount: null, cause: what.cause });
  return updateOrder(tx, order, what.cause, patch);
}

/** One step of the machine, up to the point where a gateway has to be asked. Expects the order locked and up to date. */
async function takeStep(tx: Tx, deps: Deps, order: OpenOrder, cause: Cause): Promise<StepResult> {
  const loaded = await loadStepFacts(tx, order);
  const decision = checkoutMachine.decide(order.state, 'next', loaded.facts);
  const step: Step = { tx, deps, order, cause, loaded, patch: {} };
  if (isRefused(decision)) {
    if (decision.orElse.length > 0) {
      await runEffects(decision.orElse, step);
      await updateOrder(tx, order, cause, step.patch);
    }
    return { refused: decision.refused };
  }
  if (decision.calls === null) {
    await runEffects(decision.then, step);
    return { moved: await updateOrder(tx, order, cause, { ...step.patch, state: decision.to }) };
  }
  await runEffects(decision.prepare, step);
  return completeOrAsk(tx, deps, order, cause);
}

/** With the stock taken: asks for the next payment, or finishes the order when nothing is left to ask. */
async function completeOrAsk(tx: Tx, deps: Deps, order: LockedOrder, cause: Cause): Promise<StepResult> {
  const next = await startNextPayment(tx, order, cause);
  if ('ask' in next) return next;
  const refused = 'refused' in next ? next.refused : null;
  const finished = await finish(tx, deps, order, { cause, refused });
  return refused === null ? { moved: finished } : { refused };
}

/** The end of a completion: the order is complete, or (refused) its goods go back and it stays in `confirm`. */
async function finish(
  tx: Tx,
  deps: Deps,
  order: LockedOrder,
  { cause, refused }: { cause: Cause; refused: FieldErrors | null },
): Promise<OpenOrder> {
  const graph = { ...order, ...(await loadOrderGraph(tx, order.id)) };
  const step: Step = { tx, deps, order: graph, cause, loaded: null, patch: {} };
  await runEffects(refused === null ? completion.then : completion.undo, step);
  return updateOrder(tx, order, cause, { ...step.patch, state: refused === null ? 'complete' : 'confirm' });
}

/**
 * Records a gateway's answer to a payment of an order in completion and goes on from there: the next payment, the
 * complete order, or the goods back on their shelves. Also what the settling job finishes interrupted completions with.
 * `onRefused` is told why the order stayed in `confirm`.
 */
export function completionRecorder(onRefused: (errors: FieldErrors) => void): Recorder {
  return (deps, question, answer) =>
    withTransaction(deps, async (tx) => {
      const order = await lockOrderOf(tx, question.order_id);
      const outcome = await recordAnswer(tx, question, answer);
      // Somebody else has recorded it already, and finished the order or given the goods back: once is enough.
      if (outcome.is_repeated) {
        if (!outcome.approved) onRefused({ base: [outcome.message] });
        return null;
      }
      const cause = causeOf(question);
      if (!outcome.approved) {
        const refused = { base: [outcome.message] };
        await finish(tx, deps, order, { cause, refused });
        onRefused(refused);
        return null;
      }
      const result = await completeOrAsk(tx, deps, order, cause);
      if ('refused' in result) onRefused(result.refused);
      return 'ask' in result ? result.ask : null;
    });
}

/** Asks the gateway where a step needs it, and gives the order as it is in the end. @throws TransitionRefused */
async function conclude(ctx: Ctx, result: StepResult): Promise<OrderGraph> {
  if ('moved' in result) return result.moved;
  if ('refused' in result) throw new TransitionRefused(result.refused);
  const refusals: FieldErrors[] = [];
  await settle(
    ctx,
    result.ask,
    completionRecorder((errors) => refusals.push(errors)),
  );
  const [refused] = refusals;
  if (refused !== undefined) throw new TransitionRefused(refused);
  return loadOrderGraph(ctx.db, result.ask.order_id);
}
