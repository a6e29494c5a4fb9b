import { z } from 'zod';
import { METADATA_DESCRIPTIONS, metadataReply } from '../../access/metadata';
import {
  describe,
  boolean,
  decimalNumber,
  ids,
  integer,
  jsonObject,
  list,
  price,
  reference,
  text,
} from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { ImageJson } from '../images/images.schema';
import { flag } from '../flag';
import { OptionValue } from '../option-values/option-values.definition';
import { namedObject } from '../../platform/http/named-object';

const Decimal = z.string().meta({ examples: ['0.0'] });

const variantFields = {
  id: z.int(),
  name: z.string().describe('The name of the product.'),
  sku: z.string(),
  barcode: z.string().nullable().describe('The GTIN, EAN, UPC or ISBN. Null without one.'),
  price: z
    .string()
    .nullable()
    .meta({
      description: 'In the currency of the store; null if the variant has no price in it.',
      examples: ['19.99'],
    }),
  weight: Decimal,
  height: Decimal.nullable(),
  width: Decimal.nullable(),
  depth: Decimal.nullable(),
  is_master: z.boolean().describe('Whether the variant is the master of its product.'),
  slug: z.string().describe('The slug of the product.'),
  description: z.string().nullable().describe('The description of the product.'),
  track_inventory: z.boolean(),
  cost_price: Decimal.nullable().optional().describe('Visible to admins only.'),
  display_price: z
    .string()
    .nullable()
    .meta({ examples: ['$19.99'] }),
  options_text: z.string().meta({
    description: 'The option values in words. Empty for a master.',
    examples: ['Size: Small, Color: Red'],
  }),
  in_stock: z.boolean().describe('Whether units are in stock, or inventory is not tracked.'),
  is_backorderable: z.boolean().describe('Whether an active location sells the variant beyond its stock.'),
  is_orderable: z
    .boolean()
    .describe('Whether the variant can be added to a cart: in stock or backorderable.'),
  total_on_hand: z.int().nullable().describe('Null if inventory is not tracked.'),
  is_destroyed: z.boolean().describe('Whether the variant is deleted. Orders keep deleted variants.'),
  product_id: z.int(),
  updated_at: z.iso.datetime(),
  option_values: z
    .array(OptionValue.Json)
    .describe('The option values of the variant, by the position of their option types.'),
  images: z
    .array(ImageJson)
    .describe('The images of the variant, by position. Those of the master are not included.'),
  ...metadataReply,
};

export const VariantJson = z.object(variantFields).meta({ id: 'Variant' });

export type VariantJson = z.output<typeof VariantJson>;

export const VariantStockItemJson = namedObject('VariantStockItem', {
  id: z.int(),
  count_on_hand: z.int().describe('The units at the location. Below zero: backordered units.'),
  committed: z
    .int()
    .optional()
    .describe('The units that are sold and not shipped from the location. Visible to admins only.'),
  stock_location_id: z.int(),
  backorderable: z.boolean().describe('Whether the location sells the variant beyond its stock.'),
  variant_id: z.int(),
  available: z
    .boolean()
    .describe('Whether the location can supply a unit: the count is above zero, or it is backorderable.'),
  stock_location_name: z.string().describe('The name of the stock location.'),
});

export type VariantStockItemJson = z.output<typeof VariantStockItemJson>;

export const VariantWithStockJson = namedObject('VariantWithStock', {
  ...variantFields,
  committed: z
    .int()
    .optional()
    .describe('The units that are sold and not shipped, at all locations. Visible to admins only.'),
  stock_items: z.array(VariantStockItemJson).describe('The stock of the variant at each active location.'),
});

export type VariantWithStockJson = z.output<typeof VariantWithStockJson>;

/** The attributes of a variant that a product also accepts, for its master. */
export const articleFields = {
  sku: text(),
  barcode: describe(text({ trim: true, max: 50 }), 'The GTIN, EAN, UPC or ISBN. Null without one.'),
  weight: decimalNumber({ min: '0' }),
  height: decimalNumber({ min: '0' }),
  width: decimalNumber({ min: '0' }),
  depth: decimalNumber({ min: '0' }),
  cost_price: decimalNumber({ min: '0' }),
  cost_currency: text(),
};

const fields = {
  ...articleFields,
  price: describe(
    price(),
    'The price, as a decimal in the currency of the store. Defaults to that of the master.',
  ),
  position: describe(
    integer({ min: 1 }),
    'The position among the variants of the product, from 1. Defaults to the last.',
  ),
  track_inventory: boolean(),
  tax_category_id: reference(),
  option_value_ids: describe(
    ids(),
    'The ids of the option values, at most one of each option type. Replaces the set.',
  ),
  metadata: describe(jsonObject(), METADATA_DESCRIPTIONS.metadata),
  public_metadata: describe(jsonObject(), METADATA_DESCRIPTIONS.public_metadata),
};

/** The names of an option type and of one of its values; missing ones are created. */
const options = list(
  z.object({
    name: text().required.describe('The name of the option type, such as `color`.'),
    value: text().required.describe('The name of the option value, such as `navy`.'),
  }),
);

const VariantAttributes = createSchema(fields, []).extend({
  options: options.describe('Option types and values by name. Missing ones are created.'),
});
const VariantChanges = updateSchema(fields, ['price']).extend({
  options: options.describe('Option types and values by name. Missing ones are created.'),
});

/** The product is the path's, or is named next to the variant. */
for (const attributes of [VariantAttributes, VariantChanges]) acceptingUnread(attributes, ['product_id']);

export const VariantCreate = wrapped('variant', VariantAttributes);
export const VariantUpdate = wrapped('variant', VariantChanges);

/** A row of `variants` in a product: with `id` it updates a variant, without it creates one. */
export const NestedVariant = acceptingUnread(VariantAttributes.extend({ id: reference().optional }), [
  'product_id',
]);

export type VariantAttributes = z.output<typeof VariantAttributes>;
export type VariantChanges = z.output<typeof VariantChanges>;
export type NestedVariant = z.output<typeof NestedVariant>;

export const VARIANT_ATTRIBUTES = [
  'id',
  'name',
  'sku',
  'price',
  'weight',
  'height',
  'width',
  'depth',
  'is_master',
  'slug',
  'description',
  'track_inventory',
];

const permalink = z.preprocess(
  (raw) => ((typeof raw === 'string' && raw !== '') || typeof raw === 'number' ? String(raw) : undefined),
  z.string().optional(),
);

/** The product of a variant, as a query parameter. */
export const OfProduct = z.object({
  product_id: permalink.describe('Permalink or id of the product.'),
});

export const VariantsQuery = OfProduct.extend({
  show_deleted: flag('Includes deleted variants; defaults to false, ignored unless the caller is an admin.'),
});
