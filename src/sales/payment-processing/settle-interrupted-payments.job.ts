import type { Deps } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import {
  claimAbandonedOperations,
  findGatewayRequests,
  type OperationPurpose,
  type GatewayRequest,
} from './payment-operations.repository';
import { processOperation, type Recorder } from './payment-processing';

/** Few, as each takes a connection while its answer is recorded. */
const AT_ONCE = 4;

/**
 * Settles what a crash, a lost database or a silent gateway left between request and answer: asks each gateway again
 * with the key of the first time, and records the outcome, so that orders stuck in completion are finished or undone.
 * What somebody is still working on is left alone (`CLAIM_SECONDS`). Safe to run at any time, on several instances at once.
 * @returns how many were settled; those whose gateway is still silent are tried again when their claim has run out
 */
export async function settleInterruptedPayments(
  deps: Deps,
  recorders: Readonly<Record<OperationPurpose, Recorder<unknown>>>,
): Promise<number> {
  for (let settled = 0; ;) {
    const ids = await withTransaction(deps, (tx) => claimAbandonedOperations(tx, AT_ONCE));
    const requests = await findGatewayRequests(deps.db, ids);
    const results = await Promise.all(
      requests.map((request) => settleOne(deps, request, recorders[request.purpose])),
    );
    const now = results.filter(Boolean).length;
    settled += now;
    if (ids.length < AT_ONCE || now === 0) return settled;
  }
}

/** One that fails must not keep the others from being settled. */
async function settleOne(deps: Deps, request: GatewayRequest, record: Recorder<unknown>): Promise<boolean> {
  const about = { payment: request.payment_number, kind: request.kind, purpose: request.purpose };
  try {
    await processOperation(deps, request, record);
    deps.log.info(about, 'an interrupted payment was settled');
    return true;
  } catch (error) {
    deps.log.warn({ ...about, err: error }, 'an interrupted payment could not be settled yet');
    return false;
  }
}
