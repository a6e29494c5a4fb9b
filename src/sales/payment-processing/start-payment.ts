import { perform, type Decided, type Ending, type PerformerOf } from '../../platform/perform';
import type { Tx } from '../../platform/database/transaction';
import type { FieldErrors } from '../../platform/errors';
import { subtract, toAmount, toDecimal, ZERO } from '../../platform/money';
import type { PaymentGraph } from '../order/order-graph';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import {
  paymentMachine,
  type PaymentCall,
  type PaymentEvent,
  type PaymentFacts,
  type PaymentState,
} from '../order/payment.machine';
import type { Cause, PendingStateChange, StateChange } from '../order/state-changes.repository';
import { addToDraft, type OrderDraft } from '../order-updater/order-draft';
import { buildRequest, type GatewayRequest } from './gateway-request';
import { getPaymentMethods } from './payment-methods.repository';
import {
  buildOperationsStart,
  type NewOperation,
  type OperationPurpose,
} from './payment-operations.repository';
import { hasForeignCard } from './payments.repository';

/*
 * A gateway call has three phases, so that no transaction waits for a gateway and no crash loses money:
 * 1. Start (`performOnPayments`): under the order's lock the machine decides, and the operation is stored with its
 *    idempotency key and the payment becomes `processing` when the order is saved. Committed together with everything
 *    that must be true before money moves (stock taken, order canceled).
 * 2. Call (`callGateway`): no transaction, no lock. While a payment is `processing`, no other request changes its order
 *    (order-lock.ts).
 * 3. Record (`recordResult`): under the order's lock again, the result and everything that follows from it.
 * If a crash, a lost database or an unresponsive gateway interrupts an operation after phase 1,
 * settle-interrupted-payments.job.ts repeats phases 2 and 3.
 */

/** A payment of an order to perform an event on. */
export interface PaymentSubject {
  payment: PaymentGraph;
  /**
   * Amount of the call, a decimal string. Defaults to the whole payment; a credit of `cancel`, to what is not refunded.
   */
  amount?: string;
  /** Why the requested amount is not possible, as an error message. */
  amountRefusal?: string;
  /** Why a credit is requested, for its refund. */
  reason?: string;
  /** The changes of the event `update`. */
  changes?: Partial<Omit<PaymentGraph, 'id' | 'state'>>;
}

/** An event of payments, and who causes it. */
export interface PaymentAct {
  event: PaymentEvent;
  purpose: OperationPurpose;
  cause: Cause;
}

/**
 * How an event of a payment ended. For `calls`: save the draft and commit, then pass the request to `callAndRecord` or
 * `processOperation`.
 */
export type PaymentEnding =
  | { ended: 'unchanged' | 'moved' }
  | { ended: 'refused'; errors: FieldErrors }
  | { ended: 'calls'; request: GatewayRequest };

/**
 * Performs an event on payments of an order (phase 1). The draft has their states, history and operations; whoever saves it
 * updates the totals of the order. Usually no statement.
 * @returns one ending for each subject
 */
export async function performOnPayments(
  tx: Tx,
  draft: OrderDraft,
  act: PaymentAct,
  subjects: readonly PaymentSubject[],
): Promise<{ draft: OrderDraft; endings: PaymentEnding[] }> {
  const { order } = draft;
  const performed = subjects.map((subject): Ending<PaymentCall, Performed> =>
    perform(performer, act.event, { ...subject, order, act }),
  );
  const written = performed.flatMap((ending) => ('written' in ending ? (ending.written ?? []) : []));
  const moved = new Map(written.map(({ payment }) => [payment.id, payment]));
  const operations = written.flatMap(({ operation }) => operation ?? []);
  const requests = await buildRequests(tx, order, operations);
  const calls = operations.length === 0 ? [] : [buildOperationsStart(order, operations, act.cause.reason)];
  const added = addToDraft(draft, { history: written.flatMap(({ history }) => history), calls });
  return {
    draft: {
      ...added,
      cause: act.cause,
      order: { ...order, payments: order.payments.map((payment) => moved.get(payment.id) ?? payment) },
    },
    endings: performed.map((ending, place) => {
      if (ending.ended !== 'calls') return ending;
      const request = requests.get(subjects[place]?.payment.id ?? 0);
      if (request === undefined) throw new Error('the call has no request');
      return { ended: 'calls', request };
    }),
  };
}

/** Performs an event on one payment, as `performOnPayments` does. */
export async function performOnPayment(
  tx: Tx,
  draft: OrderDraft,
  act: PaymentAct,
  subject: PaymentSubject,
): Promise<{ draft: OrderDraft; ending: PaymentEnding }> {
  const { endings, ...performed } = await performOnPayments(tx, draft, act, [subject]);
  return { ...performed, ending: endings[0] ?? { ended: 'unchanged' } };
}

/** An operation that is not stored yet, with the state of its payment while it is running. */
type StartingOperation = NewOperation & { through: Decided<PaymentState> };

/** What an event changes. */
interface Performed {
  payment: PaymentGraph;
  history: StateChange[];
  /** Null without a gateway call. With one, the payment stays as it is until the operation is stored. */
  operation: StartingOperation | null;
}

interface PaymentStep extends PaymentSubject {
  order: LockedOrderGraph;
  act: PaymentAct;
}

const performer: PerformerOf<typeof paymentMachine, PaymentStep, Performed> = {
  machine: paymentMachine,
  read: ({ payment, order, amountRefusal = null }) => ({
    state: payment.state,
    facts: buildFacts(payment, { order, amountRefusal }),
  }),
  effects: {
    store_attributes(step) {
      step.payment = { ...step.payment, ...step.changes };
    },
    store_response: rejectBeforeCall,
    split_uncaptured_rest: rejectBeforeCall,
    store_refund: rejectBeforeCall,
  },
  write(step, { to, call }) {
    const { payment, act } = step;
    if (to === null) return { payment, history: [], operation: null };
    if (call !== null) {
      const operation = { ...buildOperation(step, call), through: to };
      return { payment, history: [], operation };
    }
    return {
      payment: { ...payment, state: to, settled_state: to },
      history: [buildMove(payment, to, act.cause)],
      operation: null,
    };
  },
};

/** An idempotency key has a counter, so that a second capture after a declined one has a new key. */
function buildOperation(step: PaymentStep, kind: PaymentCall): NewOperation {
  const { id: payment_id, number, call_count, state: state_before } = step.payment;
  const { event, purpose, cause } = step.act;
  return {
    payment_id,
    kind,
    event,
    purpose,
    state_before,
    amount: calculateAmount(step, { event, kind }),
    idempotency_key: `${number}-${kind}-${call_count + 1}`,
    user_id: cause.user_id,
    reason: kind === 'credit' ? (step.reason ?? (event === 'cancel' ? cause.reason : null)) : null,
  };
}

/** Builds the requests of new operations, by the ids of their payments. */
async function buildRequests(
  tx: Tx,
  order: LockedOrderGraph,
  operations: readonly StartingOperation[],
): Promise<Map<number, GatewayRequest>> {
  const requests = new Map<number, GatewayRequest>();
  if (operations.length === 0) return requests;
  const methods = await getPaymentMethods(tx, order.revisions);
  for (const operation of operations) {
    const payment = order.payments.find(({ id }) => id === operation.payment_id);
    const method = methods.get(payment?.payment_method_id ?? 0);
    if (payment === undefined || method === undefined) throw new Error('the payment has no method');
    const has_foreign_card = payment.has_foreign_card ?? (await hasForeignCard(tx, payment));
    const started = { ...operation, started_at: order.read_at, waits_until: null, response_code: null };
    const request = buildRequest(order, { ...payment, has_foreign_card }, { operation: started, method });
    requests.set(payment.id, request);
  }
  return requests;
}

function rejectBeforeCall(): never {
  throw new Error('the gateway has not been called yet');
}

function calculateAmount(
  { payment, amount }: PaymentSubject,
  { event, kind }: { event: PaymentEvent; kind: PaymentCall },
): string {
  if (amount !== undefined) return amount;
  const isRest = event === 'cancel' && kind === 'credit';
  return isRest ? toDecimal(calculateRest(payment)) : payment.amount;
}

function calculateRest({ amount, refunded }: Pick<PaymentGraph, 'amount' | 'refunded'>) {
  return subtract(toAmount(amount), toAmount(refunded));
}

export function buildFacts(
  payment: PaymentGraph,
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

/** Builds the step of a payment and its history. */
export function buildMove(
  { id, order_id, state }: Pick<PaymentGraph, 'id' | 'order_id' | 'state'>,
  to_state: Decided<PaymentState>,
  { user_id, reason }: Cause,
): PendingStateChange<PaymentState> {
  return { order_id, subject_type: 'payment', subject_id: id, from_state: state, to_state, user_id, reason };
}
