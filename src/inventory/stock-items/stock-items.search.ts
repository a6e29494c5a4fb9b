import type { Association, SearchDefinition } from '../../platform/query-builder/define-search';

/** The variant of a stock item. */
const variant: Association = {
  table: 'variants',
  on: (item, variant) => `${variant}.id = ${item}.variant_id`,
  attributes: {
    id: 'integer',
    sku: 'text',
    // The master of a product with variants is not for sale.
    offered: {
      type: 'boolean',
      sql: (alias) => `NOT (${alias}.is_master AND EXISTS (SELECT FROM variants AS other
        WHERE other.product_id = ${alias}.product_id AND NOT other.is_master AND other.deleted_at IS NULL))`,
    },
  },
  associations: {
    product: {
      table: 'products',
      on: (variant, product) => `${product}.id = ${variant}.product_id`,
      attributes: { id: 'integer', name: 'text' },
    },
  },
};

/** Where the stock is. */
const stockLocation: Association = {
  table: 'stock_locations',
  on: (item, location) => `${location}.id = ${item}.stock_location_id`,
  attributes: { name: 'text' },
};

/** The records that stock items, and what refers to them, are found by. */
export const stockItemAssociations = { variant, stock_location: stockLocation };

export const stockItemSearch: SearchDefinition = {
  table: 'stock_items',
  attributes: {
    id: 'integer',
    count_on_hand: 'integer',
    backorderable: 'boolean',
    variant_id: 'integer',
    stock_location_id: 'integer',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  // The columns of files of stock.
  aliases: { sku: 'variant_sku', stock_location: 'stock_location_name' },
  associations: stockItemAssociations,
  baseOrder: [],
  // An index over their own updated_at would cost every sale a heap-only update.
  feed: {
    at: 'change.updated_at',
    id: 'change.stock_item_id',
    join: `JOIN stock_item_changes AS change ON change.stock_item_id = stock_items.id
      AND change.stock_location_id = stock_items.stock_location_id`,
  },
};
