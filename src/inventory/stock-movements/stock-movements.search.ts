import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { stockItemAssociations } from '../stock-items/stock-items.search';

export const stockMovementSearch: SearchDefinition = {
  table: 'stock_movements',
  attributes: {
    id: 'integer',
    quantity: 'integer',
    stock_item_id: 'integer',
    action: 'text',
    user_id: 'integer',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  // The columns of files of movements.
  aliases: { sku: 'stock_item_variant_sku', stock_location: 'stock_item_stock_location_name' },
  associations: {
    stock_item: {
      table: 'stock_items',
      on: (movement, item) => `${item}.id = ${movement}.stock_item_id`,
      attributes: { variant_id: 'integer' },
      associations: stockItemAssociations,
    },
  },
  baseOrder: [],
};
