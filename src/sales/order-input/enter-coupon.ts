import { CouponRefused } from '../../errors/errors';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { toAmount, ZERO } from '../../platform/money';
import { ACTIONS } from '../order/action-types';
import type { OrderGraph, OrderPromotion } from '../order/order-graph';
import { assessPromotions, type Assessment } from '../pricing/order-promotions';
import { findCodesOfPromotions } from '../pricing/order-promotions.repository';
import { PRICING_FACTS } from '../pricing/pricing-facts';
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

/** The messages of Spree's coupon codes, which clients match; `coupon_code_removed` is from Spree 4. */
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
 * Adds the promotion of a coupon code to the order if it gives a discount. The caller recalculates the order
 * afterwards. The usage limit checked here is not binding: completion checks it again, under the promotion's
 * lock.
 * @throws CouponRefused
 */
export async function enterCoupon(tx: Tx, order: OrderGraph, code: string): Promise<OrderPromotion[]> {
  const promotion = code === '' ? undefined : await lockOfferByCode(tx, code, order.id);
  if (promotion === undefined) throw buildCouponError('coupon_code_not_found');
  if (order.completed_at !== null) throw buildCouponError('coupon_code_not_eligible');
  if (!promotion.is_running) throw buildCouponError('coupon_code_expired');
  if (promotion.is_used_up) throw buildCouponError('coupon_code_max_usage');
  if (order.promotions.some(({ promotion_id }) => promotion_id === promotion.id)) {
    throw buildCouponError('coupon_code_already_applied');
  }
  const promotions = [...order.promotions, { promotion_id: promotion.id, used: false }];
  const assessment = await withFacts(tx, PRICING_FACTS, (facts) =>
    assessPromotions(facts, { ...order, promotions }),
  );
  const status = calculateStatus(promotion, order, assessment);
  if (status === 'coupon_code_applied') return promotions;
  const assessed = assessment.promotions.find((entry) => entry.promotion.id === promotion.id);
  throw buildCouponError(status, status === 'coupon_code_not_eligible' ? assessed?.refusal : null);
}

/**
 * Enters the coupon codes of another cart, unless the order has one already. Those that do not apply are left out.
 * The caller recalculates the order afterwards.
 */
export async function enterCodesOf(tx: Tx, order: OrderGraph, other: OrderGraph): Promise<OrderPromotion[]> {
  if (order.promotions.length > 0) return order.promotions;
  let { promotions } = order;
  for (const code of await findCodesOfPromotions(tx, other.promotions)) {
    try {
      promotions = await enterCoupon(tx, { ...order, promotions }, code);
    } catch (error) {
      if (!(error instanceof CouponRefused)) throw error;
    }
  }
  return promotions;
}

/** Builds the error of a status; `reason` replaces its general message. */
export function buildCouponError(status: CouponStatus, reason?: string | null): CouponRefused {
  return new CouponRefused(status, reason ?? COUPON_MESSAGES[status]);
}

/** Decides whether the code gives a discount. That of shipments also applies to an order without shipping costs yet. */
function calculateStatus(
  promotion: PromotionOffer,
  order: OrderGraph,
  { promotions, discounts }: Assessment,
): CouponStatus {
  const assessed = promotions.find((entry) => entry.promotion.id === promotion.id);
  if (assessed?.is_eligible !== true) return 'coupon_code_not_eligible';
  const own = discounts.filter(({ source_id }) => promotion.actions.some(({ id }) => id === source_id));
  if (own.some(({ eligible }) => eligible)) return 'coupon_code_applied';
  const isPending =
    promotion.actions.some(({ type }) => ACTIONS[type].discounts === 'shipment') &&
    order.shipments.every(({ cost }) => toAmount(cost) === ZERO);
  if (isPending) return 'coupon_code_applied';
  return own.length > 0 ? 'coupon_code_better_exists' : 'coupon_code_not_eligible';
}
