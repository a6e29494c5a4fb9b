import { NotAuthorized, NotFound } from '../platform/errors';
import type { Application, RequestFacts } from '../platform/http/application';
import type { RateLimits } from '../platform/rate-limits';
import type { Access } from './access';
import type { Ctx } from './context';
import { clientOf, LIMITS } from './limits';

/** Returns the order with a number, or undefined. */
type FindOrder = (db: Ctx['db'], number: string) => Promise<object | undefined>;

/**
 * Creates the function that counts a wrong or missing order token for the address that sent it, also for a number that no order
 * has: replies must not let anyone search for numbers. Only such requests are ever refused: tokens are too long to guess, and
 * refusing right ones would let one visitor of a shared address stop the orders of all others. It returns the error to reply with:
 * `error`, or TooManyAttempts.
 */
export function createOrderTokenCount(findOrder: FindOrder): Application<Ctx, Access>['countRefusal'] {
  return async (error, { access, path }, ctx, pathParameter) => {
    if (access !== 'order' || ctx.actor.kind === 'admin') return error;
    const isUnknown = async (): Promise<boolean> => {
      const number = isOrderPath(path) ? pathParameter('number') : null;
      // PostgreSQL text cannot contain NUL.
      return (
        number !== null && (number.includes('\u0000') || (await findOrder(ctx.db, number)) === undefined)
      );
    };
    const isCounted = error instanceof NotAuthorized || (error instanceof NotFound && (await isUnknown()));
    if (!isCounted) return error;
    try {
      await takeOrderTokenAttempt(ctx.limits, ctx);
      return error;
    } catch (refusal) {
      return refusal;
    }
  };
}

/** Returns whether `:number` in the path is that of an order. */
export function isOrderPath(path: string): boolean {
  return /^\/(orders|checkouts)\/:number(\/|$)/.test(path);
}

/** Counts an attempt with an order token. @throws TooManyAttempts */
export async function takeOrderTokenAttempt(
  limits: RateLimits,
  { clientAddress }: Pick<RequestFacts, 'clientAddress'>,
): Promise<void> {
  await limits.take([{ limit: LIMITS.orderTokenFromAddress, key: clientOf(clientAddress) }]);
}
