import { NotAuthorized } from '../platform/errors';
import type { RateLimits } from '../platform/rate-limits';
import type { Access } from './access';
import type { Ctx } from './context';
import { clientOf, LIMITS } from './limits';

/**
 * Counts a wrong order token for the address that sent it. Only wrong ones are ever refused: tokens are too long to
 * guess, and refusing right ones would let one visitor of a shared address stop the orders of all others.
 * @returns the error to reply with: `error`, or TooManyAttempts
 */
export async function countFailedOrderToken(
  error: unknown,
  { access }: { access: Access },
  ctx: Pick<Ctx, 'limits' | 'clientAddress' | 'orderToken'>,
): Promise<unknown> {
  if (access !== 'order' || ctx.orderToken === null || !(error instanceof NotAuthorized)) return error;
  try {
    await takeOrderTokenAttempt(ctx.limits, ctx);
    return error;
  } catch (refusal) {
    return refusal;
  }
}

/** Counts an attempt with an order token. @throws TooManyAttempts */
export async function takeOrderTokenAttempt(
  limits: RateLimits,
  { clientAddress }: Pick<Ctx, 'clientAddress'>,
): Promise<void> {
  await limits.take([{ limit: LIMITS.orderTokenFromAddress, key: clientOf(clientAddress) }]);
}
