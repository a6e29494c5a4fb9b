import type { Deps } from '../context';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import { reloadDraft, saveDraft, storeDraft } from '../order-updater/order-draft';
import { recalculate } from '../order-updater/recalculate-order';
import { callGateway } from './call-gateway';
import type { GatewayResult } from './gateways/gateway';
import type { GatewayRequest, OperationPurpose } from './payment-operations.repository';
import { buildCause, lockForResult, logContradiction, recordResult, type Outcome } from './record-result';

/** What follows a recorded result: another request, or the end. */
export type Recorded<End> = { request: GatewayRequest } | { end: End };

/** Performs the third phase for one purpose, in its own transaction. */
export type Recorder<End> = (
  deps: Deps,
  request: GatewayRequest,
  result: GatewayResult,
) => Promise<Recorded<End>>;

/**
 * Calls the gateway and records the result (phases 2 and 3), then does the same for each request that follows.
 * @throws Unavailable when the gateway does not respond; the settling job continues later
 */
export async function processOperation<End>(
  deps: Deps,
  request: GatewayRequest,
  record: Recorder<End>,
): Promise<End> {
  return recordAndContinue(deps, { request, result: await callGateway(deps, request) }, record);
}

/**
 * Records a result (phase 3), and processes each request that follows.
 * @throws Unavailable when the gateway of a following request does not respond
 */
export async function recordAndContinue<End>(
  deps: Deps,
  { request, result }: { request: GatewayRequest; result: GatewayResult },
  record: Recorder<End>,
): Promise<End> {
  let recorded = await record(deps, request, result);
  while (!('end' in recorded)) {
    recorded = await record(deps, recorded.request, await callGateway(deps, recorded.request));
  }
  return recorded.end;
}

/** The recorder of each operation purpose: it records the gateway's result and continues the interrupted work. */
export type Recorders = Readonly<Record<OperationPurpose, Recorder<unknown>>>;

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
export function buildRecorder(followUp: FollowUp | null): Recorder<RecordedPayment> {
  return async (deps, request, result) => {
    const record = async (tx: Tx): Promise<Recorded<RecordedPayment>> => {
      const { order: locked, ...operation } = await lockForResult(tx, request);
      const { outcome, draft } = await recordResult(tx, locked, { request, result, ...operation });
      if (outcome.is_repeated) {
        logContradiction(deps.log, request, outcome, result);
        // The transaction that recorded the result first has updated the order.
        return { end: { outcome, order: locked } };
      }
      const cause = buildCause(request);
      if (followUp === null) {
        return { end: { outcome, order: await saveDraft(tx, await recalculate(tx, draft, cause)) } };
      }
      const recorded = await storeDraft(tx, draft);
      const next = await followUp(tx, recorded.order, { request, result });
      const followed = await reloadDraft(tx, recorded);
      const order = await saveDraft(tx, await recalculate(tx, followed, cause));
      return next === null ? { end: { outcome, order } } : { request: next };
    };
    return withTransaction(deps, record, { isRepeatable: true });
  };
}

/** Records a result that affects only the payment and the totals of its order. */
export const recordPaymentResult = buildRecorder(null);

/**
 * Calls the gateway for one payment and records the result (phases 2 and 3).
 * @throws Unavailable when the gateway does not respond; the settling job continues later
 */
export async function callAndRecord(deps: Deps, request: GatewayRequest): Promise<RecordedPayment> {
  return processOperation(deps, request, recordPaymentResult);
}
