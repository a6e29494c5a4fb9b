import type { AdjustmentJson } from '../../src/sales/order-replies/adjustments.schema';
import type { CouponResultJson } from '../../src/sales/promotions/coupons.schema';
import type { PromotionJson } from '../../src/sales/promotions/promotions.definition';
import type { ResourceExamples } from './resource-examples';
import { inCart } from '../demo-orders';

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

export const pricingExamples: ResourceExamples = {
  replies: {
    Adjustment: adjustment,
    Promotion: promotion,
    CouponResult: couponResult,
  },
  requests: {
    'put /orders/:number/apply_coupon_code': { coupon_code: 'SUMMER' },
    'put /orders/:number/remove_coupon_code': { coupon_code: 'SUMMER' },
    'post /orders/:number/adjustments': { adjustment: { label: 'Scratched in transit', amount: '-5.00' } },
    'put /orders/:number/adjustments/:id': { adjustment: { amount: '-7.50' } },
    'post /promotions': {
      promotion: {
        name: 'Summer',
        code: 'SUMMER',
        rules: [{ type: 'item_total', amount_min: '40.00' }],
        actions: [{ type: 'order_percent', percent: '10' }],
      },
    },
    'put /promotions/:id': { promotion: { expires_at: '2026-09-01T00:00:00Z', usage_limit: 500 } },
  },
  parameters: {
    places: {
      '/promotions/:id': 1,
      '/orders/:number/adjustments/:id': 9,
    },
    routes: {
      'put /orders/:number/apply_coupon_code': inCart,
      'put /orders/:number/remove_coupon_code': inCart,
      'delete /orders/:number/coupon_codes/:code': { ...inCart, code: 'SUMMER' },
    },
    madeBy: {
      'put /orders/:number/adjustments/:id': 'post /orders/:number/adjustments',
      'delete /orders/:number/adjustments/:id': 'post /orders/:number/adjustments',
      'put /orders/:number/apply_coupon_code': 'post /promotions',
      'put /orders/:number/remove_coupon_code': 'put /orders/:number/apply_coupon_code',
      'delete /orders/:number/coupon_codes/:code': 'put /orders/:number/apply_coupon_code',
    },
  },
};
