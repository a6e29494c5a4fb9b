import type { Deps } from '../context';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { LockedOrderGraph } from '../order/order-lock';
import { saveRecalculated } from '../order-updater/order-updater';
import { callGateway } from './call-gateway';
import { continuePayment, type FollowUp } from './continue-payment';
import {
  isWaiting,
  NO_CODES,
  type GatewayAnswer,
  type GatewayResult,
  type Waiting,
} from './gateways/gateway';
import { loadOrderGraph } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import type { GatewayRequest } from './gateway-request';
import { lockOperation, type OperationPurpose } from './payment-operations.repository';
import { buildCause, lockForResult, logContradiction, recordResult, type Outcome } from './record-result';
import { noteWaiting } from './waiting-operations.repository';

/** What follows a recorded result: another request, or the end. */
export type Recorded<End> = { request: GatewayRequest } | { end: End };

/** Performs the third phase for one purpose, in its own transaction. */
export type Recorder<End> = (
  deps: Deps,
  request: GatewayRequest,
  result: GatewayResult,
) => Promise<Recorded<End>>;

/** How processing ended: as the recorder says, or a request waits for the buyer or the provider. */
export type Processed<End> = { end: End } | { waits: GatewayRequest };

/**
 * Calls the gateway and records the result (phases 2 and 3), then does the same for each request that follows.
 * @throws Unavailable when the gateway does not respond; the settling job continues later
 */
export async function processOperation<End>(
  deps: Deps,
  request: GatewayRequest,
  record: Recorder<End>,
): Promise<Processed<End>> {
  return recordAndContinue(deps, { request, answer: await callGateway(deps, request) }, record);
}

/**
 * Records an answer (phase 3), and processes each request that follows.
 * @throws Unavailable when the gateway of a following request does not respond
 */
export async function recordAndContinue<End>(
  deps: Deps,
  first: { request: GatewayRequest; answer: GatewayAnswer },
  record: Recorder<End>,
): Promise<Processed<End>> {
  let { request, answer } = first;
  for (;;) {
    const result = isWaiting(answer) ? await recordWaiting(deps, request, answer) : answer;
    if (result === null) return { waits: request };
    const recorded = await record(deps, request, result);
    if ('end' in recorded) return recorded;
    request = recorded.request;
    answer = await callGateway(deps, request);
  }
}

/**
 * Records that the gateway waits with its decision.
 * @returns null; the decision if it was recorded in the meantime, as an event may arrive before the answer
 */
async function recordWaiting(
  deps: Deps,
  request: GatewayRequest,
  answer: Waiting,
): Promise<GatewayResult | null> {
  return withTransaction(
    deps,
    async (tx) => {
      const operation = await lockOperation(tx, request);
      if (operation.state !== 'started') {
        const { state, response_code, message } = operation;
        return { approved: state === 'approved', ...NO_CODES, response_code, message: message ?? '' };
      }
      await noteWaiting(tx, request, answer);
      return null;
    },
    { isRepeatable: true },
  );
}

/** The recorder of each operation purpose: it records the gateway's result and continues the interrupted work. */
export type Recorders = Readonly<Record<OperationPurpose, Recorder<unknown>>>;

/** A recorded result, and the order after it. */
export interface RecordedPayment {
  outcome: Outcome;
  order: LockedOrderGraph;
}

/** The message of a payment whose gateway waits, where only a decision counts. */
const UNDECIDED = 'The payment gateway has not decided yet';

/** What a request has led to. A payment that waits is not approved, and `waits`. */
export interface CalledPayment {
  outcome: Outcome & { waits?: true };
  order: OrderGraph;
}

/**
 * Builds a recorder that records a result, starts what follows, and updates the totals of the order. Nothing follows again
 * from a result that was recorded earlier.
 */
export function buildRecorder(followUp: FollowUp): Recorder<RecordedPayment> {
  return async (deps, request, result) => {
    const record = async (tx: Tx): Promise<Recorded<RecordedPayment>> => {
      const { order: locked, operation } = await lockForResult(tx, request);
      const { outcome, draft } = recordResult(locked, { request, result, operation });
      if (outcome.is_repeated) {
        logContradiction(deps.log, request, outcome, result);
        // The transaction that recorded the result first has updated the order.
        return { end: { outcome, order: locked } };
      }
      const followed = await followUp(tx, draft, { request, result });
      const order = await saveRecalculated(tx, followed.draft, buildCause(request));
      return followed.request === null ? { end: { outcome, order } } : { request: followed.request };
    };
    return withTransaction(deps, record, { isRepeatable: true });
  };
}

/** Records a result that seldom affects more than the payment and the totals of its order. */
export const recordPaymentResult = buildRecorder(continuePayment);

/**
 * Calls the gateway for one payment and records the result (phases 2 and 3).
 * @throws Unavailable when the gateway does not respond; the settling job continues later
 */
export async function callAndRecord(deps: Deps, request: GatewayRequest): Promise<CalledPayment> {
  const processed = await processOperation(deps, request, recordPaymentResult);
  if ('end' in processed) return processed.end;
  const outcome = { approved: false, message: UNDECIDED, is_repeated: false, waits: true } as const;
  return { outcome, order: await loadOrderGraph(deps.db, request.order_id) };
}
