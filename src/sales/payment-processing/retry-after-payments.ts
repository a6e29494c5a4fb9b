import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '../context';
import { PaymentInProgress } from '../../errors/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { findRunningRequests } from './payment-operations.repository';

/** How long anybody waits for one and the same request to a gateway. */
const LONGEST_CALL_MS = 2_000;
/** However many requests others ask one after another: nobody waits for ever. */
const LONGEST_WAIT_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/**
 * Runs a use case that a running gateway call may stand in the way of. When it does (`PaymentInProgress`), waits for
 * the outcome, holding neither connection nor lock, and runs the use case again: it then sees what the other request
 * has done, which may well be what this one was asked to do.
 *
 * What is waited for is progress: as long as one request after another is answered (twenty credits at once), patience
 * begins anew with each. It is counted in pauses, not by the clock, so that on a machine too busy to look it does not
 * run out before anybody has looked.
 * @throws PaymentInProgress (409) when one call is still running after two seconds; whatever `work` throws
 */
export async function retryAfterPayments<T>(ctx: Pick<Ctx, 'db'>, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  const patience: Progress = { request: null, waited: 0 };
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isInTheWay = error instanceof PaymentInProgress && performance.now() < deadline;
      if (!isInTheWay || !(await waitForPayments(ctx, error.orderId, patience))) throw error;
    }
  }
}

/** A use case that is one transaction, and waits in this way. @throws PaymentInProgress; whatever `work` throws */
export async function withTransactionAfterPayments<T>(ctx: Pick<Ctx, 'db'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryAfterPayments(ctx, () => withTransaction(ctx, work));
}

/** How long one request was waited for. */
interface Progress {
  request: string | null;
  waited: number;
}

/** Asks again and again, less and less often; by chance a little apart from others who wait for the same order. */
async function waitForPayments(ctx: Pick<Ctx, 'db'>, orderId: number, patience: Progress): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await wait(pause * (0.5 + Math.random()));
    const request = await findRunningRequests(ctx.db, orderId);
    patience.waited = request === patience.request ? patience.waited + pause : 0;
    patience.request = request;
    if (request === null) return true;
    if (patience.waited >= LONGEST_CALL_MS) return false;
  }
}
