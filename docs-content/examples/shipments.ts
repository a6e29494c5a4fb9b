import type { OrderShipmentJson } from '../../src/sales/order-replies/orders.schema';
import type { ShipmentJson } from '../../src/sales/shipments/shipment-replies.schema';
import type {
  ShipmentFieldsJson,
  ShippingMethodJson,
  ShippingRateJson,
} from '../../src/sales/order-replies/shipments.schema';
import { variant } from './catalog';
import { address } from './places';
import type { ResourceExamples } from './resource-examples';

export const shippingRate: ShippingRateJson = {
  id: 2,
  name: 'UPS Two Day (USD)',
  cost: '10.0',
  selected: true,
  shipping_method_id: 2,
  shipping_method_code: null,
  display_cost: '$10.00',
};

const shippingMethod: ShippingMethodJson = {
  id: 2,
  code: null,
  name: 'UPS Two Day (USD)',
  zones: [{ id: 2, name: 'North America', description: 'USA + Canada' }],
  shipping_categories: [{ id: 1, name: 'Default' }],
};

export const shipmentFields: ShipmentFieldsJson = {
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

export const shipment: ShipmentJson = {
  ...shipmentFields,
  ship_address: { ...address, id: 2 },
  shipping_rates: [shippingRate],
  selected_shipping_rate: [shippingRate],
  manifest: [{ variant, quantity: 2, states: { shipped: 2 } }],
};

export const shipmentsExamples: ResourceExamples = {
  replies: {
    OrderShipment: orderShipment,
    Shipment: shipment,
    ShippingRate: shippingRate,
  },
  requests: {
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
  },
  parameters: {
    places: {
      '/shipments/:number': 'H38244325401',
      '/inventory_units/:id': 1,
    },
    routes: {
      'put /shipments/:number/add': { number: 'H19624456601' },
      'put /shipments/:number/remove': { number: 'H87866933601' },
      'put /inventory_units/:id': { id: 28 },
    },
  },
};
