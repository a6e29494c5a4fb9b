import { metadataSearch } from '../../access/metadata';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import {
  masterAssociation,
  optionValueAssociation,
  variantAdminAttributes,
  variantAttributes,
} from '../catalog-attributes.search';
import { productAttributes } from '../product-queries/products.search';
import { STORE_CURRENCY } from '../store-settings-sql';

const priceAttributes = { amount: 'decimal', currency: 'text' } as const;

export const variantSearch: SearchDefinition = {
  table: 'variants',
  attributes: variantAttributes,
  adminAttributes: { ...variantAdminAttributes, ...metadataSearch },
  aliases: { product_sku: 'product_master_sku', product_master_price: 'product_price' },
  associations: {
    product: {
      table: 'products',
      on: (variant, product) => `${product}.id = ${variant}.product_id`,
      attributes: productAttributes,
      associations: { master: masterAssociation },
    },
    option_values: optionValueAssociation,
    prices: {
      table: 'prices',
      on: (variant, price) => `${price}.variant_id = ${variant}.id AND ${price}.deleted_at IS NULL`,
      attributes: priceAttributes,
    },
    default_price: {
      table: 'prices',
      on: (variant, price) =>
        `${price}.variant_id = ${variant}.id AND ${price}.deleted_at IS NULL AND ${price}.currency = ${STORE_CURRENCY}`,
      attributes: priceAttributes,
    },
    stock_items: {
      table: 'stock_items',
      on: (variant, item) => `${item}.variant_id = ${variant}.id AND ${item}.deleted_at IS NULL`,
      attributes: { count_on_hand: 'integer', stock_location_id: 'integer' },
    },
  },
  baseOrder: ['variants.position ASC'],
};
