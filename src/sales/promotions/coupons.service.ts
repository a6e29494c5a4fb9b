import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { InvalidResource, NotFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { recalculate } from '../order-updater/recalculate-order';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { lockOrderGraph, type LockedOrderGraph } from '../order/order-lock';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import type { CouponResultJson } from './coupons.schema';
import { COUPON_MESSAGES, buildCouponError, enterCoupon } from '../order-input/enter-coupon';
import { unlinkPromotion } from '../pricing/order-promotions.repository';

/**
 * Applies a coupon code to the open order in the path; its totals follow.
 * @throws NotFound, NotAuthorized; CouponRefused, and nothing is kept
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
 * Takes a coupon code off the open order in the path; its totals follow. Any letter case will do.
 * @throws NotFound when the code was not applied, NotAuthorized; InvalidResource when the order is complete
 */
export async function removeCouponCode(ctx: Ctx, number: string, code: string): Promise<void> {
  await changeCoupons(ctx, number, { reason: 'coupon code removed' }, async (tx, order) => {
    if (order.completed_at !== null) throw new InvalidResource({ base: ['The order is complete'] });
    if ((await unlinkPromotion(tx, order.id, code.trim())) === 0) throw new NotFound();
  });
}

/**
 * The same, answered in the words of coupons.
 * @throws NotFound, NotAuthorized; CouponRefused when the code was not applied, or the order is complete
 */
export async function withdrawCouponCode(
  ctx: Ctx,
  number: string,
  code: string | null | undefined,
): Promise<CouponResultJson> {
  await changeCoupons(ctx, number, { reason: 'coupon code removed' }, async (tx, order) => {
    if (order.completed_at !== null) throw buildCouponError('coupon_code_not_eligible');
    if ((await unlinkPromotion(tx, order.id, code ?? '')) === 0) throw buildCouponError('coupon_code_not_found');
  });
  return buildResult('coupon_code_removed');
}

async function changeCoupons(
  ctx: Ctx,
  number: string,
  because: { reason: string },
  change: (tx: Tx, order: LockedOrderGraph) => Promise<void>,
): Promise<void> {
  await withTransactionAfterPayments(ctx, async (tx) => {
    const order = await lockOrderGraph(tx, ctx, number);
    await change(tx, order);
    const cause = { user_id: findUserId(ctx.actor), ...because };
    await saveDraft(tx, await recalculate(tx, createDraft(order), cause));
  });
}
