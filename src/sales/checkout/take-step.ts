import type { Deps } from '../context';
import type { FieldErrors } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { isRefused } from '../../platform/state-machine';
import { derived } from '../order-updater/derived-order';
import {
  draftOf,
  patched,
  reloaded,
  saveDraft,
  type OrderDraft,
  type OrderPatch,
} from '../order-updater/order-draft';
import { lockFilledOrders } from '../fulfilment/lock-filled-orders';
import { loadOrderGraph } from '../order/order-graph';
import { lockOrderOf, type OpenOrder } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';
import { startNextPayment } from '../payment-processing/order-payments';
import type { PaymentQuestion } from '../payment-processing/payment-operations.repository';
import { causeOf, recordAnswer, type Recorder } from '../payment-processing/payment-processing';
import { loadStepFacts, type StepFacts } from './checkout-facts';
import { runEffects, type Step } from './checkout.effects';
import { checkoutMachine, completion, type CheckoutEffect } from '../order/checkout.machine';

/**
 * What a step came to: the order moved, or why it did not, or what a gateway must be asked before it can. The draft is
 * to be saved in any case: what was applied before a refused step stays (behaviour 8.8).
 */
export type StepResult = { draft: OrderDraft } & (
  { moved: true } | { refused: FieldErrors } | { ask: PaymentQuestion }
);

/** For whom and with what a step is taken. */
export interface Run {
  deps: Deps;
  cause: Cause;
}

/**
 * One step of the checkout, up to the point where a gateway has to be asked. Expects the order locked, its parts as the
 * tables have them and its totals up to date.
 */
export async function takeStep(tx: Tx, run: Run, draft: OrderDraft): Promise<StepResult> {
  const { state } = draft.order;
  const loaded = await loadStepFacts(tx, draft.order);
  const decision = checkoutMachine.decide(state, 'next', loaded.facts);
  if (isRefused(decision)) {
    const { refused, orElse } = decision;
    return { refused, draft: await changedBy(orElse, { tx, run, draft, loaded }, {}) };
  }
  if (decision.calls === null) {
    const { to, then } = decision;
    return { moved: true, draft: await changedBy(then, { tx, run, draft, loaded }, { state: to }) };
  }
  return completeOrAsk(tx, run, await changedBy(decision.prepare, { tx, run, draft, loaded }, {}));
}

interface Effective {
  tx: Tx;
  run: Run;
  draft: OrderDraft;
  /** Null when only the end of a step is run, whose facts were read long ago. */
  loaded: StepFacts | null;
}

/** The order after these effects and with this patch; read and calculated again where that can make a difference. */
async function changedBy(
  effects: readonly CheckoutEffect[],
  { tx, run, draft, loaded }: Effective,
  patch: OrderPatch,
): Promise<OrderDraft> {
  const { order } = draft;
  const step: Step = { tx, ...run, order, loaded, patch: { ...patch }, changes_parts: false };
  await runEffects(effects, step);
  const next = patched(draft, step.patch, run.cause);
  const current = step.changes_parts ? await reloaded(tx, next) : next;
  const isCompleted = order.completed_at === null && current.order.completed_at !== null;
  // Taxes are due on leaving `address`, which makes shipments, and on entering `payment` (behaviour 8.9).
  const isAdjusted = order.shop_has_taxes || order.shop_has_promotions;
  const isDue = isAdjusted && current.order.state === 'payment';
  return step.changes_parts || isCompleted || isDue ? derived(tx, current, run.cause) : current;
}

/** With the stock taken: asks for the next payment, or finishes the order when nothing is left to ask. */
async function completeOrAsk(tx: Tx, run: Run, draft: OrderDraft): Promise<StepResult> {
  const next = await startNextPayment(tx, draft.order, run.cause);
  if ('ask' in next) return { ...next, draft };
  const refused = 'refused' in next ? next.refused : null;
  const finished = await finish(tx, run, draft, refused);
  return refused === null ? { moved: true, draft: finished } : { refused, draft: finished };
}

/** The end of a completion: the order is complete, or (refused) its goods go back and it stays in `confirm`. */
function finish(tx: Tx, run: Run, draft: OrderDraft, refused: FieldErrors | null): Promise<OrderDraft> {
  const end = { tx, run, draft, loaded: null };
  return refused === null
    ? changedBy(completion.then, end, { state: 'complete' })
    : changedBy(completion.undo, end, {});
}

/** How a completion that asked a gateway ended; told by no answer that somebody else had recorded before. */
export type CompletionEnd = { completed: OpenOrder } | { refused: FieldErrors };

/**
 * Records a gateway's answer to a payment of an order in completion and goes on from there: the next payment, the
 * complete order, or the goods back on their shelves. Also what the settling job finishes interrupted completions with.
 */
export function completionRecorder(tell: (end: CompletionEnd) => void): Recorder {
  return async (deps, question, answer) => {
    const { end, ask } = await withTransaction(deps, async (tx): Promise<Recorded> => {
      if (!answer.approved) await lockFilledOrders(tx, question.order_id);
      const locked = await lockOrderOf(tx, question.order_id);
      const outcome = await recordAnswer(tx, question, answer);
      const refused = outcome.approved ? null : { base: [outcome.message] };
      // Somebody else has recorded it already, and finished the order or given the goods back: once is enough.
      if (outcome.is_repeated) return { ask: null, end: refused && { refused } };
      const run = { deps, cause: causeOf(question) };
      const draft = draftOf({ ...locked, ...(await loadOrderGraph(tx, locked.id)) });
      const result =
        refused === null
          ? await completeOrAsk(tx, run, draft)
          : { refused, draft: await finish(tx, run, draft, refused) };
      const order = await saveDraft(tx, result.draft);
      if ('ask' in result) return { ask: result.ask, end: null };
      return { ask: null, end: 'refused' in result ? { refused: result.refused } : { completed: order } };
    });
    if (end !== null) tell(end);
    return ask;
  };
}

interface Recorded {
  ask: PaymentQuestion | null;
  end: CompletionEnd | null;
}
