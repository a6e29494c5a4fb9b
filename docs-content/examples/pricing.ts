import type { AdjustmentJson } from '../../src/sales/order-replies/adjustments.schema';
import type { CouponResultJson } from '../../src/sales/promotions/coupons.schema';
import type { PromotionJson } from '../../src/sales/promotions/promotions.definition';

export const promotion: PromotionJson = {
  id: 1,
  name: 'Summer',
  description: null,
  code: 'summer',
  path: null,
  type: null,
  starts_at: null,
  expires_at: '2026-09-01T00:00:00.000Z',
  usage_limit: 500,
  usage_count: 0,
  match_policy: 'all',
  advertise: false,
  rules: [
    {
      id: 1,
      type: 'item_total',
      match_policy: null,
      amount_min: '40.0',
      amount_max: null,
      currency: 'USD',
      product_ids: [],
      taxon_ids: [],
      user_ids: [],
    },
  ],
  actions: [{ id: 1, type: 'order_percent', percent: '10.0', amount: null, currency: null }],
};

export const couponResult: CouponResultJson = {
  success: 'The coupon code was successfully applied to your order.',
  error: null,
  successful: true,
  status_code: 'coupon_code_applied',
};

export const adjustment: AdjustmentJson = {
  id: 1,
  source_type: 'Store::TaxRate',
  source_id: 1,
  adjustable_type: 'Store::LineItem',
  adjustable_id: 1,
  amount: '2.64',
  label: 'Maine sales tax 5.5%',
  mandatory: false,
  included: false,
  eligible: true,
  taxed: false,
  locked: true,
  display_amount: '$2.64',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};
