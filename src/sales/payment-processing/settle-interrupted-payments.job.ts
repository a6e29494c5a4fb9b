import type { Deps } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import {
  claimAbandonedOperations,
  findGatewayRequests,
  type OperationPurpose,
  type GatewayRequest,
} from './payment-operations.repository';
import { processOperation, type Recorder } from './process-operation';

/** Kept small: each operation takes a connection while its result is recorded. */
const BATCH_SIZE = 4;

/**
 * Settles the operations that a crash, a lost database or an unresponsive gateway interrupted: repeats each gateway
 * call with its first key and records the result, so that orders stuck in completion are completed or restocked.
 * Skips operations that are claimed (`CLAIM_SECONDS`). Repeatable, and safe on several instances at once.
 * @returns how many were settled; the others are retried when their claim has expired
 */
export async function settleInterruptedPayments(
  deps: Deps,
  recorders: Readonly<Record<OperationPurpose, Recorder<unknown>>>,
): Promise<number> {
  for (let settled = 0; ;) {
    const ids = await withTransaction(deps, (tx) => claimAbandonedOperations(tx, BATCH_SIZE));
    const requests = await findGatewayRequests(deps.db, ids);
    const results = await Promise.all(
      requests.map((request) => settleOne(deps, request, recorders[request.purpose])),
    );
    const settledNow = results.filter(Boolean).length;
    settled += settledNow;
    if (ids.length < BATCH_SIZE || settledNow === 0) return settled;
  }
}

/** Settles one operation. A failure is logged and does not stop the others. */
async function settleOne(deps: Deps, request: GatewayRequest, record: Recorder<unknown>): Promise<boolean> {
  const about = { payment: request.payment_number, kind: request.kind, purpose: request.purpose };
  try {
    await processOperation(deps, request, record);
    deps.log.info(about, 'settled an interrupted payment');
    return true;
  } catch (error) {
    deps.log.warn({ ...about, err: error }, 'could not settle an interrupted payment; it will be retried');
    return false;
  }
}
