import type { StockItemJson } from '../../src/inventory/stock-items/stock-items.schema';
import type { StockLocationJson } from '../../src/inventory/stock-locations/stock-locations.schema';
import type { StockMovementJson } from '../../src/inventory/stock-movements/stock-movements.schema';
import { variant } from './catalog';
import { country } from './places';

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
