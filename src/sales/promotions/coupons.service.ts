import type { Ctx } from '../../context';
import { CouponRefused } from '../../errors';
import { openOrder } from '../orders/order-access';
import type { CouponResultJson } from './coupons.schema';

export const COUPON_NOT_FOUND = "The coupon code you entered doesn't exist. Please try again.";

/**
 * Applies a coupon code to an order. A shop without promotions knows none.
 * @throws NotFound, NotAuthorized; CouponRefused
 */
export async function applyCouponCode(ctx: Ctx, number: string): Promise<CouponResultJson> {
  await openOrder(ctx, number);
  throw new CouponRefused('coupon_code_not_found', COUPON_NOT_FOUND);
}
