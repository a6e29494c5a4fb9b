import type { Association, Attribute } from '../platform/query-builder/define-search';
import { STORE_CURRENCY } from './store-settings-sql';

/** The price that a variant shows: the last one, if it was deleted with its product. */
const variantPrice: Attribute = {
  type: 'decimal',
  sql: (variant) =>
    `(SELECT prices.amount FROM prices WHERE prices.variant_id = ${variant}.id AND prices.currency = ${STORE_CURRENCY}
      ORDER BY prices.deleted_at DESC NULLS FIRST LIMIT 1)`,
};

/** The attributes of a variant that searches may use. */
export const variantAttributes: Record<string, Attribute> = {
  id: 'integer',
  sku: 'text',
  barcode: 'text',
  weight: 'decimal',
  height: 'decimal',
  width: 'decimal',
  depth: 'decimal',
  price: variantPrice,
  is_master: 'boolean',
  position: 'integer',
  product_id: 'integer',
  track_inventory: 'boolean',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  deleted_at: 'timestamp',
};

/** The attributes that only admins may search by. */
export const variantAdminAttributes: Record<string, Attribute> = { cost_price: 'decimal' };

/** The master of a product. It is deleted with its product, so deleted masters are included. */
export const masterAssociation: Association = {
  table: 'variants',
  on: (product, master) => `${master}.product_id = ${product}.id AND ${master}.is_master`,
  attributes: variantAttributes,
  adminAttributes: variantAdminAttributes,
};

/** The option values of a variant. */
export const optionValueAssociation: Association = {
  table: `(SELECT variant_option_values.variant_id, option_values.*
           FROM variant_option_values JOIN option_values ON option_values.id = variant_option_values.option_value_id)`,
  on: (variant, value) => `${value}.variant_id = ${variant}.id`,
  attributes: {
    id: 'integer',
    name: 'text',
    presentation: 'text',
    position: 'integer',
    option_type_id: 'integer',
  },
};
