import type { Deps } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import type { Tx } from '../../platform/database/transaction';
import { formatDecimal, subtract, toAmount, toDecimal, ZERO } from '../../platform/money';
import type { Cause, PendingStateChange } from '../order/state-changes.repository';
import { lockKnownOrder } from '../order/order-lock';
import type { LockedOrderGraph, LockedOrder } from '../order/order-lock';
import { updateOrder } from '../order-updater/order-updater';
import { loadOrderGraph } from '../order/order-graph';
import type { FieldErrors } from '../../platform/errors';
import { finish, performAll } from '../../platform/perform';
import type { BulkPerformerOf, Decided, Ending } from '../../platform/perform';
import { callGateway } from './call-gateway';
import type { GatewayResult } from './gateways/gateway';
import {
  finishOperation,
  insertOperations,
  lockOperation,
  type OperationPurpose,
  type PaymentOperationRow,
  type GatewayRequest,
} from './payment-operations.repository';
import {
  paymentMachine,
  type PaymentCall,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentFacts,
  type PaymentState,
} from '../order/payment.machine';
import {
  insertPayment,
  lockPayments,
  updatePayment,
  updatePaymentStates,
  type LockedPayment,
  type PaymentPatch,
} from './payments.repository';
import { insertRefund } from './refunds.repository';

/*
 * A gateway call has three phases, so that no transaction waits for a gateway and no crash loses money:
 * 1. Start (`performOnPayments`): under the order's lock the machine decides, the operation is stored with its
 *    idempotency key, and the payment becomes `processing`. Committed together with everything that must be true before
 *    money moves (stock taken, order canceled).
 * 2. Call (`callGateway`): no transaction, no lock. While a payment is `processing`, no other request changes its order
 *    (order-lock.ts).
 * 3. Record (`recordResult`): under the order's lock again, the result and everything that follows from it.
 * If a crash, a lost database or an unresponsive gateway interrupts an operation after phase 1,
 * settle-interrupted-payments.job.ts repeats phases 2 and 3.
 */

/** The columns of a payment that the machine needs. */
export type PayablePayment = Pick<
  LockedPayment,
  'id' | 'order_id' | 'state' | 'amount' | 'credit_card_id' | 'method_type' | 'refunded'
>;

/** A payment to perform an event on, with its locked order. */
export interface PaymentSubject {
  payment: PayablePayment;
  order: LockedOrder;
  /** Amount of the call, a decimal string. Defaults to the whole payment; a credit of `cancel`, to what is not refunded. */
  amount?: string;
  /** Why the requested amount is not possible, as an error message. */
  amountRefusal?: string;
  /** Why a credit is requested, for its refund. */
  reason?: string;
  /** The changes of the event `update`. */
  changes?: PaymentPatch;
}

/** How an event of a payment ended. For `calls`: commit, then pass the request to `callAndRecord` or `processOperation`. */
export type PaymentEnding =
  | { ended: 'unchanged' | 'moved' }
  | { ended: 'refused'; errors: FieldErrors }
  | { ended: 'calls'; request: GatewayRequest };

/**
 * The outcome of a gateway call; a refusal has the gateway's message. If `is_repeated`, it was recorded earlier, with
 * everything that follows from it.
 */
export type Outcome = { is_repeated: boolean } & ({ approved: true } | { approved: false; message: string });

/** What follows a recorded result: another request, or the end. */
export type Recorded<End> = { request: GatewayRequest } | { end: End };

/** Performs the third phase for one purpose, in its own transaction. */
export type Recorder<End> = (
  deps: Deps,
  request: GatewayRequest,
  result: GatewayResult,
) => Promise<Recorded<End>>;

/**
 * Performs an event on payments of one order (phase 1). Writes their states, history and operations. Expects the order
 * and its payments locked. Call `updateOrder` afterwards; it writes the totals of the order.
 * @returns one ending for each subject
 */
export async function performOnPayments(
  tx: Tx,
  event: PaymentEvent,
  subjects: readonly PaymentSubject[],
  cause: Cause & { purpose: OperationPurpose },
): Promise<PaymentEnding[]> {
  const endings = await performAll(buildPerformer(tx, event, cause), event, subjects);
  return endings.map(buildEnding);
}

/** Performs an event on one payment, as `performOnPayments` does. */
export async function performOnPayment(
  tx: Tx,
  event: PaymentEvent,
  subject: PaymentSubject,
  cause: Cause & { purpose: OperationPurpose },
): Promise<PaymentEnding> {
  const [ending] = await performOnPayments(tx, event, [subject], cause);
  return ending ?? { ended: 'unchanged' };
}

/** Null for a move without a gateway call. */
type StartedRequest = GatewayRequest | null;

function buildEnding(ending: Ending<PaymentCall, StartedRequest>): PaymentEnding {
  if (ending.ended !== 'calls') return ending;
  if (ending.written === null) throw new Error('the operation was not stored');
  return { ended: 'calls', request: ending.written };
}

function buildPerformer(
  tx: Tx,
  event: PaymentEvent,
  { user_id, reason, purpose }: Cause & { purpose: OperationPurpose },
): BulkPerformerOf<typeof paymentMachine, PaymentSubject, StartedRequest> {
  return {
    machine: paymentMachine,
    read: ({ payment, order, amountRefusal }) => ({
      state: payment.state,
      facts: buildFacts(payment, {
        order,
        amountRefusal: amountRefusal ?? null,
      }),
    }),
    effects: {
      store_attributes: ({ payment, changes = {} }) => updatePayment(tx, payment, changes),
      store_response: rejectBeforeCall,
      split_uncaptured_rest: rejectBeforeCall,
      store_refund: rejectBeforeCall,
    },
    async writeAll(moves) {
      const operations = moves.flatMap(({ subject, to: through, call: kind }) => {
        if (kind === null || through === null) return [];
        const { id: payment_id, state: state_before } = subject.payment;
        const amount = calculateAmount(subject, { event, kind });
        const why = kind === 'credit' ? (subject.reason ?? (event === 'cancel' ? reason : null)) : null;
        return [{ payment_id, kind, event, purpose, amount, state_before, through, user_id, reason: why }];
      });
      const changes = moves.flatMap(({ subject: { payment }, to, call }) =>
        call !== null || to === null ? [] : [buildMove(payment, to, { user_id, reason })],
      );
      if (changes.length > 0) await updatePaymentStates(tx, changes);
      const requests = await insertOperations(tx, operations, reason);
      return moves.map(
        ({ subject }) => requests.find((one) => one.payment_id === subject.payment.id) ?? null,
      );
    },
  };
}

function rejectBeforeCall(): Promise<never> {
  return Promise.reject(new Error('the gateway has not been called yet'));
}

function calculateAmount(
  { payment, amount }: PaymentSubject,
  { event, kind }: { event: PaymentEvent; kind: PaymentCall },
): string {
  if (amount !== undefined) return amount;
  const isRest = event === 'cancel' && kind === 'credit';
  return isRest ? toDecimal(calculateRest(payment)) : payment.amount;
}

function calculateRest({ amount, refunded }: Pick<PayablePayment, 'amount' | 'refunded'>) {
  return subtract(toAmount(amount), toAmount(refunded));
}

function buildFacts(
  payment: PayablePayment,
  { order, amountRefusal }: { order: LockedOrder; amountRefusal: string | null },
): PaymentFacts {
  return {
    needs_source: payment.method_type === 'gateway',
    has_source: payment.credit_card_id !== null,
    order_is_canceled: order.state === 'canceled',
    order_is_empty:
      order.completed_at !== null && Number(order.total_quantity) === 0 && toAmount(order.total) === ZERO,
    refunded: toAmount(payment.refunded),
    left: calculateRest(payment),
    amount_refusal: amountRefusal,
  };
}

function buildMove(
  { id, order_id, state }: Pick<LockedPayment, 'id' | 'order_id' | 'state'>,
  to_state: Decided<PaymentState>,
  { user_id, reason }: Cause,
): PendingStateChange<PaymentState> {
  return { order_id, subject_type: 'payment', subject_id: id, from_state: state, to_state, user_id, reason };
}

/**
 * Records the result of a gateway call, and everything that follows for the payment (phase 3). Call `updateOrder`
 * afterwards. Repeatable: a result that was recorded earlier is kept and returned.
 */
export async function recordResult(
  tx: Tx,
  order: LockedOrder,
  request: GatewayRequest,
  result: GatewayResult,
): Promise<Outcome> {
  const payments = await lockPayments(tx, order.id);
  const payment = payments.find(({ id }) => id === request.payment_id);
  const operation = await lockOperation(tx, request.id);
  if (payment === undefined || operation === undefined)
    throw new Error(`operation ${request.id} does not exist`);
  if (operation.state !== 'started') {
    return { ...buildOutcome(operation.state === 'approved', operation.message), is_repeated: true };
  }
  const { state_before: from, event, kind } = operation;
  const call = { from, event, call: kind, approved: result.approved };
  const cause = buildCause(request);
  await finish({ machine: paymentMachine, effects, write }, call, {
    tx,
    operation,
    payment,
    result,
    cause,
    patch: {},
  });
  return { ...buildOutcome(result.approved, result.message), is_repeated: false };
}

function buildOutcome(approved: boolean, message: string | null) {
  return approved ? ({ approved } as const) : ({ approved, message: message ?? '' } as const);
}

interface Recording {
  tx: Tx;
  operation: PaymentOperationRow;
  payment: LockedPayment;
  result: GatewayResult;
  cause: Cause;
  /** Columns of the payment collected by the effects. */
  patch: PaymentPatch;
}

const effects: Record<PaymentEffect, (record: Recording) => Promise<void>> = {
  store_response(record) {
    storeResponse(record);
    return Promise.resolve();
  },
  split_uncaptured_rest: splitUncapturedRest,
  store_refund: storeRefund,
  store_attributes: () => Promise.reject(new Error('attributes are stored without a gateway call')),
};

async function write(
  { tx, operation, payment, result, cause, patch }: Recording,
  { to }: { to: Decided<PaymentState> | null },
): Promise<void> {
  if (to === null) throw new Error(`payment ${payment.number} does not leave ${payment.state}`);
  const { approved, response_code, message } = result;
  await finishOperation(
    tx,
    operation,
    { state: approved ? 'approved' : 'declined', response_code, message },
    { patch, move: buildMove(payment, to, approved ? describeRefund(operation, cause) : cause) },
  );
}

/** Adds the amount of an approved credit to its cause, and its reason, for the history. */
function describeRefund({ kind, amount, reason }: PaymentOperationRow, cause: Cause): Cause {
  if (kind !== 'credit') return cause;
  const refund = `${cause.reason}: refund of ${formatDecimal(amount)}`;
  return { ...cause, reason: reason === null || reason === cause.reason ? refund : `${refund}, ${reason}` };
}

/** Stores the codes of a result, and the amount that it approved. A null code leaves the stored one in place. */
function storeResponse({ operation, result, patch }: Recording): void {
  if (result.approved && operation.kind !== 'void' && operation.kind !== 'credit')
    patch.authorized_amount = operation.amount;
  if (result.response_code !== null) patch.response_code = result.response_code;
  if (result.avs_response !== null) patch.avs_response = result.avs_response;
  if (result.cvv_response !== null) patch.cvv_response_code = result.cvv_response;
}

/** Reduces the payment to the captured amount and creates a pending payment for the rest of the authorization. */
async function splitUncapturedRest({ tx, operation, payment, result, patch }: Recording): Promise<void> {
  const rest = subtract(toAmount(payment.amount), toAmount(operation.amount));
  if (rest === ZERO) return;
  patch.amount = operation.amount;
  const { order_id, payment_method_id, credit_card_id, avs_response, cvv_response_code } = payment;
  const remainder = {
    order_id,
    payment_method_id,
    credit_card_id,
    amount: toDecimal(rest),
    amount_is_explicit: payment.amount_is_explicit,
    authorized_amount: toDecimal(rest),
    authorized_payment_id: payment.authorized_payment_id ?? payment.id,
    state: 'pending',
    response_code: payment.response_code ?? result.response_code,
    avs_response,
    cvv_response_code,
  } as const;
  const cause = { user_id: operation.user_id, reason: `rest of payment ${payment.number}` };
  await insertPayment(tx, remainder, cause);
}

async function storeRefund({ tx, operation, result }: Recording): Promise<void> {
  await insertRefund(tx, {
    payment_id: operation.payment_id,
    payment_operation_id: operation.id,
    amount: operation.amount,
    reason: operation.reason,
    user_id: operation.user_id,
    response_code: result.response_code,
  });
}

/** Builds the cause that the history records for an operation. */
export function buildCause(request: Pick<GatewayRequest, 'user_id' | 'event' | 'purpose'>): Cause {
  const reasons = {
    payment: `payment ${request.event}`,
    complete_order: 'checkout complete',
    cancel_order: 'order cancel',
  } as const satisfies Record<OperationPurpose, string>;
  return { user_id: request.user_id, reason: reasons[request.purpose] };
}

/**
 * Calls the gateway and records the result (phases 2 and 3), then does the same for each request that follows.
 * @throws Unavailable when the gateway does not respond; the settling job continues later
 */
export async function processOperation<End>(
  deps: Deps,
  request: GatewayRequest,
  record: Recorder<End>,
): Promise<End> {
  for (let next = request; ;) {
    const recorded = await record(deps, next, await callGateway(deps, next));
    if ('end' in recorded) return recorded.end;
    next = recorded.request;
  }
}

/** A recorded result, and the order after it. */
export interface RecordedPayment {
  outcome: Outcome;
  order: LockedOrderGraph;
}

/**
 * Starts what follows a recorded result, in its transaction. Not called for a result that was recorded earlier.
 * @returns the next request, or null
 */
export type FollowUp = (
  tx: Tx,
  order: LockedOrder,
  recorded: { request: GatewayRequest; result: GatewayResult },
) => Promise<GatewayRequest | null>;

/** Builds a recorder that records a result, starts what follows, and updates the totals of the order. */
export function buildRecorder(followUp: FollowUp): Recorder<RecordedPayment> {
  return async (deps, request, result) => {
    const record = async (tx: Tx): Promise<Recorded<RecordedPayment>> => {
      const locked = await lockKnownOrder(tx, request.order_id);
      const outcome = await recordResult(tx, locked, request, result);
      if (outcome.is_repeated) {
        // The transaction that recorded the result first has updated the order.
        return { end: { outcome, order: { ...locked, ...(await loadOrderGraph(tx, locked.id)) } } };
      }
      const next = await followUp(tx, locked, { request, result });
      const order = await updateOrder(tx, locked, buildCause(request));
      return next === null ? { end: { outcome, order } } : { request: next };
    };
    return withTransaction(deps, record, { isRepeatable: true });
  };
}

/** Records a result that affects only the payment and the totals of its order. */
export const recordPaymentResult = buildRecorder(() => Promise.resolve(null));

/**
 * Calls the gateway for one payment and records the result (phases 2 and 3).
 * @throws Unavailable when the gateway does not respond; the settling job continues later
 */
export async function callAndRecord(deps: Deps, request: GatewayRequest): Promise<RecordedPayment> {
  return processOperation(deps, request, recordPaymentResult);
}
