import { setTimeout as wait } from 'node:timers/promises';
import type { Deps } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import { createSlots } from '../../platform/slots';
import type { GatewayRequest } from './gateway-request';
import { findGatewayRequests } from './gateway-requests.repository';
import {
  claimAbandonedOperations,
  findMethodsToSettle,
  takeOverdueOperations,
} from './payment-operations.repository';
import { processOperation, type Recorder, type Recorders } from './process-operation';

/** How many calls of one payment method run at once. */
const BATCH_SIZE = 4;
/** How many results are recorded at once: each takes a connection. */
const recordingSlots = createSlots({ concurrency: 4, waiting: 1_000 });
/** How often other payment methods are looked for while the calls of one are running. */
const POLL_MS = 1_000;

/** When a gateway that does not answer is reported, and how often. */
const ALERT = { minutes: 10, interval: 60 };
/** How many payments an alert names. */
const NAMED_PAYMENTS = 20;

/**
 * Settles the operations that a crash, a lost database or an unresponsive gateway interrupted: repeats each gateway
 * call with its first key and records the result, so that orders stuck in completion are completed or restocked.
 * Skips operations that are claimed (`CLAIM_SECONDS`). The calls of different payment methods run in parallel, so a
 * provider that does not answer delays only its own. Repeatable, and safe on several instances at once.
 * @returns how many were settled; the others are retried when their claim has expired
 */
export async function settleInterruptedPayments(deps: Deps, recorders: Recorders): Promise<number> {
  await reportOverdueOperations(deps);
  const running = new Map<number, Promise<void>>();
  const failed = new Set<number>();
  let settled = 0;
  for (;;) {
    for (const methodId of await findMethodsToSettle(deps.db)) {
      if (running.has(methodId) || failed.has(methodId)) continue;
      const settling = settleMethod(deps, methodId, recorders)
        .then((result) => {
          settled += result.settled;
          if (!result.isComplete) failed.add(methodId);
        })
        .catch((error: unknown) => {
          failed.add(methodId);
          deps.log.warn({ err: error, method: methodId }, 'could not settle interrupted payments');
        })
        .finally(() => running.delete(methodId));
      running.set(methodId, settling);
    }
    if (running.size === 0) return settled;
    await Promise.race([...running.values(), wait(POLL_MS, undefined, { ref: false })]);
  }
}

/** Settles the operations of one payment method until none is left, or none of a batch was settled. */
async function settleMethod(
  deps: Deps,
  methodId: number,
  recorders: Recorders,
): Promise<{ settled: number; isComplete: boolean }> {
  for (let settled = 0; ;) {
    const ids = await withTransaction(deps, (tx) => claimAbandonedOperations(tx, methodId, BATCH_SIZE));
    const requests = await findGatewayRequests(deps.db, ids);
    const results = await Promise.all(
      requests.map((request) => settleOne(deps, request, recorders[request.purpose])),
    );
    const settledNow = results.filter(Boolean).length;
    settled += settledNow;
    if (ids.length < BATCH_SIZE || settledNow === 0) {
      return { settled, isComplete: settledNow === ids.length };
    }
  }
}

/** Settles one operation. A failure is logged and does not stop the others. */
async function settleOne(deps: Deps, request: GatewayRequest, record: Recorder<unknown>): Promise<boolean> {
  const about = { payment: request.payment_number, kind: request.kind, purpose: request.purpose };
  try {
    await processOperation(deps, request, (...result) => recordingSlots(() => record(...result)));
    deps.log.info(about, 'settled an interrupted payment');
    return true;
  } catch (error) {
    deps.log.warn({ ...about, err: error }, 'could not settle an interrupted payment; it will be retried');
    return false;
  }
}

/** Reports payments whose gateway has not answered for a long time, at most once in each interval. */
async function reportOverdueOperations(deps: Deps): Promise<void> {
  const overdue = await takeOverdueOperations(deps.db, ALERT);
  if (overdue.length === 0) return;
  deps.log.error(
    { count: overdue.length, payments: overdue.slice(0, NAMED_PAYMENTS) },
    `payments wait for a gateway that has not answered for more than ${ALERT.minutes} minutes; ` +
      'find their outcome at the provider and settle them (PUT /orders/:number/payments/:id/settle)',
  );
}
