import type { Route } from '../src/platform/http/endpoint';
import { address, card } from './sample-customer';

const variant = {
  variant: { price: '24.00', options: [{ name: 'color', value: 'navy' }] },
};

const lineItem = { line_item: { variant_id: 107, quantity: 2 } };

const stockItemChange = { stock_item: { count_on_hand: 10, force: true } };

/**
 * Example bodies for endpoints whose schema alone does not show what to send. Tests validate them against the schemas.
 */
export const requestExamples: Partial<Record<Route, unknown>> = {
  'post /bulk/stock': {
    rows: [{ variant_id: 107, stock_location_id: 1, count_on_hand: 12 }],
  },
  'post /orders/lookup': { number: 'R123456789', email: 'ann@example.com' },
  'post /bulk/prices': { rows: [{ variant_id: 107, price: '22.00', cost_price: '9.50' }] },
  'post /bulk/shipments': { rows: [{ number: 'H38244325401', tracking: '1Z-5500', ship: true }] },
  'post /products': {
    product: {
      name: 'Harbour Tote',
      price: '20.00',
      available_on: '2026-01-01T00:00:00Z',
      shipping_category: 'Default',
      variants: [{ price: '24.00', options: [{ name: 'color', value: 'navy' }] }],
    },
  },
  'put /products/:id': { product: { price: '19.00', taxon_ids: [15, 16] } },
  'post /products/:product_id/variants': variant,
  'put /products/:product_id/variants/:id': { variant: { price: '22.00' } },
  'put /variants/:id': { variant: { price: '22.00' } },
  'put /products/:product_id/images/:id': { image: { alt: 'A navy tote bag', position: 1 } },
  'put /variants/:variant_id/images/:id': { image: { alt: 'A navy tote bag', position: 1 } },
  'post /option_types': {
    option_type: {
      name: 'size',
      presentation: 'Size',
      option_values_attributes: [{ name: 'small', presentation: 'S' }],
    },
  },
  'put /option_types/:id': { option_type: { presentation: 'Size' } },
  'post /option_values': { option_value: { option_type_id: 1, name: 'small', presentation: 'S' } },
  'post /option_types/:option_type_id/option_values': { option_value: { name: 'tiny', presentation: 'XXS' } },
  'put /option_values/:id': { option_value: { presentation: 'Small' } },
  'put /option_types/:option_type_id/option_values/:id': { option_value: { presentation: 'Small' } },
  'post /properties': { property: { name: 'finish', presentation: 'Finish' } },
  'put /properties/:id': { property: { presentation: 'Made of' } },
  'post /products/:product_id/product_properties': {
    product_property: { property_name: 'material', value: 'Cotton' },
  },
  'put /products/:product_id/product_properties/:id': { product_property: { value: 'Linen' } },
  'post /products/:product_id/relations': { relation: { related_id: 13, kind: 'accessory' } },
  'put /products/:product_id/relations/:id': { relation: { kind: 'related', position: 1 } },
  'post /taxonomies': { taxonomy: { name: 'Brands' } },
  'put /taxonomies/:id': { taxonomy: { name: 'Makers' } },
  'post /taxonomies/:taxonomy_id/taxons': { taxon: { name: 'Totes', parent_id: 10 } },
  'put /taxonomies/:taxonomy_id/taxons/:id': { taxon: { parent_id: 4, child_index: 0 } },
  'put /classifications': { product_id: 12, taxon_id: 15, position: 0 },

  'post /stock_locations': {
    stock_location: { name: 'Portland', country_id: 1, propagate_all_variants: false },
  },
  'put /stock_locations/:id': { stock_location: { backorderable_default: true } },
  'post /stock_locations/:stock_location_id/stock_items': {
    stock_item: { variant_id: 107, count_on_hand: 10 },
  },
  'put /stock_locations/:stock_location_id/stock_items/:id': stockItemChange,
  'put /stock_items/:id': stockItemChange,
  'post /stock_locations/:stock_location_id/stock_movements': {
    stock_movement: { stock_item_id: 107, quantity: 10, action: 'received' },
  },
  'put /stock_locations/:stock_location_id/stock_movements/:id': { stock_movement: { quantity: 12 } },

  'post /orders': { order: { line_items: [{ variant_id: 107, quantity: 2 }] } },
  'put /orders/:number': { order: { email: 'ann@example.com' } },
  'post /orders/:number/line_items': lineItem,
  'put /orders/:number/line_items/:id': { line_item: { quantity: 3 } },
  'put /orders/:number/addresses/:id': { address },
  'put /checkouts/:number': {
    order: {
      email: 'ann@example.com',
      use_billing: true,
      bill_address: address,
      payments_attributes: [{ payment_method_id: 1 }],
    },
    payment_source: { 1: card },
  },
  'put /orders/:number/apply_coupon_code': { coupon_code: 'SUMMER' },
  'put /orders/:number/remove_coupon_code': { coupon_code: 'SUMMER' },
  'post /orders/:number/payments': { payment: { payment_method_id: 1, source_attributes: card } },
  'put /orders/:number/payments/:id': { payment: { amount: '20.00' } },
  'put /orders/:number/payments/:id/settle': {
    outcome: 'approved',
    reason: 'Seen in the dashboard of the provider',
  },

  'post /gateways/:payment_method_id/events': {
    id: 'evt_1',
    type: 'payment.approved',
    payment: 'PCB9B1DE',
  },
  'post /shipments': { order_id: 'R878669336', stock_location_id: 1, variant_id: 107, quantity: 1 },
  'post /shipments/transfer_to_location': {
    original_shipment_number: 'H87866933601',
    variant_id: 164,
    quantity: 1,
    stock_location_id: 1,
  },
  'post /shipments/transfer_to_shipment': {
    original_shipment_number: 'H79243804001',
    variant_id: 102,
    quantity: 1,
    target_shipment_number: 'H79243804002',
  },
  'put /shipments/:number': { shipment: { tracking: '1Z-5500' } },
  'put /shipments/:number/ship': { shipment: { tracking: '1Z-5500' } },
  'put /shipments/:number/add': { variant_id: 107, quantity: 1 },
  'put /shipments/:number/remove': { variant_id: 82, quantity: 1 },
  'put /inventory_units/:id': { fire: 'fill_backorder' },
  'post /orders/:number/adjustments': { adjustment: { label: 'Scratched in transit', amount: '-5.00' } },
  'put /orders/:number/adjustments/:id': { adjustment: { amount: '-7.50' } },
  'post /orders/:number/return_authorizations': {
    return_authorization: {
      amount: '24.00',
      memo: 'The strap is too short',
      stock_location_id: 1,
      return_authorization_reason_id: 1,
    },
  },
  'post /orders/:number/return_requests': {
    items: [{ line_item_id: 108, quantity: 1, reason_id: 1 }],
    memo: 'The strap is too short',
  },
  'put /orders/:number/return_authorizations/:id/decline': { reason: 'The tags were removed.' },
  'put /orders/:number/return_authorizations/:id': { return_authorization: { memo: 'Send it back unworn.' } },
  'put /orders/:number/return_authorizations/:id/add': { variant_id: 108, quantity: 1 },

  'post /users': { user: { email: 'ann@example.com', password: 'correct horse battery' } },
  'put /users/:id': { user: { bill_address: address } },
  'put /users/me': { user: { bill_address: address } },
  'post /users/me/addresses': { address: { ...address, default_ship: true } },
  'put /users/me/addresses/:id': { address: { default_bill: true } },
  'put /users/:id/erase': { force: false },
  'put /users/:id/merge': { user_id: 3 },
  'post /users/:id/addresses': { address },
  'put /users/:user_id/addresses/:id': { address: { default_ship: true } },
  'put /users/me/credit_cards/:id': { credit_card: { default: true } },
  'put /users/:user_id/credit_cards/:id': { credit_card: { default: true } },
  'put /mails/:name': { mail: { subject: 'Thank you for your order {{ order.number }}' } },
  'post /webhooks': {
    webhook: {
      url: 'https://erp.example.com/store-events',
      events: ['order.completed', 'shipment.shipped'],
      description: 'ERP',
    },
  },
  'put /webhooks/:id': { webhook: { events: ['*'], active: true } },
  'post /passwords': { email: 'ann@example.com' },
  'put /passwords': { token: 'hH5…', password: 'better horse battery' },
  'post /users/:id/tokens': {
    api_token: { name: 'warehouse', scopes: ['stock:write'], expires_at: '2126-06-01T00:00:00.000Z' },
  },
  'post /roles': { role: { name: 'returns', scopes: ['orders:write', 'stock:read'] } },
  'put /roles/:id': { role: { scopes: ['catalog:write', 'stock:read'] } },
  'put /users/me/two_factor': { code: '287082' },
  'delete /users/me/two_factor': { code: '287082' },
  'post /sessions': { email: 'ann@example.com', password: 'correct horse battery' },
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
  'post /promotions': {
    promotion: {
      name: 'Summer',
      code: 'SUMMER',
      rules: [{ type: 'item_total', amount_min: '40.00' }],
      actions: [{ type: 'order_percent', percent: '10' }],
    },
  },
  'put /promotions/:id': { promotion: { expires_at: '2026-09-01T00:00:00Z', usage_limit: 500 } },
  'post /stores': {
    store: { name: 'Harbour', url: 'shop.example', code: 'harbour', mail_from_address: 'shop@shop.example' },
  },
  'put /stores/:id': { store: { currency: 'EUR', auto_capture: true } },
  'post /zones': {
    zone: { name: 'Benelux', zone_members: [{ zoneable_type: 'Store::Country', zoneable_id: 21 }] },
  },
  'put /zones/:id': { zone: { description: 'Belgium, the Netherlands, Luxembourg' } },
};
