import { z } from 'zod';
import { text } from '../../platform/http/fields';
import { COUPON_STATUSES } from '../order-input/enter-coupon';
import { namedObject } from '../../platform/http/named-object';

export const CouponInput = z.object({
  coupon_code: text({ trim: true }).optional.describe(
    'The coupon code, in any letter case, full-width or not.',
  ),
});

/** The result of a coupon code, as a message and a status code (`coupon_code_removed` is from Spree 4). */
export const CouponResultJson = namedObject('CouponResult', {
  success: z.string().nullable().describe('A message for the customer. Null if the code was refused.'),
  error: z
    .string()
    .nullable()
    .describe('Why the code was refused, for the customer. Null if it was applied.'),
  successful: z.boolean().describe('Whether the code was applied or removed.'),
  status_code: z.enum(COUPON_STATUSES).describe('The result, for programs.'),
});

export type CouponResultJson = z.output<typeof CouponResultJson>;
