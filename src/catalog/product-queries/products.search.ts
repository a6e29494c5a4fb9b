import { metadataSearch } from '../../access/metadata';
import type { Attribute, SearchDefinition } from '../../platform/query-builder/define-search';
import {
  masterAssociation,
  optionValueAssociation,
  variantAdminAttributes,
  variantAttributes,
} from '../catalog-attributes.search';
import { PRODUCT_ORDERS } from './product-orders-sql';
import { Product } from './products.definition';

/** The attributes of a product. Its price is a column, because a join would read every price. */
export const productAttributes: Record<string, Attribute> = {
  ...Product.search.attributes,
  price: { type: 'decimal', sql: (product) => `${product}.master_price` },
};

export const productSearch: SearchDefinition = {
  table: 'products',
  attributes: productAttributes,
  adminAttributes: metadataSearch,
  aliases: { sku: 'master_sku', master_price: 'price' },
  associations: {
    master: masterAssociation,
    variants: {
      table: 'variants',
      on: (product, variant) =>
        `${variant}.product_id = ${product}.id AND NOT ${variant}.is_master AND ${variant}.deleted_at IS NULL`,
      attributes: variantAttributes,
      adminAttributes: variantAdminAttributes,
      associations: { option_values: optionValueAssociation },
    },
    variants_including_master: {
      table: 'variants',
      on: (product, variant) => `${variant}.product_id = ${product}.id AND ${variant}.deleted_at IS NULL`,
      attributes: variantAttributes,
      adminAttributes: variantAdminAttributes,
    },
    shipping_category: {
      table: 'shipping_categories',
      on: (product, category) => `${category}.id = ${product}.shipping_category_id`,
      attributes: { name: 'text' },
    },
    classifications: {
      table: 'classifications',
      on: (product, classification) => `${classification}.product_id = ${product}.id`,
      attributes: { taxon_id: 'integer' },
    },
    taxons: {
      table: `(SELECT classifications.product_id, taxons.id, taxons.name, taxons.permalink
               FROM classifications JOIN taxons ON taxons.id = classifications.taxon_id)`,
      on: (product, taxon) => `${taxon}.product_id = ${product}.id`,
      attributes: { id: 'integer', name: 'text', permalink: 'text' },
    },
    product_properties: {
      table: `(SELECT product_properties.product_id, product_properties.value, properties.name
               FROM product_properties JOIN properties ON properties.id = product_properties.property_id)`,
      on: (product, property) => `${property}.product_id = ${product}.id`,
      attributes: { value: 'text', name: 'text' },
    },
  },
  orders: PRODUCT_ORDERS,
  baseOrder: [],
};

/** The products of one taxon, by their position in it. Expects `classifications` joined. */
export const taxonProductSearch: SearchDefinition = {
  ...productSearch,
  baseOrder: ['classifications.position ASC'],
  perPage: 500,
};
