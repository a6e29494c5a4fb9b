import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '../context';
import { PaymentInProgress } from '../../errors/errors';
import { withTransaction, type TransactionContext, type Work } from '../../platform/database/transaction';
import { findRunningRequests } from './waiting-operations.repository';

/** How long to wait for the same gateway calls. */
const LONGEST_CALL_MS = 2_000;
/** How long to wait in total, however many gateway calls follow one another. */
const LONGEST_WAIT_MS = 30_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

const WAITS =
  'A payment of the order waits for the buyer or its provider. Finish it with PUT /payments/:id/confirm_action, or end it with PUT /payments/:id/cancel_action.';

/**
 * Runs a use case, and runs it again if a gateway call for the same order is in progress (`PaymentInProgress`). Waits
 * for the call without holding a connection or a lock. The second run sees what the other request has changed, and may
 * find nothing left to do.
 *
 * The two seconds start again whenever a call finishes, for example during twenty concurrent credits. They are counted
 * in pauses rather than by the clock, so that on an overloaded machine they do not expire before the first check.
 * @throws PaymentInProgress (409) when one call is still running after two seconds; whatever `work` throws
 */
export async function retryAfterPayments<T>(ctx: Pick<Ctx, 'db'>, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  const progress: Progress = { running: null, waited: 0 };
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const canWait = error instanceof PaymentInProgress && performance.now() < deadline;
      if (!canWait || !(await waitForPayments(ctx, error, progress))) throw error;
    }
  }
}

/**
 * Runs a use case in one transaction, as `retryAfterPayments` does.
 * @throws PaymentInProgress; whatever `work` throws
 */
export async function withTransactionAfterPayments<T>(ctx: TransactionContext, work: Work<T>): Promise<T> {
  return retryAfterPayments(ctx, () => withTransaction(ctx, work));
}

/**
 * Runs a use case that locks the order with this number, as `withTransactionAfterPayments` does, in its turn.
 * @throws PaymentInProgress; Unavailable while too many requests wait for the order; whatever `work` throws
 */
export async function withOrderTransaction<T>(
  ctx: TransactionContext & Pick<Ctx, 'orderTurns'>,
  number: string,
  work: Work<T>,
): Promise<T> {
  return retryAfterPayments(ctx, () => ctx.orderTurns(number, () => withTransaction(ctx, work)));
}

/** The gateway calls that are waited for, and for how many milliseconds. */
interface Progress {
  running: string | null;
  waited: number;
}

/**
 * Waits until no gateway call of the order is running. Checks at growing intervals, randomized so that requests that
 * wait for the same order do not all retry at once.
 * @returns false when the same calls are still running after `LONGEST_CALL_MS`, or wait for the buyer or the provider,
 *   which the error then says
 */
async function waitForPayments(
  ctx: Pick<Ctx, 'db'>,
  error: PaymentInProgress,
  progress: Progress,
): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await wait(pause * (0.5 + Math.random()));
    const running = await findRunningRequests(ctx.db, error.orderId);
    if (running === null) return true;
    if (running.wait) {
      error.withHint(WAITS);
      return false;
    }
    progress.waited = running.name === progress.running ? progress.waited + pause : 0;
    progress.running = running.name;
    if (progress.waited >= LONGEST_CALL_MS) return false;
  }
}
