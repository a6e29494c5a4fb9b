import type { StockItemJson } from '../../src/inventory/stock-items/stock-items.schema';
import type { StockLocationJson } from '../../src/inventory/stock-locations/stock-locations.schema';
import type { StockMovementJson } from '../../src/inventory/stock-movements/stock-movements.schema';
import { variant } from './catalog';
import { country } from './places';
import type { ResourceExamples } from './resource-examples';

export const stockLocation: StockLocationJson = {
  id: 1,
  name: 'default',
  admin_name: null,
  default: true,
  address1: null,
  address2: null,
  city: null,
  state_id: null,
  state_name: null,
  country_id: 1,
  zipcode: null,
  phone: null,
  active: true,
  backorderable_default: true,
  propagate_all_variants: true,
  country,
  state: null,
};

export const stockItem: StockItemJson = {
  id: 227,
  count_on_hand: 8,
  committed: 4,
  backorderable: true,
  stock_location_id: 1,
  variant_id: 227,
  updated_at: '2026-03-01T09:30:00.000Z',
  deleted_at: null,
  variant,
};

export const stockMovement: StockMovementJson = {
  id: 170,
  quantity: 10,
  stock_item_id: 227,
  action: 'received',
  user_id: 1,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
  stock_item: stockItem,
};

const stockItemChange = { stock_item: { count_on_hand: 10, force: true } };

export const inventoryExamples: ResourceExamples = {
  replies: {
    StockLocation: stockLocation,
    StockItem: stockItem,
    StockMovement: stockMovement,
  },
  requests: {
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
  },
  parameters: {
    places: {
      '/stock_locations/:id': 1,
      '/stock_locations/:stock_location_id': 1,
      '/stock_locations/:stock_location_id/stock_items/:id': 107,
      '/stock_locations/:stock_location_id/stock_movements/:id': 1,
      '/stock_items/:id': 107,
    },
    routes: {
      'delete /stock_locations/:id': { id: 2 },
      'post /stock_locations/:stock_location_id/stock_items': { stock_location_id: 2 },
    },
    queries: {
      'get /stock_items': { stock_location_id: 1 },
    },
    madeBy: {
      'delete /stock_locations/:id': 'post /stock_locations',
      'post /stock_locations/:stock_location_id/stock_items': 'post /stock_locations',
    },
  },
};
