import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { PaymentDeclined, PaymentInProgress, PaymentWaits, type WaitingPayment } from '../../errors/errors';
import { TransitionRefused, type FieldErrors } from '../../platform/errors';
import { relaxCommit, withTransaction, type Tx } from '../../platform/database/transaction';
import { createSlots } from '../../platform/slots';
import { buildTransitionErrors } from '../../platform/state-machine';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { loadOrderGraph } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { authorizeOrderChange } from '../order/sold-order-policy';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { processOperation } from '../payment-processing/process-operation';
import { retryAfterPayments } from '../payment-processing/retry-after-payments';
import { applyInput, applyStepBack } from '../order-input/apply-input';
import { buildEditor } from '../order-input/editor';
import type { CheckoutInput } from '../order-input/checkout.schema';
import type { LineShortage } from '../fulfilment/line-shortages';
import { preparePayment } from '../order-input/payment-input';
import type { PaymentSource } from '../payment-processing/added-payments';
import { buildRun, recordCompletionResult, takeStep, type StepRun, type StepResult } from './take-step';
import { chooseWanted, wantNothing, type WantedFacts } from './wanted-facts';

/**
 * Limits concurrent checkout steps. Requests for the same stock wait here without a connection, so that they do not
 * exhaust the pool and block reads and the recording of gateway results. The limit is smaller than the pool, as more
 * steps would only wait for each other's locks.
 */
const stepSlots = createSlots({ concurrency: 6, waiting: 1_000 });

/** The order after a request, and the errors of a refused step; null if none was refused. */
interface Ending {
  order: OrderGraph;
  refused: FieldErrors | null;
  /** Whether the gateway declined a payment. */
  isDeclined?: true;
  shortages: readonly LineShortage[];
  /** The payments that wait for the buyer or the provider; the order stays in `confirm`. */
  waiting?: readonly WaitingPayment[];
}

/**
 * Takes one step of the checkout (PUT checkouts/:number/next). Locks the order, so that of two concurrent calls the
 * second sees the state after the first. An order is completed exactly once.
 * @throws NotFound, NotAuthorized; TransitionRefused with the guard's errors, also on a complete order
 */
export async function takeNextStep(ctx: Ctx, number: string): Promise<OrderGraph> {
  return getOrderOrThrow(
    await runSteps(ctx, number, (tx, order, run) => takeStep(tx, run, createDraft(order))),
  );
}

/**
 * Takes steps until one is refused or the order is complete (PUT checkouts/:number/advance). Returns the order after
 * the last step.
 * @throws NotFound, NotAuthorized; TransitionRefused on a canceled order
 */
export async function advanceOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const { order } = await runSteps(ctx, number, async (tx, locked, run) => {
    if (locked.state === 'canceled') throw new TransitionRefused(buildTransitionErrors('advance'));
    let result: StepResult = { moved: true, draft: createDraft(locked) };
    while ('moved' in result && result.draft.order.completed_at === null) {
      result = await takeStep(tx, run, result.draft);
    }
    return result;
  });
  return order;
}

/**
 * Applies attributes, then takes one step of the checkout (PUT checkouts/:number). An earlier step in `state` is
 * returned to first. If the step is refused, the attributes are kept. A complete order is returned unchanged, so that
 * repeating the completing request is safe.
 * @throws NotFound, NotAuthorized; InvalidResource, and nothing is changed; TransitionRefused
 */
export async function updateCheckout(ctx: Ctx, number: string, input: CheckoutInput): Promise<OrderGraph> {
  const findPayment = await preparePayment(ctx, number, input);
  const work = async (tx: Tx, order: LockedOrderGraph, run: StepRun): Promise<StepResult> => {
    if (order.state === 'canceled') throw new TransitionRefused({ base: ['The order is canceled'] });
    if (order.completed_at !== null) return { moved: true, draft: createDraft(order) };
    const payment = await findPayment(tx, order);
    const { order: attributes, state } = input;
    const locked = createDraft(authorizeOrderChange(ctx.actor, order));
    const { cause } = run;
    const before = applyStepBack(locked, state, cause);
    const draft = await applyInput(tx, before, { attributes, payment, cause }, buildEditor(ctx, tx));
    return selectsRateOnly(draft.order, attributes, payment)
      ? { moved: true, draft }
      : takeStep(tx, run, draft);
  };
  return getOrderOrThrow(await runSteps(ctx, number, work, chooseWanted(input)));
}

/**
 * Whether the body selects shipping rates after the delivery step and has no payment, which is all that the next steps
 * need. Such a body takes no step, so that selecting a rate never completes an order.
 */
function selectsRateOnly(
  { state }: OrderGraph,
  { shipments, shipments_attributes }: CheckoutInput['order'],
  payment: PaymentSource | null,
): boolean {
  const choices = shipments_attributes ?? shipments ?? [];
  const selectsRate = choices.some((choice) => choice.selected_shipping_rate_id != null);
  return (state === 'payment' || state === 'confirm') && selectsRate && payment === null;
}

function getOrderOrThrow({ order, refused, shortages, isDeclined, waiting = [] }: Ending): OrderGraph {
  if (waiting.length > 0) throw new PaymentWaits(waiting);
  if (refused === null) return order;
  if (isDeclined) throw new PaymentDeclined(refused);
  throw new TransitionRefused(refused, shortages.length > 0 ? { line_items: shortages } : {});
}

/** The result of a transaction of steps. It is stored for repeated requests, so it is plain data. */
interface Committed {
  result:
    | { request: GatewayRequest }
    | { moved: true }
    | { refused: FieldErrors; shortages?: readonly LineShortage[] };
  order: OrderGraph;
}

/**
 * Runs steps on the order in the path and saves the result, also after a refusal; then calls the gateway if a step
 * needs it. Waits while another gateway call for the order is running.
 */
async function runSteps(
  ctx: Ctx,
  number: string,
  work: (tx: Tx, order: LockedOrderGraph, run: StepRun) => Promise<StepResult>,
  firstWanted: WantedFacts = wantNothing,
): Promise<Ending> {
  const cause = { user_id: findUserId(ctx.actor), reason: 'checkout' };
  const steps = async (): Promise<Ending> => {
    let want = firstWanted;
    const { result, order } = await ctx.orderTurns(number, () =>
      stepSlots(() =>
        withTransaction<Committed>(ctx, async (tx) => {
          const [locked, loaders] = await Promise.all([
            lockOrder(tx, { number, credentials: ctx }, { variants: 'read' }),
            want(tx, number, ctx),
          ]);
          // A retry does not lock stock early: the transaction may have been restarted because of it.
          want = wantNothing;
          const done = await work(tx, locked, { ...buildRun(ctx, tx, cause), loaders });
          if (isCartChange(locked, done)) relaxCommit(tx);
          const { draft, ...result } = done;
          return { result, order: await saveDraft(tx, draft) };
        }),
      ),
    );
    if ('request' in result) return processPayments(ctx, result.request);
    return 'refused' in result
      ? { order, refused: result.refused, shortages: result.shortages ?? [] }
      : { order, refused: null, shortages: [] };
  };
  return runUnlessWaiting(ctx, () => retryAfterPayments(ctx, steps));
}

/** Whether a step changed the cart, its addresses or its delivery only: no payments, no stock, no sale. */
function isCartChange(before: OrderGraph, { draft: { order } }: StepResult): boolean {
  const isCart = ['cart', 'address', 'delivery'].includes(before.state) && order.completed_at === null;
  return isCart && before.payments.length === 0 && order.payments.length === 0;
}

/** @returns the order with its payments that wait for the buyer or the provider */
async function loadWaitingOrder(ctx: Ctx, orderId: number): Promise<Ending> {
  const order = await loadOrderGraph(ctx.db, orderId);
  return { order, refused: null, shortages: [], waiting: listWaiting(order) };
}

function listWaiting({ payments }: OrderGraph): WaitingPayment[] {
  return payments.flatMap(({ id, number, waiting }) =>
    waiting === null ? [] : [{ id, number, requires_action: waiting.requires_action }],
  );
}

/**
 * Runs steps. An order whose payment waits takes none: its stock is held.
 * @throws PaymentInProgress while a gateway call is running
 */
async function runUnlessWaiting(ctx: Ctx, steps: () => Promise<Ending>): Promise<Ending> {
  try {
    return await steps();
  } catch (error) {
    if (!(error instanceof PaymentInProgress)) throw error;
    const ending = await loadWaitingOrder(ctx, error.orderId);
    if (ending.waiting?.length === 0) throw error;
    return ending;
  }
}

async function processPayments(ctx: Ctx, request: GatewayRequest): Promise<Ending> {
  const processed = await processOperation(ctx, request, recordCompletionResult);
  if ('waits' in processed) return loadWaitingOrder(ctx, request.order_id);
  const { end } = processed;
  if (end.ended === 'completed') return { order: end.order, refused: null, shortages: [] };
  const order = await loadOrderGraph(ctx.db, request.order_id);
  return end.ended === 'refused'
    ? { order, refused: end.errors, shortages: [], isDeclined: true }
    : { order, refused: null, shortages: [] };
}
