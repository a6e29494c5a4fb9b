import { z } from 'zod';
import { metadataReply } from '../../access/metadata';
import { price, reference } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { Image } from '../images/images.definition';
import { flag } from '../flag';
import { OptionValue } from '../option-values/option-values.definition';
import { namedObject } from '../../platform/http/named-object';
import { Variant } from './variants.definition';

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
    .array(Image.Json)
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

/** The price of a variant may be missing, but not blank. */
const VariantChanges = Variant.Changes.extend({
  price: price().filled.meta({ ...Variant.Changes.shape.price.meta() }),
});

/** The product is the path's, or is named next to the variant. */
for (const attributes of [Variant.Attributes, VariantChanges]) acceptingUnread(attributes, ['product_id']);

export const VariantCreate = wrapped('variant', Variant.Attributes);
export const VariantUpdate = wrapped('variant', VariantChanges);

/** A row of `variants` in a product: with `id` it updates a variant, without it creates one. */
export const NestedVariant = acceptingUnread(Variant.Attributes.extend({ id: reference().optional }), [
  'product_id',
]);

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
