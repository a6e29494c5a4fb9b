import type { Cause } from '../order/state-changes.repository';
import type { Deps } from '../context';
import { GUEST } from '../../access/actor';
import { buildAddressGraph, getCountries } from '../../geography/addresses/addresses.repository';
import { notifyOrdersAs, type OnBackordersFilled } from '../../inventory/backorders';
import { restock } from '../../inventory/stock-ledger';
import type { FieldErrors } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { finish, perform, type Decided, type PerformerOf } from '../../platform/perform';
import { withFacts } from '../../platform/database/facts';
import { recalculateDraft } from '../order-updater/order-updater';
import { recalculate } from '../order-updater/recalculate-order';
import {
  addToDraft,
  applyParts,
  patchDraft,
  saveDraft,
  storeDraft,
  type ChangedParts,
  type OrderDraft,
  type OrderPatch,
} from '../order-updater/order-draft';
import { listStockChanges } from '../fulfilment/sold-units';
import { holdOrdersToFill, type LockedOrderGraph } from '../order/order-lock';
import type { OrderState } from '../order/order.machine';
import { startNextPayment } from '../payment-processing/order-payments';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import {
  buildCause,
  lockForResult,
  logContradiction,
  recordResult,
} from '../payment-processing/record-result';
import { type Recorded, type Recorder } from '../payment-processing/process-operation';
import { isCompletionNext, listStepFacts, type StepFacts } from './checkout-facts';
import { effects, type Step } from './checkout.effects';
import type { StepLoaders } from './wanted-facts';
import { copyUserAddress } from './user-addresses.repository';
import { checkoutMachine } from '../order/checkout.machine';
import { reportsShortage } from '../order/checkout.guards';
import { nameShortages, type LineShortage } from '../fulfilment/line-shortages';
import type { PricingFacts } from '../pricing/pricing-facts';
import { TAX_SOURCE } from '../order/order-totals';
import { compareDecimals } from '../../platform/money';

/**
 * How a step ended: the order moved, the step was refused, or a gateway must be called first. Save the draft in each
 * case: attributes applied before a refused step are kept.
 */
export type StepResult = { draft: OrderDraft } & (
  | { moved: true }
  /** `shortages` names the line items if the errors report a shortage. */
  | { refused: FieldErrors; shortages?: readonly LineShortage[] }
  /** Save, commit, and then process the request. */
  | { request: GatewayRequest }
);

/** What the steps of one transaction share. */
export interface Run extends Pick<Step, 'actor' | 'now' | 'cause'> {
  onBackordersFilled: OnBackordersFilled;
}

/** A run that takes steps. */
export interface StepRun extends Run {
  loaders: StepLoaders;
}

/** Builds the run of a transaction. Filled backorders are changes of the program itself, not of the actor. */
export function buildRun(
  deps: Pick<Deps, 'now' | 'onBackordersFilled'> & Pick<Step, 'actor'>,
  tx: Tx,
  cause: Cause,
): Run {
  return {
    actor: deps.actor,
    now: deps.now,
    cause,
    onBackordersFilled: notifyOrdersAs(deps, tx, null),
  };
}

/** A step of the checkout with the draft it updates. */
interface DraftStep extends Step {
  draft: OrderDraft;
}

/** What a step changes. */
interface ChangedDraft {
  draft: OrderDraft;
  /** Whether its totals have to be recalculated. */
  isStale: boolean;
  filled: Step['filled'];
}

const finisher: Omit<PerformerOf<typeof checkoutMachine, DraftStep, ChangedDraft>, 'read'> = {
  machine: checkoutMachine,
  effects,
  write: (step, { to }) => updateDraft(step, to),
};

const performer: PerformerOf<typeof checkoutMachine, DraftStep & { loaded: StepFacts }, ChangedDraft> = {
  ...finisher,
  read: ({ order, loaded }) => ({ state: order.state, facts: loaded.facts }),
};

/**
 * Takes one step of the checkout, up to a gateway call. Expects the draft to have no unsaved changes of line items,
 * shipments or payments, and its totals up to date.
 */
export async function takeStep(tx: Tx, run: StepRun, before: OrderDraft): Promise<StepResult> {
  const draft = isCompletionNext(before.order)
    ? await withoutDeletedTaxes(tx, await storeChanges(tx, before), run)
    : // The addresses are copied to the account of a user.
      before.order.state === 'address' && before.order.user_id !== null
      ? await storeChanges(tx, before)
      : before;
  const taxes_have_risen = compareDecimals(draft.order.total, before.order.total) > 0;
  const now = run.now();
  const loaded = await withFacts(tx, run.loaders, (facts) =>
    listStepFacts(facts, draft.order, { actor: run.actor, now, taxes_have_risen }),
  );
  const step = { ...buildStep(run, draft), loaded };
  const ending = perform(performer, 'next', step);
  switch (ending.ended) {
    case 'refused':
      return {
        refused: ending.errors,
        shortages: reportsShortage(ending.errors)
          ? await nameShortages(tx, draft.order, loaded.shortfalls)
          : [],
        draft: await refresh(tx, ending.written ?? updateDraft(step, null), run.cause),
      };
    case 'moved':
      return { moved: true, draft: await refresh(tx, ending.written, run.cause) };
    case 'calls':
      return startPaymentOrComplete(tx, run, await refresh(tx, ending.written, run.cause));
    case 'unchanged':
      throw new Error('every step of the checkout leads to another state');
  }
}

async function storeChanges(tx: Tx, draft: OrderDraft): Promise<OrderDraft> {
  return draft.order === draft.before ? draft : storeDraft(tx, draft);
}

function withoutDeletedTaxes(tx: Tx, draft: OrderDraft, { loaders, cause }: StepRun): Promise<OrderDraft> {
  return withFacts(tx, loaders, (facts) => removeDeletedTaxes(facts, draft, cause));
}

/**
 * Recalculates an order that has a tax whose rate was deleted, so that it is not charged. Other changes of tax rates
 * apply from the next time that taxes are due.
 */
function removeDeletedTaxes(facts: PricingFacts, draft: OrderDraft, cause: Cause): OrderDraft {
  const taxes = draft.order.adjustments.filter(({ source_type }) => source_type === TAX_SOURCE);
  if (taxes.length === 0) return draft;
  const { rates } = facts.taxSettings(draft.order.revisions);
  const live = new Set(rates.map(({ id }) => id));
  const isDeleted = taxes.some(({ source_id }) => source_id !== null && !live.has(source_id));
  return isDeleted ? recalculate(facts, draft, cause) : draft;
}

function buildStep({ actor, now, cause }: Run, draft: OrderDraft): DraftStep {
  return {
    order: draft.order,
    draft,
    loaded: null,
    patch: {},
    parts: undefined,
    promotions: undefined,
    history: [],
    units: [],
    stock: [],
    commands: [],
    filled: [],
    returned: [],
    actor,
    now,
    cause,
  };
}

/** Applies a step to its draft, which is stale if the step changed nested records or requires new totals. */
function updateDraft(step: DraftStep, to: Decided<OrderState> | null): ChangedDraft {
  const { order, draft, patch, cause, parts, promotions = order.promotions } = step;
  const next = patchDraft(
    addToDraft({ ...draft, order: { ...draft.order, promotions } }, step),
    { ...patch, ...(to !== null && { state: to }) },
    cause,
  );
  const current = parts === undefined ? next : applyParts(next, parts);
  const isCompleted = order.completed_at === null && current.order.completed_at !== null;
  // Taxes are calculated on leaving `address`, which creates shipments, and on entering `payment`.
  const isAdjusted = order.shop_has_taxes || order.shop_has_promotions;
  const isDue = isAdjusted && current.order.state === 'payment';
  return { draft: current, isStale: parts !== undefined || isCompleted || isDue, filled: step.filled };
}

/** Fills and recalculates the draft of a step. */
async function refresh(tx: Tx, { draft, isStale, filled }: ChangedDraft, cause: Cause): Promise<OrderDraft> {
  const parts: ChangedParts & OrderPatch = {};
  for (const part of filled) {
    const copy = await copyUserAddress(tx, draft.order.user_id ?? 0, `${part}_id`);
    if (copy === undefined) continue;
    parts[`${part}_id`] = copy.id;
    parts[part] = buildAddressGraph(copy.id, copy, await getCountries(tx, draft.order.revisions));
  }
  const isFilled = Object.keys(parts).length > 0;
  return isStale || isFilled ? recalculateDraft(tx, applyParts(draft, parts), cause) : draft;
}

/** Starts the next payment of an order whose stock is taken, or completes the order if there is none. */
async function startPaymentOrComplete(tx: Tx, run: Run, draft: OrderDraft): Promise<StepResult> {
  const next = await startNextPayment(tx, draft, run.cause);
  if ('request' in next) return next;
  if ('done' in next) return { moved: true, draft: await finishCompletion(tx, run, draft, true) };
  return { refused: next.refused, draft: await finishCompletion(tx, run, draft, false) };
}

/** Finishes a completion: the order becomes complete, or is restocked and stays in `confirm`. */
async function finishCompletion(tx: Tx, run: Run, draft: OrderDraft, approved: boolean): Promise<OrderDraft> {
  const call = { from: draft.order.state, event: 'next', call: 'process_payments', approved } as const;
  // An order with a payment that is still open would get what it gives back, for its own backorders.
  const current = approved ? draft : await storeChanges(tx, draft);
  const step = buildStep(run, current);
  const changed = finish(finisher, call, step);
  if (step.returned.length > 0) await restock(tx, step.returned, run.onBackordersFilled);
  return refresh(tx, changed, run.cause);
}

/** How a completion with a gateway call ended. */
export type CompletionEnd =
  | { ended: 'completed'; order: LockedOrderGraph }
  | { ended: 'refused'; errors: FieldErrors }
  /** An approval that was recorded earlier, with everything that follows from it. */
  | { ended: 'recorded_before' };

/**
 * Records the result of a payment of an order that is being completed, and continues: starts the next payment,
 * completes the order, or restocks it. The settling job finishes interrupted completions with it, too.
 */
export const recordCompletionResult: Recorder<CompletionEnd> = async (deps, request, gatewayResult) => {
  const record = async (tx: Tx): Promise<Recorded<CompletionEnd>> => {
    if (!gatewayResult.approved) await holdOrdersToFill(tx, { id: request.order_id }, listStockChanges);
    const { order: locked, operation } = await lockForResult(tx, request);
    const received = { request, result: gatewayResult, operation };
    const { outcome, draft } = recordResult(locked, received);
    const refused = outcome.approved ? null : { base: [outcome.message] };
    if (outcome.is_repeated) {
      logContradiction(deps.log, request, outcome, gatewayResult);
      return { end: refused === null ? { ended: 'recorded_before' } : { ended: 'refused', errors: refused } };
    }
    const run = buildRun({ ...deps, actor: GUEST }, tx, buildCause(request));
    const result: StepResult =
      refused === null
        ? await startPaymentOrComplete(tx, run, draft)
        : { refused, draft: await finishCompletion(tx, run, draft, false) };
    const order = await saveDraft(tx, result.draft);
    if ('request' in result) return { request: result.request };
    return {
      end:
        'refused' in result
          ? { ended: 'refused', errors: result.refused }
          : // The stock was taken before the gateway was called.
            { ended: 'completed', order: { ...order, has_final_stock: true } },
    };
  };
  return withTransaction(deps, record, { isRepeatable: true });
};
