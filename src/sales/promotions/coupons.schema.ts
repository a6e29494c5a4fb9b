import { z } from 'zod';
import { text } from '../../platform/http/fields';
import { COUPON_STATUSES } from '../order-input/enter-coupon';

export const CouponInput = z.object({ coupon_code: text({ trim: true }).optional });

/** The result of a coupon code, as a message and a status code (`coupon_code_removed` is from Spree 4). */
export const CouponResultJson = z
  .object({
    success: z.string().nullable(),
    error: z.string().nullable(),
    successful: z.boolean(),
    status_code: z.enum(COUPON_STATUSES),
  })
  .meta({ id: 'CouponResult' });

export type CouponResultJson = z.output<typeof CouponResultJson>;
