import type { DeliveryJson, NewWebhookJson, WebhookJson } from '../../src/events/webhooks/webhooks.schema';
import type { ShippingCategoryJson } from '../../src/catalog/shipping-categories/shipping-categories.definition';
import type { TaxCategoryJson } from '../../src/catalog/tax-categories/tax-categories.definition';
import type { PaymentMethodSettingsJson } from '../../src/sales/payment-methods/payment-methods.definition';
import type { ReturnReasonJson } from '../../src/sales/return-authorization-reasons/return-authorization-reasons.definition';
import type { ShippingMethodSettingsJson } from '../../src/sales/shipping-methods/shipping-methods.definition';
import type { TaxRateJson } from '../../src/sales/tax-rates/tax-rates.definition';
import type { ResourceExamples } from './resource-examples';

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

export const settingsExamples: ResourceExamples = {
  replies: {
    Webhook: webhook,
    NewWebhook: newWebhook,
    WebhookDelivery: webhookDelivery,
    TaxCategory: taxCategory,
    TaxRate: taxRate,
    ShippingCategory: shippingCategory,
    ShippingMethodSettings: shippingMethod,
    PaymentMethodSettings: paymentMethod,
    ReturnAuthorizationReason: returnReason,
  },
  requests: {
    'put /mails/:name': { mail: { subject: 'Thank you for your order {{ order.number }}' } },
    'post /webhooks': {
      webhook: {
        url: 'https://erp.example.com/store-events',
        events: ['order.completed', 'shipment.shipped'],
        description: 'ERP',
      },
    },
    'put /webhooks/:id': { webhook: { events: ['*'], active: true } },
    'post /tax_categories': { tax_category: { name: 'Clothing' } },
    'post /tax_rates': {
      tax_rate: { name: 'Maine sales tax', amount: '0.055', zone_id: 2, tax_category_id: 1 },
    },
    'put /tax_categories/:id': { tax_category: { name: 'Clothes' } },
    'put /tax_rates/:id': { tax_rate: { amount: '0.06' } },
    'post /shipping_categories': { shipping_category: { name: 'Oversized' } },
    'put /shipping_categories/:id': { shipping_category: { name: 'Bulky' } },
    'post /shipping_methods': {
      shipping_method: {
        name: 'Parcel',
        calculator_type: 'flat_rate',
        calculator_preferences: { amount: '5.0', currency: 'USD' },
        zone_ids: [2],
        shipping_category_ids: [1],
      },
    },
    'put /shipping_methods/:id': { shipping_method: { tracking_url: 'https://parcel.example/:tracking' } },
    'post /payment_methods': { payment_method: { name: 'Cash on delivery', gateway: 'check' } },
    'put /payment_methods/:id': { payment_method: { active: false } },
    'post /return_authorization_reasons': { return_authorization_reason: { name: 'Wrong size' } },
    'put /return_authorization_reasons/:id': { return_authorization_reason: { active: false } },
  },
  parameters: {
    places: {
      '/tax_categories/:id': 1,
      '/tax_rates/:id': 1,
      '/shipping_categories/:id': 1,
      '/shipping_methods/:id': 1,
      '/payment_methods/:id': 2,
      '/return_authorization_reasons/:id': 1,
      '/mails/:name': 'order_confirmed',
      '/mails/preview/:name': 'order_confirmed',
      '/webhooks/:id': 1,
      '/undelivered_mails/:id': '1',
      '/webhooks/:id/deliveries/:delivery_id': 1,
    },
    routes: {
      'delete /tax_categories/:id': { id: 2 },
      'delete /shipping_categories/:id': { id: 2 },
      'delete /return_authorization_reasons/:id': { id: 10 },
    },
    madeBy: {
      'delete /mails/:name': 'put /mails/:name',
      'get /webhooks/:id': 'post /webhooks',
      'put /webhooks/:id': 'post /webhooks',
      'delete /webhooks/:id': 'post /webhooks',
      'put /webhooks/:id/rotate_secret': 'post /webhooks',
      'post /webhooks/:id/test': 'post /webhooks',
      'get /webhooks/:id/deliveries': 'post /webhooks/:id/test',
      'put /webhooks/:id/deliveries/:delivery_id/redeliver': 'post /webhooks/:id/test',
      'delete /tax_categories/:id': 'post /tax_categories',
      'get /tax_rates/:id': 'post /tax_rates',
      'put /tax_rates/:id': 'post /tax_rates',
      'delete /tax_rates/:id': 'post /tax_rates',
      'delete /shipping_categories/:id': 'post /shipping_categories',
      'delete /return_authorization_reasons/:id': 'post /return_authorization_reasons',
    },
  },
};
