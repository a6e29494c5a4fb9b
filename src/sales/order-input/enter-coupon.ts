import { CouponRefused } from '../../errors/errors';
import type { Tx } from '../../platform/database/transaction';
import { toAmount, ZERO } from '../../platform/money';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { assessPromotions, type Assessment } from '../pricing/order-promotions';
import { linkPromotion } from '../pricing/order-promotions.repository';
import { lockOfferByCode, type PromotionOffer } from '../pricing/promotion-graph';

export const COUPON_STATUSES = [
  'coupon_code_applied',
  'coupon_code_removed',
  'coupon_code_not_found',
  'coupon_code_expired',
  'coupon_code_already_applied',
  'coupon_code_max_usage',
  'coupon_code_not_eligible',
  'coupon_code_better_exists',
] as const;

export type CouponStatus = (typeof COUPON_STATUSES)[number];

/** Behaviour 12.3, word for word; the words for a code taken off are those of Spree 4. */
export const COUPON_MESSAGES: Record<CouponStatus, string> = {
  coupon_code_applied: 'The coupon code was successfully applied to your order.',
  coupon_code_removed: 'The coupon code was successfully removed from this order.',
  coupon_code_not_found: "The coupon code you entered doesn't exist. Please try again.",
  coupon_code_expired: 'The coupon code is expired',
  coupon_code_already_applied: 'The coupon code has already been applied to this order',
  coupon_code_max_usage: 'Coupon code usage limit exceeded',
  coupon_code_not_eligible: 'This coupon code is not eligible for this order',
  coupon_code_better_exists: 'The previously applied coupon code results in a better deal',
};

/**
 * Notes a coupon code on an order, if it is good for something there. Expects its parts as the
 * tables have them; the caller derives the order anew. How often a code was used is a courtesy here: the last use is
 * given away at completion, under the promotion's lock.
 * @throws CouponRefused; nothing may be kept then
 */
export async function enterCoupon(tx: Tx, order: LockedOrderGraph, code: string): Promise<void> {
  const promotion = code === '' ? undefined : await lockOfferByCode(tx, code, order.id);
  if (promotion === undefined) throw buildCouponError('coupon_code_not_found');
  if (order.completed_at !== null) throw buildCouponError('coupon_code_not_eligible');
  if (!promotion.is_running) throw buildCouponError('coupon_code_expired');
  if (promotion.is_used_up) throw buildCouponError('coupon_code_max_usage');
  if (!(await linkPromotion(tx, order.id, promotion.id))) throw buildCouponError('coupon_code_already_applied');
  const status = calculateStatus(promotion, order, await assessPromotions(tx, order));
  if (status !== 'coupon_code_applied') throw buildCouponError(status);
}

export function buildCouponError(status: CouponStatus): CouponRefused {
  return new CouponRefused(status, COUPON_MESSAGES[status]);
}

/** Whether the code gives the order anything. Free shipping may wait for the shipments of an order without any. */
function calculateStatus(
  promotion: PromotionOffer,
  order: OrderGraph,
  { promotions, discounts }: Assessment,
): CouponStatus {
  const assessed = promotions.find((one) => one.promotion.id === promotion.id);
  if (assessed?.is_eligible !== true) return 'coupon_code_not_eligible';
  const own = discounts.filter(({ source_id }) => promotion.actions.some(({ id }) => id === source_id));
  if (own.some(({ eligible }) => eligible)) return 'coupon_code_applied';
  if (own.length > 0) return 'coupon_code_better_exists';
  const isWaiting =
    promotion.actions.some(({ type }) => type === 'free_shipping') &&
    order.shipments.every(({ cost }) => toAmount(cost) === ZERO);
  return isWaiting ? 'coupon_code_applied' : 'coupon_code_not_eligible';
}
