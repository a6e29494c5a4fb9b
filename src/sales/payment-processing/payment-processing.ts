import type { Deps } from '../context';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { subtract, toAmount, toDecimal, ZERO } from '../../platform/money';
import { isRefused, type Transition } from '../../platform/state-machine';
import type { StateChange, Cause } from '../order/state-changes.repository';
import { lockOrderOf, type OpenOrder } from '../order/order-lock';
import { updateOrder } from '../order-updater/order-updater';
import type { OrderRow } from '../order/orders.repository';
import { askGateway } from './ask-gateway';
import type { GatewayResult } from './gateways/gateway';
import {
  finishOperation,
  insertOperations,
  lockOperation,
  type OperationPurpose,
  type PaymentOperationRow,
  type PaymentQuestion,
} from './payment-operations.repository';
import {
  paymentMachine,
  type PaymentCall,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentState,
} from '../order/payment.machine';
import {
  insertPayment,
  insertRefund,
  lockPayments,
  type LockedPayment,
  type PaymentPatch,
} from './payments.repository';

/*
 * How a gateway is asked, in three phases, so that no transaction waits for the outside world and no crash loses money:
 * 1. start: under the order's lock the rules decide, the question is written down with its key, the payment becomes
 *    `processing`. Committed together with whatever else must be true before money moves (stock taken, order canceled).
 * 2. ask: no transaction, no lock. While a payment is `processing` its order is not changed by anybody (order-lock.ts).
 * 3. record: under the order's lock again, the answer and all that follows from it.
 * What is left between 1 and 3 by a crash, a lost database or a silent gateway, settle-interrupted-payments.job.ts
 * takes through 2 and 3 again.
 */

/** What the rules ask about a payment. */
export type PayablePayment = Pick<
  LockedPayment,
  'id' | 'order_id' | 'state' | 'credit_card_id' | 'method_type' | 'refunded'
>;

/** A transition of a payment that has something to ask, and the amount it is about (a decimal string). */
export interface Start {
  payment: PayablePayment;
  event: PaymentEvent;
  kind: PaymentCall;
  through: PaymentState;
  amount: string;
}

/**
 * What became of a question; a refusal carries the gateway's words. `is_repeated`: somebody else had recorded it
 * before, and done all that follows from it.
 */
export type Outcome = { is_repeated: boolean } & ({ approved: true } | { approved: false; message: string });

/** Does the third phase of one purpose, in a transaction of its own. @returns what must be asked next, if anything */
export type Recorder = (
  deps: Deps,
  question: PaymentQuestion,
  answer: GatewayResult,
) => Promise<PaymentQuestion | null>;

/** What the machine says to an event of a payment. */
export function decidePayment(
  payment: PayablePayment,
  event: PaymentEvent,
  order: Pick<OrderRow, 'state'>,
): ReturnType<typeof paymentMachine.decide> {
  return paymentMachine.decide(payment.state, event, factsOf(payment, order.state === 'canceled'));
}

function factsOf(payment: PayablePayment, order_is_canceled: boolean) {
  return {
    needs_source: payment.method_type === 'gateway',
    has_source: payment.credit_card_id !== null,
    order_is_canceled,
    refunded: toAmount(payment.refunded),
  };
}

/**
 * Phase 1: writes the questions down and makes their payments `processing`. Expects the order and its payments locked.
 * The order's totals stay as they were until the answers are recorded.
 * @returns the questions, to be asked after the commit
 */
export async function startOperations(
  tx: Tx,
  starts: readonly Start[],
  because: Cause & { purpose: OperationPurpose },
): Promise<PaymentQuestion[]> {
  const { user_id, reason, purpose } = because;
  return insertOperations(
    tx,
    starts.map(({ payment, event, kind, through, amount }) => ({
      payment_id: payment.id,
      kind,
      event,
      purpose,
      amount,
      state_before: payment.state,
      through,
      user_id,
    })),
    reason,
  );
}

/** As `startOperations`, for one question. */
export async function startOperation(
  tx: Tx,
  start: Start,
  because: Cause & { purpose: OperationPurpose },
): Promise<PaymentQuestion> {
  const [question] = await startOperations(tx, [start], because);
  if (question === undefined) throw new Error('the operation was not started');
  return question;
}

/** The history of one payment's step; from null when it was made. */
export function paymentChange(
  payment: { id: number; order_id: number; state: PaymentState | null },
  to_state: PaymentState,
  { user_id, reason }: Cause,
): StateChange {
  const { id, order_id, state } = payment;
  return { order_id, subject_type: 'payment', subject_id: id, from_state: state, to_state, user_id, reason };
}

/**
 * Phase 3: writes the answer down with everything that follows for the payment; `updateOrder` must come after it.
 * Expects the order locked. Safe to repeat: an answer that is recorded already stays, and is what comes back.
 */
export async function recordAnswer(
  tx: Tx,
  question: PaymentQuestion,
  answer: GatewayResult,
): Promise<Outcome> {
  const payments = await lockPayments(tx, question.order_id);
  const payment = payments.find(({ id }) => id === question.payment_id);
  const operation = await lockOperation(tx, question.id);
  if (payment === undefined || operation === undefined) throw new Error(`operation ${question.id} is gone`);
  if (operation.state !== 'started') {
    return { ...outcomeOf(operation.state === 'approved', operation.message), is_repeated: true };
  }

  const { approved } = answer;
  const transition = transitionOf(operation, payment);
  const state = approved ? transition.to : transition.refusedTo;
  const record: Recording = { tx, operation, payment, answer, patch: { state } };
  for (const effect of approved ? transition.then : transition.undo) await runEffect(effect, record);
  const { response_code, message } = answer;
  await finishOperation(
    tx,
    operation,
    { state: approved ? 'approved' : 'declined', response_code, message },
    { patch: record.patch, change: paymentChange(payment, state, causeOf(question)) },
  );
  return { ...outcomeOf(approved, answer.message), is_repeated: false };
}

function outcomeOf(approved: boolean, message: string | null) {
  return approved ? ({ approved } as const) : ({ approved, message: message ?? '' } as const);
}

/** The transition that the operation was started for; what could have refused it was asked then. */
function transitionOf(
  operation: PaymentOperationRow,
  payment: LockedPayment,
): Transition<PaymentState, PaymentEffect, PaymentCall> {
  const decision = paymentMachine.decide(operation.state_before, operation.event, factsOf(payment, false));
  if (isRefused(decision)) throw new Error(`operation ${operation.id} was never allowed`);
  return decision;
}

interface Recording {
  tx: Tx;
  operation: PaymentOperationRow;
  payment: LockedPayment;
  answer: GatewayResult;
  /** Columns of the payment to be written when all effects have run. */
  patch: PaymentPatch;
}

async function runEffect(effect: PaymentEffect, record: Recording): Promise<void> {
  switch (effect) {
    case 'store_response':
      storeResponse(record);
      return;
    case 'split_uncaptured_rest':
      return splitUncapturedRest(record);
    case 'store_refund':
      return storeRefund(record);
    case 'store_attributes':
      throw new Error('attributes are stored without asking a gateway');
  }
}

/** What the gateway does not say this time stays as it was said before. */
function storeResponse({ answer, patch }: Recording): void {
  if (answer.response_code !== null) patch.response_code = answer.response_code;
  if (answer.avs_response !== null) patch.avs_response = answer.avs_response;
  if (answer.cvv_response !== null) patch.cvv_response_code = answer.cvv_response;
}

/** The captured part is this payment; what is left of the authorization becomes a payment of its own. */
async function splitUncapturedRest({ tx, operation, payment, answer, patch }: Recording): Promise<void> {
  const rest = subtract(toAmount(payment.amount), toAmount(operation.amount));
  if (rest === ZERO) return;
  patch.amount = operation.amount;
  const { order_id, payment_method_id, credit_card_id, avs_response, cvv_response_code } = payment;
  const remainder = {
    order_id,
    payment_method_id,
    credit_card_id,
    amount: toDecimal(rest),
    amount_is_explicit: true,
    state: 'pending',
    response_code: payment.response_code ?? answer.response_code,
    avs_response,
    cvv_response_code,
  } as const;
  const cause = { user_id: operation.user_id, reason: `rest of payment ${payment.number}` };
  await insertPayment(tx, remainder, cause);
}

async function storeRefund({ tx, operation, answer }: Recording): Promise<void> {
  await insertRefund(tx, {
    payment_id: operation.payment_id,
    payment_operation_id: operation.id,
    amount: operation.amount,
    response_code: answer.response_code,
  });
}

/** Who asked, and what for, in the words of the history. */
export function causeOf(question: Pick<PaymentQuestion, 'user_id' | 'event' | 'purpose'>): Cause {
  const reasons = {
    payment: `payment ${question.event}`,
    complete_order: 'checkout complete',
    cancel_order: 'order cancel',
  } as const satisfies Record<OperationPurpose, string>;
  return { user_id: question.user_id, reason: reasons[question.purpose] };
}

/**
 * Phases 2 and 3 to the end: asks, records, and goes on with what the recorder wants asked next.
 * @throws Unavailable when the gateway keeps silent; the settling job goes on from there
 */
export async function settle(deps: Deps, question: PaymentQuestion, record: Recorder): Promise<void> {
  for (let next: PaymentQuestion | null = question; next !== null;) {
    next = await record(deps, next, await askGateway(deps, next));
  }
}

/** Phase 3 where nothing but the payment and its order's totals waits: actions on payments, canceled orders. */
export const recordPaymentAnswer: Recorder = async (deps, question, answer) => {
  await recordAlone(deps, question, answer);
  return null;
};

async function recordAlone(
  deps: Deps,
  question: PaymentQuestion,
  answer: GatewayResult,
): Promise<{ outcome: Outcome; order: OpenOrder }> {
  return withTransaction(deps, async (tx) => {
    const locked = await lockOrderOf(tx, question.order_id);
    const outcome = await recordAnswer(tx, question, answer);
    return { outcome, order: await updateOrder(tx, locked, causeOf(question)) };
  });
}

/**
 * Phases 2 and 3 of one action on a payment, whose caller waits for the outcome.
 * @returns the outcome, and the order as it is then
 * @throws Unavailable when the gateway keeps silent; the settling job goes on from there
 */
export async function askAndRecord(
  deps: Deps,
  question: PaymentQuestion,
): Promise<{ outcome: Outcome; order: OpenOrder }> {
  return recordAlone(deps, question, await askGateway(deps, question));
}
