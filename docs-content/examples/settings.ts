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
