import { CouponCodeRefused, CouponRefused } from '../../errors/errors';
import { clientOf, LIMITS, limitFailures } from '../../access/limits';
import { isBlank } from '../../platform/blank';
import type { Ctx } from '../context';

/**
 * Runs `work`, which applies a coupon code if there is one. Refused codes count for the order and for the address.
 * @throws TooManyAttempts, also for valid codes; any error of `work`
 */
export async function limitCouponCodes<T>(
  ctx: Ctx,
  { number, code }: { number: string; code: string | null | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (isBlank(code)) return work();
  const keys = [
    { limit: LIMITS.couponOfOrder, key: number },
    { limit: LIMITS.couponFromAddress, key: clientOf(ctx.clientAddress) },
  ];
  const isFailure = (error: unknown) => error instanceof CouponRefused || error instanceof CouponCodeRefused;
  return limitFailures(ctx.limits, keys, { isFailure, work });
}
