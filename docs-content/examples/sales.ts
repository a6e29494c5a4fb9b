import type { EventJson } from '../../src/events/log/event.schema';
import type { DocumentJson, ListedDocumentJson } from '../../src/sales/documents/documents.schema';
import type { StateChangeJson } from '../../src/sales/history/state-changes.schema';
import type { InventoryUnitRecordJson } from '../../src/sales/inventory-units/inventory-units.schema';
import type {
  InventoryUnitJson,
  LineItemJson,
  OrderDetailJson,
  OrderJson,
  OrderShipmentJson,
} from '../../src/sales/order-replies/orders.schema';
import type { ListedRefundJson, NewPaymentJson } from '../../src/sales/payments/payments.schema';
import type {
  CreditCardJson,
  OrderPaymentJson,
  PaymentJson,
  RefundJson,
} from '../../src/sales/order-replies/payments.schema';
import type { ReturnAuthorizationJson } from '../../src/sales/return-authorizations/return-authorizations.schema';
import type { OwnShipmentJson, ShipmentJson } from '../../src/sales/shipments/shipment-replies.schema';
import type {
  ShipmentFieldsJson,
  ShippingMethodJson,
  ShippingRateJson,
} from '../../src/sales/order-replies/shipments.schema';
import { variant } from './catalog';
import { address } from './places';

export const creditCard: CreditCardJson = {
  id: 1,
  month: '12',
  year: '2035',
  cc_type: null,
  last_digits: '1111',
  name: 'Ann Lee',
  gateway_customer_profile_id: 'BGS-414610',
  gateway_payment_profile_id: null,
};

export const payment: PaymentJson = {
  id: 1,
  source_type: 'Store::CreditCard',
  source_id: 1,
  amount: '58.0',
  display_amount: '$58.00',
  payment_method_id: 1,
  state: 'completed',
  avs_response: 'D',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
  number: 'PGMRA117',
  requires_action: null,
  credit_allowed: '58.0',
  refunds: [],
};

export const refund: RefundJson = {
  id: 1,
  amount: '5.0',
  reason: 'Damaged in transit',
  created_at: '2026-03-04T12:00:00.000Z',
  user_id: 1,
};

export const listedRefund: ListedRefundJson = { ...refund, payment_id: 1 };

export const newPayment: NewPaymentJson = {
  attributes: [
    'id',
    'source_type',
    'source_id',
    'amount',
    'display_amount',
    'payment_method_id',
    'state',
    'avs_response',
    'created_at',
    'updated_at',
    'number',
  ],
  payment_methods: [
    {
      id: 1,
      name: 'Credit Card',
      description: 'Bogus payment gateway.',
      method_type: 'gateway',
      gateway: 'bogus',
      public_preferences: {},
    },
    {
      id: 2,
      name: 'Check',
      description: 'Pay by check.',
      method_type: 'check',
      gateway: 'check',
      public_preferences: {},
    },
  ],
};

export const orderPayment: OrderPaymentJson = {
  ...payment,
  payment_method: { id: 1, name: 'Credit Card' },
  source: creditCard,
};

export const shippingRate: ShippingRateJson = {
  id: 2,
  name: 'UPS Two Day (USD)',
  cost: '10.0',
  selected: true,
  shipping_method_id: 2,
  shipping_method_code: null,
  display_cost: '$10.00',
};

export const lineItem: LineItemJson = {
  id: 1,
  quantity: 2,
  price: '24.0',
  variant_id: 227,
  single_display_amount: '$24.00',
  display_amount: '$48.00',
  display_total: '$48.00',
  total: '48.0',
  adjustments: [],
  variant,
  public_metadata: {},
};

const shippingMethod: ShippingMethodJson = {
  id: 2,
  code: null,
  name: 'UPS Two Day (USD)',
  zones: [{ id: 2, name: 'North America', description: 'USA + Canada' }],
  shipping_categories: [{ id: 1, name: 'Default' }],
};

const shipmentFields: ShipmentFieldsJson = {
  id: 1,
  tracking: '1Z-5500',
  tracking_url: 'https://track.example.com/1Z-5500',
  number: 'H94594137181',
  cost: '10.0',
  shipped_at: '2026-03-02T15:10:00.000Z',
  state: 'shipped',
  order_id: 'R662510072',
  stock_location_name: 'default',
  updated_at: '2026-03-02T15:10:00.000Z',
  shipping_methods: [shippingMethod],
  adjustments: [],
};

export const orderShipment: OrderShipmentJson = {
  ...shipmentFields,
  shipping_rates: [shippingRate],
  selected_shipping_rate: shippingRate,
  manifest: [{ variant_id: 227, quantity: 2, states: { shipped: 2 } }],
};

export const orderSummary: OrderJson = {
  id: 1,
  number: 'R662510072',
  item_total: '48.0',
  total: '58.0',
  ship_total: '10.0',
  state: 'complete',
  adjustment_total: '0.0',
  user_id: 2,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
  completed_at: '2026-03-01T09:30:00.000Z',
  payment_total: '58.0',
  shipment_state: 'shipped',
  payment_state: 'paid',
  email: 'ann@example.com',
  special_instructions: null,
  vat_id: null,
  channel: 'store',
  included_tax_total: '0.0',
  additional_tax_total: '0.0',
  tax_total: '0.0',
  display_included_tax_total: '$0.00',
  display_additional_tax_total: '$0.00',
  currency: 'USD',
  considered_risky: false,
  canceler_id: null,
  display_item_total: '$48.00',
  total_quantity: 2,
  display_total: '$58.00',
  display_ship_total: '$10.00',
  display_tax_total: '$0.00',
  display_adjustment_total: '$0.00',
  token: 'Zx81kPq0vT5mYc2nRb7wLd4sHf9gJa6e',
  checkout_steps: ['address', 'delivery', 'payment', 'confirm', 'complete'],
  public_metadata: {},
};

export const order: OrderDetailJson = {
  ...orderSummary,
  bill_address: address,
  ship_address: { ...address, id: 2 },
  line_items: [lineItem],
  payments: [orderPayment],
  shipments: [orderShipment],
  adjustments: [],
  credit_cards: [creditCard],
  permissions: { can_update: true },
};

export const shipment: ShipmentJson = {
  ...shipmentFields,
  ship_address: { ...address, id: 2 },
  shipping_rates: [shippingRate],
  selected_shipping_rate: [shippingRate],
  manifest: [{ variant, quantity: 2, states: { shipped: 2 } }],
};

const unit = { id: 1, state: 'shipped', variant_id: 227, shipment_id: 1 } as const;

export const inventoryUnit: InventoryUnitJson = {
  ...unit,
  variant,
  line_item: { id: 1, quantity: 2, price: '24.0', variant_id: 227 },
};

export const inventoryUnitRecord: InventoryUnitRecordJson = {
  ...unit,
  lock_version: 2,
  return_authorization_id: null,
};

export const ownShipment: OwnShipmentJson = {
  ...shipmentFields,
  selected_shipping_rate: shippingRate,
  inventory_units: [inventoryUnit],
  order: {
    ...orderSummary,
    bill_address: address,
    ship_address: { ...address, id: 2 },
    adjustments: [],
    payments: [
      {
        id: 1,
        amount: '58.0',
        display_amount: '$58.00',
        state: 'completed',
        payment_method: { id: 1, name: 'Credit Card' },
      },
    ],
  },
};

export const returnAuthorization: ReturnAuthorizationJson = {
  id: 1,
  number: 'RA414151926',
  state: 'authorized',
  order_id: 1,
  memo: 'The strap is too short',
  customer_memo: null,
  decline_reason: null,
  requested_items: [],
  amount: '24.0',
  stock_location_id: 1,
  return_authorization_reason_id: 1,
  created_at: '2026-03-09T08:00:00.000Z',
  updated_at: '2026-03-09T08:00:00.000Z',
};

export const stateChange: StateChangeJson = {
  id: 9,
  subject_type: 'order',
  subject_id: 1,
  number: 'R662510072',
  from_state: 'confirm',
  to_state: 'complete',
  reason: 'checkout complete',
  created_at: '2026-03-01T09:30:00.000Z',
};

export const event: EventJson = {
  id: 120,
  type: 'order.completed',
  created_at: '2026-03-01T09:30:00.000Z',
  subject: { type: 'order', id: 1, number: 'R662510072' },
  data: { id: 1, number: 'R662510072', state: 'complete', total: order.total, line_items: order.line_items },
};

export const document: DocumentJson = {
  kind: 'invoice',
  number: 'INV-000006',
  created_at: '2026-03-01T09:30:00.000Z',
  total: '29.99',
  url: '/api/v1/orders/R933696692/documents/8.pdf',
};

export const listedDocument: ListedDocumentJson = {
  ...document,
  order_number: 'R123456789',
  email: 'ann@example.com',
  currency: 'USD',
  net_total: document.total,
  tax_total: '0.0',
};
