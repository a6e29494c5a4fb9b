import type { Logger } from 'pino';
import type { Tx } from '../../platform/database/transaction';
import { formatDecimal, subtract, sum, toAmount, toDecimal, ZERO } from '../../platform/money';
import { finish, type Decided } from '../../platform/perform';
import { omitUndefined } from '../../platform/omit-undefined';
import type { PaymentGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { paymentMachine, type PaymentEffect, type PaymentState } from '../order/payment.machine';
import type { Cause, StateChange } from '../order/state-changes.repository';
import type { BoundStatement } from '../../platform/database/prepared';
import type { GatewayRequest } from './gateway-request';
import type { GatewayResult } from './gateways/gateway';
import {
  buildOperationResult,
  lockOperation,
  type LockedOperation,
  type OperationKey,
  type OperationPurpose,
} from './payment-operations.repository';
import { addToDraft, createDraft, type OrderDraft } from '../order-updater/order-draft';
import { generatePaymentNumber } from '../order/numbers';
import { newId } from '../order/new-id';
import { CANCELLATION } from './own-reasons';
import { buildMove } from './start-payment';

/**
 * The outcome of a gateway call; a refusal has the gateway's message. If `is_repeated`, it was recorded earlier, with
 * everything that follows from it.
 */
export type Outcome = { is_repeated: boolean } & ({ approved: true } | { approved: false; message: string });

/** The result of a gateway call, with the locked operation that it belongs to. */
export interface ReceivedResult {
  operation: LockedOperation;
  request: GatewayRequest;
  result: GatewayResult;
}

/** The columns of a payment that a result may change. */
type ResultPatch = Partial<
  Pick<PaymentGraph, 'amount' | 'authorized_amount' | 'response_code' | 'avs_response' | 'cvv_response_code'>
>;

/**
 * Locks the order, the payment and the operation of a gateway call, and reads the order with its variants if all of them
 * are in memory. Two statements that travel together. @throws NotFound, Error if there is no such operation
 */
export async function lockForResult(
  tx: Tx,
  request: OperationKey,
): Promise<{ order: LockedOrderGraph; operation: LockedOperation }> {
  const wanted = { isHeld: true, whilePaid: true, variants: 'kept' } as const;
  const [operation, order] = await Promise.all([
    lockOperation(tx, request),
    lockOrder(tx, { id: request.order_id }, wanted),
  ]);
  return { order, operation };
}

/**
 * Records the result of a gateway call, and everything that follows for the payment (phase 3), in a draft of the order,
 * whose totals the caller updates. Repeatable: a result that was recorded earlier is kept and returned, and the draft is
 * unchanged.
 */
export function recordResult(
  order: LockedOrderGraph,
  { request, result, operation }: ReceivedResult,
): { outcome: Outcome; draft: OrderDraft } {
  const draft = createDraft(order);
  if (operation.state !== 'started') {
    const outcome = buildOutcome(operation.state === 'approved', operation.message);
    return { outcome: { ...outcome, is_repeated: true }, draft };
  }
  const { state_before: from, event, kind } = operation;
  const call = { from, event, call: kind, approved: result.approved };
  const cause = buildCause(request);
  const { payments } = order;
  const payment = payments.find(({ id }) => id === request.payment_id);
  if (payment === undefined) throw new Error(`payment ${request.payment_number} does not exist`);
  const recording: Recording = { order, operation, payment, result, cause, patch: {}, payments, history: [] };
  const { changes, history, command } = finish({ machine: paymentMachine, effects, write }, call, recording);
  const changed = recording.payments.map((one) =>
    one.id === payment.id ? { ...one, ...changes, settled_state: changes.state, waiting: null } : one,
  );
  const added = addToDraft(draft, { history, commands: [command] });
  return {
    outcome: { ...buildOutcome(result.approved, result.message), is_repeated: false },
    draft: { ...added, order: { ...order, payments: changed }, cause },
  };
}

function buildOutcome(approved: boolean, message: string | null) {
  return approved ? ({ approved } as const) : ({ approved, message: message ?? '' } as const);
}

interface Recording {
  order: LockedOrderGraph;
  operation: LockedOperation;
  /** The payment before the result. */
  payment: PaymentGraph;
  result: GatewayResult;
  cause: Cause;
  /** Columns of the payment collected by the effects. */
  patch: ResultPatch;
  /** All payments of the order, with what the effects have changed besides. */
  payments: PaymentGraph[];
  /** The history of payments that the effects have added. */
  history: StateChange[];
}

const effects: Record<PaymentEffect, (record: Recording) => void> = {
  store_response: storeResponse,
  split_uncaptured_rest: splitUncapturedRest,
  store_refund: storeRefund,
  store_attributes() {
    throw new Error('attributes are stored without a gateway call');
  },
};

/** Builds the new state and columns of the payment, its history, and the result of the operation. */
function write(
  { operation, payment, result, cause, patch, history }: Recording,
  { to }: { to: Decided<PaymentState> | null },
): { changes: ResultPatch & { state: PaymentState }; history: StateChange[]; command: BoundStatement } {
  if (to === null) throw new Error(`payment ${payment.number} does not leave ${payment.state}`);
  const { approved, response_code, message } = result;
  const state = approved ? 'approved' : 'declined';
  return {
    changes: { ...patch, state: to },
    history: [...history, buildMove(payment, to, approved ? describeRefund(operation, cause) : cause)],
    command: buildOperationResult(operation.id, { state, response_code, message }),
  };
}

/** Adds the amount of an approved credit to its cause, and its reason, for the history. */
function describeRefund({ kind, amount, reason }: LockedOperation, cause: Cause): Cause {
  if (kind !== 'credit') return cause;
  const refund = `${cause.reason}: refund of ${formatDecimal(amount)}`;
  return { ...cause, reason: reason === null || reason === cause.reason ? refund : `${refund}, ${reason}` };
}

/**
 * Stores the codes of a result, the amount that it approved, and what the gateway knows of a card that it has confirmed. A
 * null code leaves the stored one in place, and so does that of a refund, which the refund keeps.
 */
function storeResponse(record: Recording): void {
  const { operation, payment, result, patch } = record;
  if (result.approved && operation.kind !== 'void' && operation.kind !== 'credit')
    patch.authorized_amount = operation.amount;
  if (result.response_code !== null && operation.kind !== 'credit')
    patch.response_code = result.response_code;
  if (result.avs_response !== null) patch.avs_response = result.avs_response;
  if (result.cvv_response !== null) patch.cvv_response_code = result.cvv_response;
  if (!result.approved || result.card === undefined) return;
  const { month, year, ...confirmed } = result.card;
  const columns = omitUndefined({ ...confirmed, month: month?.toString(), year: year?.toString() });
  record.payments = record.payments.map((one) =>
    one.card !== null && one.card.id === payment.credit_card_id
      ? { ...one, card: { ...one.card, ...columns } }
      : one,
  );
}

/** Reduces the payment to the captured amount and adds a pending payment for the rest of the authorization. */
function splitUncapturedRest(record: Recording): void {
  const { order, operation, payment, result, patch } = record;
  const rest = toDecimal(subtract(toAmount(payment.amount), toAmount(operation.amount)));
  const split = record.payments.find(({ id }) => id === payment.id);
  if (toAmount(rest) === ZERO || split === undefined) return;
  patch.amount = operation.amount;
  const remainder: PaymentGraph = {
    ...split,
    id: newId(),
    number: generatePaymentNumber(),
    amount: rest,
    authorized_amount: rest,
    state: 'pending',
    settled_state: 'pending',
    refunds: [],
    refunded: '0',
    waiting: null,
    call_count: 0,
    authorized_payment_id: payment.authorized_payment_id ?? payment.id,
    response_code: payment.response_code ?? result.response_code,
    created_at: order.transaction_time,
    updated_at: order.transaction_time,
  };
  record.payments = [...record.payments, remainder];
  record.history.push({
    order_id: order.id,
    subject_type: 'payment',
    subject_id: remainder.id,
    from_state: null,
    to_state: remainder.state,
    user_id: operation.user_id,
    reason: `rest of payment ${payment.number}`,
  });
}

function storeRefund(record: Recording): void {
  const { order, operation, payment, result } = record;
  const { amount, reason, user_id } = operation;
  const refund = {
    id: newId(),
    payment_id: payment.id,
    payment_operation_id: operation.id,
    amount,
    reason,
    user_id,
    response_code: result.response_code,
    created_at: order.transaction_time,
  };
  record.payments = record.payments.map((one) => {
    if (one.id !== payment.id) return one;
    const refunded = toDecimal(sum(toAmount(one.refunded), toAmount(amount)));
    return { ...one, refunded, refunds: [...one.refunds, refund] };
  });
}

/** Builds the cause that the history records for an operation. */
export function buildCause(
  request: Pick<GatewayRequest, 'user_id' | 'event' | 'purpose' | 'settled_by'>,
): Cause {
  const reasons = {
    payment: `payment ${request.event}`,
    complete_order: 'checkout complete',
    cancel_order: CANCELLATION,
  } as const satisfies Record<OperationPurpose, string>;
  const { settled_by, purpose, user_id } = request;
  if (settled_by === undefined) return { user_id, reason: reasons[purpose] };
  const { outcome, reason } = settled_by;
  return { user_id: settled_by.user_id, reason: `${reasons[purpose]}, settled as ${outcome}: ${reason}` };
}

/** Logs a result that contradicts the recorded one, such as an approval after staff settled the payment as declined. */
export function logContradiction(
  log: Logger,
  { order_number, payment_number, kind }: GatewayRequest,
  recorded: Outcome,
  result: GatewayResult,
): void {
  if (recorded.approved === result.approved) return;
  log.error(
    {
      order: order_number,
      payment: payment_number,
      kind,
      recorded: recorded.approved,
      answered: result.approved,
    },
    'a gateway answered a payment differently than recorded; check it at the provider',
  );
}
