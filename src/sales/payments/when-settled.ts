import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '../../context';
import { PaymentInProgress } from '../../errors';
import { hasProcessingPayment } from './payments.repository';

const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/**
 * Runs a use case that a running gateway call may stand in the way of. When it does (`PaymentInProgress`), waits for
 * the outcome, holding neither connection nor lock, and runs the use case again: it then sees what the other request
 * has done, which may well be what this one was asked to do.
 * @throws PaymentInProgress (409) when the call is still running after two seconds; whatever `work` throws
 */
export async function whenSettled<T>(ctx: Pick<Ctx, 'db'>, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isInTheWay = error instanceof PaymentInProgress;
      if (!isInTheWay || !(await isSettledBefore(deadline, ctx, error.orderId))) throw error;
    }
  }
}

/** Asks again and again, less and less often; by chance a little apart from others who wait for the same order. */
async function isSettledBefore(deadline: number, ctx: Pick<Ctx, 'db'>, orderId: number): Promise<boolean> {
  for (
    let pause = FIRST_PAUSE_MS;
    performance.now() < deadline;
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  ) {
    await wait(pause * (0.5 + Math.random()));
    if (!(await hasProcessingPayment(ctx.db, orderId))) return true;
  }
  return false;
}
