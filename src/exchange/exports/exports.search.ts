import type { SearchDefinition } from '../../platform/query-builder/define-search';

const variant: NonNullable<SearchDefinition['associations']>[string] = {
  table: 'variants',
  on: (row, variant) => `${variant}.id = ${row}.variant_id`,
  attributes: { id: 'integer', sku: 'text' },
};

export const priceSearch: SearchDefinition = {
  table: 'prices',
  attributes: {
    id: 'integer',
    amount: 'decimal',
    currency: 'text',
    variant_id: 'integer',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  aliases: { sku: 'variant_sku', price: 'amount' },
  associations: { variant },
  baseOrder: [],
};

export const lineItemSearch: SearchDefinition = {
  table: 'line_items',
  attributes: {
    id: 'integer',
    quantity: 'integer',
    price: 'decimal',
    variant_id: 'integer',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  aliases: { sku: 'variant_sku' },
  associations: {
    variant,
    order: {
      table: 'orders',
      on: (line, order) => `${order}.id = ${line}.order_id`,
      attributes: { number: 'text', email: 'text', state: 'text', completed_at: 'timestamp' },
    },
  },
  baseOrder: [],
};
