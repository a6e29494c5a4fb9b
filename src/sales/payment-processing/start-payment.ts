import { performAll } from '../../platform/perform';
import type { BulkPerformerOf, Decided } from '../../platform/perform';
import type { Tx } from '../../platform/database/transaction';
import type { FieldErrors } from '../../platform/errors';
import { subtract, toAmount, toDecimal, ZERO } from '../../platform/money';
import type { LockedOrder } from '../order/order-lock';
import {
  paymentMachine,
  type PaymentCall,
  type PaymentEvent,
  type PaymentFacts,
  type PaymentState,
} from '../order/payment.machine';
import type { Cause, PendingStateChange } from '../order/state-changes.repository';
import {
  insertOperations,
  type GatewayRequest,
  type OperationPurpose,
} from './payment-operations.repository';
import {
  updatePayment,
  updatePaymentStates,
  type LockedPayment,
  type PaymentPatch,
} from './payments.repository';

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
  /**
   * Amount of the call, a decimal string. Defaults to the whole payment; a credit of `cancel`, to what is not refunded.
   */
  amount?: string;
  /** Why the requested amount is not possible, as an error message. */
  amountRefusal?: string;
  /** Why a credit is requested, for its refund. */
  reason?: string;
  /** The changes of the event `update`. */
  changes?: PaymentPatch;
}

/**
 * How an event of a payment ended. For `calls`: commit, then pass the request to `callAndRecord` or `processOperation`.
 */
export type PaymentEnding =
  | { ended: 'unchanged' | 'moved' }
  | { ended: 'refused'; errors: FieldErrors }
  | { ended: 'calls'; request: GatewayRequest };

/**
 * Performs an event on payments of one order (phase 1). Writes their states, history and operations. Call `updateOrder`
 * afterwards; it writes the totals of the order.
 * @returns one ending for each subject
 */
export async function performOnPayments(
  tx: Tx,
  event: PaymentEvent,
  subjects: readonly PaymentSubject[],
  cause: Cause & { purpose: OperationPurpose },
): Promise<PaymentEnding[]> {
  const store: StoreOperations<GatewayRequest> = async (order, operations) => {
    const requests = await insertOperations(tx, order, operations, cause.reason);
    return ({ payment_id }) => requests.find((one) => one.payment_id === payment_id);
  };
  const endings = await performAll(buildPerformer(tx, { event, cause, store }), event, subjects);
  return endings.map((ending) => {
    if (ending.ended !== 'calls') return ending;
    if (ending.written === null) throw new Error('the operation was not stored');
    return { ended: 'calls', request: ending.written };
  });
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

/** Stores the operation of a payment and returns its request. One statement, which must be the last of the transaction. */
export type StartOperation = () => Promise<GatewayRequest>;

/** How an event of a payment ended, with an operation that is not stored yet. */
export type DeferredEnding =
  Exclude<PaymentEnding, { ended: 'calls' }> | { ended: 'calls'; start: StartOperation };

/**
 * Performs an event on one payment, as `performOnPayment` does, but leaves it to the caller to store the operation, as
 * the last statement of the transaction, so that COMMIT is sent with it.
 */
export async function performOnPaymentLast(
  tx: Tx,
  event: PaymentEvent,
  subject: PaymentSubject,
  cause: Cause & { purpose: OperationPurpose },
): Promise<DeferredEnding> {
  const store: StoreOperations<StartOperation> = (order, operations) =>
    Promise.resolve((operation) => async () => {
      const requests = await insertOperations(tx, order, operations, cause.reason);
      const request = requests.find(({ payment_id }) => payment_id === operation.payment_id);
      if (request === undefined) throw new Error('the operation was not stored');
      return request;
    });
  const [ending] = await performAll(buildPerformer(tx, { event, cause, store }), event, [subject]);
  if (ending === undefined) return { ended: 'unchanged' };
  if (ending.ended !== 'calls') return ending;
  if (ending.written === null) throw new Error('the event has no operation');
  return { ended: 'calls', start: ending.written };
}

type StartingOperation = Parameters<typeof insertOperations>[2][number];

/** Stores operations, now or later. @returns a function that finds what starts the gateway call of an operation */
type StoreOperations<Started> = (
  order: LockedOrder,
  operations: readonly StartingOperation[],
) => Promise<(operation: StartingOperation) => Started | undefined>;

function buildPerformer<Started>(
  tx: Tx,
  {
    event,
    cause: { user_id, reason, purpose },
    store,
  }: {
    event: PaymentEvent;
    cause: Cause & { purpose: OperationPurpose };
    store: StoreOperations<Started>;
  },
): BulkPerformerOf<typeof paymentMachine, PaymentSubject, Started | null> {
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
      store_attributes: ({ payment: { id }, order, changes = {} }) =>
        updatePayment(tx, order, { id, patch: changes }),
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
      const order = moves[0]?.subject.order;
      if (order === undefined) return [];
      if (changes.length > 0) await updatePaymentStates(tx, order, changes);
      const find = await store(order, operations);
      return moves.map(({ subject }) => {
        const operation = operations.find(({ payment_id }) => payment_id === subject.payment.id);
        return operation === undefined ? null : (find(operation) ?? null);
      });
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

export function buildFacts(
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

/** Builds the step of a payment and its history. */
export function buildMove(
  { id, order_id, state }: Pick<LockedPayment, 'id' | 'order_id' | 'state'>,
  to_state: Decided<PaymentState>,
  { user_id, reason }: Cause,
): PendingStateChange<PaymentState> {
  return { order_id, subject_type: 'payment', subject_id: id, from_state: state, to_state, user_id, reason };
}
