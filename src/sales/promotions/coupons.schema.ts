import { z } from 'zod';
import { text } from '../../platform/http/fields';

export const CouponInput = z.object({ coupon_code: text({ trim: true }).optional });

const COUPON_STATUSES = [
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

/** What becomes of a coupon code, in words and as a code (behaviour 12.3; `coupon_code_removed` is of Spree 4). */
export const CouponResultJson = z
  .object({
    success: z.string().nullable(),
    error: z.string().nullable(),
    successful: z.boolean(),
    status_code: z.enum(COUPON_STATUSES),
  })
  .meta({ id: 'CouponResult' });

export type CouponResultJson = z.output<typeof CouponResultJson>;
