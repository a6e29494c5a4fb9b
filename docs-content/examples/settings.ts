import type { DeliveryJson, NewWebhookJson, WebhookJson } from '../../src/events/webhooks/webhooks.schema';
import type { ShippingCategoryJson } from '../../src/catalog/shipping-categories/shipping-categories.definition';
import type { TaxCategoryJson } from '../../src/catalog/tax-categories/tax-categories.definition';
import type { PaymentMethodSettingsJson } from '../../src/sales/payment-methods/payment-methods.definition';
import type { ReturnReasonJson } from '../../src/sales/return-authorization-reasons/return-authorization-reasons.definition';
import type { ShippingMethodSettingsJson } from '../../src/sales/shipping-methods/shipping-methods.definition';
import type { TaxRateJson } from '../../src/sales/tax-rates/tax-rates.definition';

export const taxCategory: TaxCategoryJson = {
  id: 1,
  name: 'Clothing',
  description: null,
  tax_code: null,
  is_default: true,
};

export const taxRate: TaxRateJson = {
  id: 1,
  name: 'Maine sales tax',
  amount: '0.055',
  zone_id: 2,
  tax_category_id: 1,
  included_in_price: false,
  show_rate_in_label: true,
};

export const shippingCategory: ShippingCategoryJson = { id: 1, name: 'Default' };

export const shippingMethod: ShippingMethodSettingsJson = {
  id: 1,
  code: null,
  name: 'UPS Ground (USD)',
  zones: [
    {
      id: 2,
      name: 'North America',
      description: 'USA + Canada',
      zone_members: [{ id: 28, zoneable_type: 'Store::Country', zoneable_id: 1 }],
    },
  ],
  shipping_categories: [shippingCategory],
  admin_name: null,
  tracking_url: 'https://parcel.example/:tracking',
  display_on: 'both',
  tax_category_id: null,
  calculator_type: 'flat_rate',
  calculator_preferences: { amount: '5.0', currency: 'USD' },
};

export const paymentMethod: PaymentMethodSettingsJson = {
  id: 1,
  name: 'Credit Card',
  description: 'Bogus payment gateway.',
  gateway: 'bogus',
  method_type: 'gateway',
  display_on: 'both',
  active: true,
  auto_capture: null,
  position: 1,
  has_preferences: false,
};

export const returnReason: ReturnReasonJson = {
  id: 1,
  name: 'Better price available',
  active: true,
  mutable: true,
};

export const webhook: WebhookJson = {
  id: 1,
  url: 'https://erp.example/store-events',
  events: ['order.completed', 'order.canceled'],
  active: true,
  description: 'ERP',
  paused_reason: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

export const newWebhook: NewWebhookJson = {
  ...webhook,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
};

export const webhookDelivery: DeliveryJson = {
  id: 5,
  event_id: 120,
  event_type: 'order.completed',
  status: 'delivered',
  attempts: 1,
  code: 204,
  response: '',
  created_at: '2026-03-01T09:30:01.000Z',
  last_attempt_at: '2026-03-01T09:30:01.000Z',
  next_attempt_at: null,
};
