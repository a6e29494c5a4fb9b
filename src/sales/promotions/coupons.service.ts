import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { InvalidResource, requireFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { saveRecalculated } from '../order-updater/order-updater';
import { createDraft } from '../order-updater/order-draft';
import type { OrderGraph, OrderPromotion } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import type { CouponResultJson } from './coupons.schema';
import { COUPON_MESSAGES, buildCouponError, enterCoupon } from '../order-input/enter-coupon';
import { findPromotionIdByCode } from '../pricing/order-promotions.repository';

/**
 * Applies a coupon code to an open order and recalculates it.
 * @throws NotFound, NotAuthorized; CouponRefused, and nothing is changed
 */
export async function applyCouponCode(
  ctx: Ctx,
  number: string,
  code: string | null | undefined,
): Promise<CouponResultJson> {
  await changeCoupons(ctx, number, { reason: 'coupon code applied' }, (tx, order) =>
    enterCoupon(tx, order, code ?? ''),
  );
  return buildResult('coupon_code_applied');
}

function buildResult(status_code: 'coupon_code_applied' | 'coupon_code_removed'): CouponResultJson {
  return { success: COUPON_MESSAGES[status_code], error: null, successful: true, status_code };
}

/**
 * Removes a coupon code from an open order and recalculates it. The code is case-insensitive.
 * @throws NotFound, also when the code is not applied; NotAuthorized; InvalidResource when the order is complete
 */
export async function removeCouponCode(ctx: Ctx, number: string, code: string): Promise<void> {
  await changeCoupons(ctx, number, { reason: 'coupon code removed' }, async (tx, order) => {
    if (order.completed_at !== null) throw new InvalidResource({ base: ['The order is complete'] });
    return requireFound(await withoutCode(tx, order, code.trim()));
  });
}

/**
 * Removes a coupon code as `removeCouponCode` does, but returns a coupon result and fails with CouponRefused.
 * @throws NotFound, NotAuthorized; CouponRefused when the code is not applied or the order is complete
 */
export async function withdrawCouponCode(
  ctx: Ctx,
  number: string,
  code: string | null | undefined,
): Promise<CouponResultJson> {
  await changeCoupons(ctx, number, { reason: 'coupon code removed' }, async (tx, order) => {
    if (order.completed_at !== null) throw buildCouponError('coupon_code_not_eligible');
    const promotions = await withoutCode(tx, order, code ?? '');
    if (promotions === null) throw buildCouponError('coupon_code_not_found');
    return promotions;
  });
  return buildResult('coupon_code_removed');
}

/** Returns the promotions of an order without that of a code, in any case; null if it was not entered. */
async function withoutCode(tx: Tx, order: OrderGraph, code: string): Promise<OrderPromotion[] | null> {
  const id = await findPromotionIdByCode(tx, code);
  const others = order.promotions.filter(({ promotion_id }) => promotion_id !== id);
  return others.length < order.promotions.length ? others : null;
}

/** Locks an order, changes its promotions and recalculates it. */
async function changeCoupons(
  ctx: Ctx,
  number: string,
  { reason }: { reason: string },
  change: (tx: Tx, order: OrderGraph) => Promise<OrderPromotion[]>,
): Promise<void> {
  await withOrderTransaction(ctx, number, async (tx) => {
    const draft = createDraft(await lockOrder(tx, { number, credentials: ctx }));
    const order = { ...draft.order, promotions: await change(tx, draft.order) };
    const cause = { user_id: findUserId(ctx.actor), reason };
    await saveRecalculated(tx, { ...draft, order }, cause);
  });
}
