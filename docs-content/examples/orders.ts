import type { EventJson } from '../../src/events/log/event.schema';
import type { DocumentJson, ListedDocumentJson } from '../../src/sales/documents/documents.schema';
import type { StateChangeJson } from '../../src/sales/history/state-changes.schema';
import type { InventoryUnitRecordJson } from '../../src/sales/inventory-units/inventory-units.schema';
import type {
  InventoryUnitJson,
  LineItemJson,
  OrderDetailJson,
  OrderJson,
} from '../../src/sales/order-replies/orders.schema';
import type { ReturnRequestJson } from '../../src/sales/return-authorizations/return-requests.schema';
import type { ReturnAuthorizationJson } from '../../src/sales/return-authorizations/return-authorizations.schema';
import type { OwnShipmentJson } from '../../src/sales/shipments/shipment-replies.schema';
import { variant } from './catalog';
import { address } from './places';
import type { ResourceExamples } from './resource-examples';
import { ORDER, inCart } from '../demo-orders';
import { address as newAddress, card } from '../sample-customer';
import { creditCard, orderPayment } from './payments';
import { orderShipment, shipmentFields, shippingRate } from './shipments';

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
  items: [{ line_item_id: 1, variant_id: 4, quantity: 1, restock: true }],
  requested_items: [],
  amount: '24.0',
  stock_location_id: 1,
  return_authorization_reason_id: 1,
  created_at: '2026-03-09T08:00:00.000Z',
  updated_at: '2026-03-09T08:00:00.000Z',
};

const returnRequest: ReturnRequestJson = {
  id: 1,
  number: 'RA414151926',
  state: 'requested',
  memo: 'The strap is too short',
  decline_reason: null,
  items: [{ line_item_id: 1, quantity: 1, reason_id: 1 }],
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
  url: '/api/v1/orders/R933696692/documents/9.pdf',
};

export const listedDocument: ListedDocumentJson = {
  ...document,
  order_number: 'R123456789',
  email: 'ann@example.com',
  currency: 'USD',
  net_total: document.total,
  tax_total: '0.0',
};

const line = { ...inCart, id: 9 };

export const ordersExamples: ResourceExamples = {
  replies: {
    Order: order,
    OrderSummary: orderSummary,
    LineItem: lineItem,
    OwnShipment: ownShipment,
    InventoryUnit: inventoryUnit,
    InventoryUnitRecord: inventoryUnitRecord,
    ReturnAuthorization: returnAuthorization,
    ReturnRequest: returnRequest,
    StateChange: stateChange,
    Event: event,
    Document: document,
    ListedDocument: listedDocument,
  },
  requests: {
    'post /orders/lookup': { number: 'R123456789', email: 'ann@example.com' },
    'post /orders': { order: { line_items: [{ variant_id: 107, quantity: 2 }] } },
    'put /orders/:number': { order: { email: 'ann@example.com' } },
    'post /orders/:number/line_items': { line_item: { variant_id: 107, quantity: 2 } },
    'put /orders/:number/line_items/:id': { line_item: { quantity: 3 } },
    'put /orders/:number/addresses/:id': { address: newAddress },
    'put /checkouts/:number': {
      order: {
        email: 'ann@example.com',
        use_billing: true,
        bill_address: newAddress,
        payments_attributes: [{ payment_method_id: 1 }],
      },
      payment_source: { 1: card },
    },
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
    'put /orders/:number/return_authorizations/:id': {
      return_authorization: { memo: 'Send it back unworn.' },
    },
    'put /orders/:number/return_authorizations/:id/add': { variant_id: 108, quantity: 1 },
  },
  parameters: {
    places: {
      '/orders/:number': ORDER.awaiting_return,
      '/orders/:number/documents/:id': 9,
      '/orders/:number/return_authorizations/:id': 'RA933696692',
    },
    routes: {
      'put /orders/:number': inCart,
      'put /orders/:number/empty': { number: ORDER.another_cart },
      'put /orders/:number/cancel': { number: ORDER.unpaid },
      'put /orders/:number/resume': { number: ORDER.canceled },
      'put /orders/:number/approve': { number: ORDER.risky },
      'get /orders/:number/line_items/new': inCart,
      'post /orders/:number/line_items': inCart,
      'put /orders/:number/line_items/:id': line,
      'delete /orders/:number/line_items/:id': line,
      'get /orders/:number/addresses/:id': { ...inCart, id: 11 },
      'put /orders/:number/addresses/:id': { ...inCart, id: 11 },
      'post /orders/:number/return_authorizations': { number: ORDER.shipped },
      'post /orders/:number/return_requests': { number: ORDER.shipped },
      'put /orders/:number/return_authorizations/:id/approve': { number: ORDER.shipped, id: 1 },
      'put /orders/:number/return_authorizations/:id/decline': { number: ORDER.shipped, id: 1 },
      'put /orders/:number/return_authorizations/:id/cancel': {
        number: ORDER.another_awaiting_return,
        id: ORDER.another_awaiting_return.replace('R', 'RA'),
      },
      'put /checkouts/:number': { number: ORDER.address },
      'put /checkouts/:number/next': { number: ORDER.delivery },
      'put /checkouts/:number/advance': { number: ORDER.confirm },
    },
  },
};
