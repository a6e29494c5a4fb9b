import { z } from 'zod';
import { METADATA_DESCRIPTIONS } from '../../access/metadata';
import * as fields from '../../platform/http/fields';
import {
  boolean,
  currency,
  decimalNumber,
  integer,
  jsonObject,
  reference,
  text,
  timestamp,
} from '../../platform/resource/columns';
import {
  defineResource,
  type AttributesOf,
  type ChangesOf,
  type RowOf,
  type ValuesOf,
} from '../../platform/resource/definition';

const measure = { type: decimalNumber({ min: '0' }), nullable: true } as const;

/** The names of an option type and of one of its values; missing ones are created. */
const options = fields.list(
  z.object({
    name: fields.text().required.describe('The name of the option type, such as `color`.'),
    value: fields.text().required.describe('The name of the option value, such as `navy`.'),
  }),
);

/** A variant as requests write it. Replies have the names, prices and stock of variants.schema.ts. */
export const Variant = defineResource({
  table: 'variants',
  name: 'variant',
  deletion: 'soft',
  fields: {
    sku: { type: text(), default: '' },
    barcode: {
      type: text({ trim: true, max: 50, halfWidth: true }),
      nullable: true,
      description: 'The GTIN, EAN, UPC or ISBN. Null without one.',
    },
    weight: { type: decimalNumber({ min: '0' }), default: '0' },
    height: measure,
    width: measure,
    depth: measure,
    cost_price: measure,
    cost_currency: { type: currency(), nullable: true },
    price: {
      input: fields.price(),
      description: 'The price, as a decimal in the currency of the store. Defaults to that of the master.',
    },
    position: {
      type: integer({ min: 1 }),
      default: 1,
      description: 'The position among the variants of the product, from 1. Defaults to the last.',
    },
    track_inventory: { type: boolean(), default: true },
    tax_category_id: { type: reference(), nullable: true },
    option_value_ids: {
      input: fields.ids(),
      description: 'The ids of the option values, at most one of each option type. Replaces the set.',
    },
    metadata: { type: jsonObject(), default: {}, description: METADATA_DESCRIPTIONS.metadata },
    public_metadata: { type: jsonObject(), default: {}, description: METADATA_DESCRIPTIONS.public_metadata },
    options: {
      input: options.describe('Option types and values by name. Missing ones are created.'),
    },
    product_id: { type: reference(), internal: true },
    is_master: { type: boolean(), internal: true },
    created_at: { type: timestamp(), generated: true },
    updated_at: { type: timestamp(), generated: true },
    deleted_at: { type: timestamp(), generated: true, nullable: true },
  },
});

export type VariantRow = RowOf<typeof Variant>;
/** The columns of a variant that are written, without price, options and stock. */
export type VariantColumns = ValuesOf<typeof Variant>;
export type VariantAttributes = AttributesOf<typeof Variant>;
export type VariantChanges = ChangesOf<typeof Variant>;

/** The attributes of a variant that a product also accepts, for its master. */
export const ARTICLE_FIELDS = {
  sku: true,
  barcode: true,
  weight: true,
  height: true,
  width: true,
  depth: true,
  cost_price: true,
  cost_currency: true,
} as const;

export type Article = Pick<VariantAttributes, keyof typeof ARTICLE_FIELDS>;
