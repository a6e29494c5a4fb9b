import { z } from 'zod';
import { metadataReply } from '../../access/metadata';
import { BLANK } from '../../platform/errors';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { isBlank } from '../../platform/blank';
import { ids, list, names, reference, text } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { flag } from '../flag';
import { OptionType } from '../option-types/option-types.definition';
import { ProductProperty, ProductPropertyInput } from '../product-properties/product-properties.definition';
import { TaxonJson } from '../taxon-tree/taxons.schema';
import { ARTICLE_FIELDS, Variant } from '../variants/variants.definition';
import { NestedVariant, VariantJson } from '../variants/variants.schema';
import { fields } from '../../platform/http/reply-fields';
import { Product } from '../product-queries/products.definition';
import { filterParameters } from './product-filters.schema';
import { namedObject } from '../../platform/http/named-object';

export const ClassificationJson = namedObject('Classification', {
  taxon_id: z.int(),
  position: z.int().describe('The position of the product within the taxon, from 1.'),
  taxon: TaxonJson.describe('The taxon with its direct children.'),
});

export type ClassificationJson = z.output<typeof ClassificationJson>;

export const ProductJson = Product.Json.extend({
  has_variants: z.boolean().describe('Whether the product has variants besides its master.'),
  master: VariantJson.describe(
    'The variant that represents the product itself. Its price is the price of the product.',
  ),
  variants: z
    .array(VariantJson)
    .describe('The variants except the master, by position. Empty if the product has no options.'),
  option_types: z
    .array(OptionType.Json)
    .describe(
      'The option types that distinguish the variants, by position, with the values that the variants use.',
    ),
  product_properties: z.array(ProductProperty.Json).describe('The properties of the product, by position.'),
  classifications: z
    .array(ClassificationJson)
    .describe('The taxons of the product, with its position within each.'),
  meta_title: z.string().nullable().describe('The title for search engines. Null without one.'),
  price_range: z
    .object({
      min: z.string().nullable().describe('The lowest price, as a decimal.'),
      max: z.string().nullable().describe('The highest price, as a decimal.'),
      display_min: z.string().nullable().describe('`min`, formatted for display.'),
      display_max: z.string().nullable().describe('`max`, formatted for display.'),
    })
    .meta({
      description:
        'The lowest and highest price of the variants on sale, or of the master if there are none, in the currency of the ' +
        'store; null if there is no price.',
      examples: [{ min: '19.99', max: '24.99', display_min: '$19.99', display_max: '$24.99' }],
    }),
  in_stock: z
    .boolean()
    .describe(
      'Whether a variant, or the master if there are none, can be bought now. Backorderable ones count.',
    ),
  ...metadataReply,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().describe('Moves with every change of the product but its stock.'),
}).meta({ id: 'Product' });

export type ProductJson = z.output<typeof ProductJson>;

/** The parameters of a body that are not fields of the definition. */
const others = {
  ...Variant.Attributes.pick(ARTICLE_FIELDS).shape,
  permalink: text().optional.describe('Same as `slug`.'),
  shipping_category: text().optional.describe(
    'The name of a shipping category, which is created if it does not exist. Alternative to `shipping_category_id`.',
  ),
  option_type_ids: ids().optional.describe('The ids of the option types of the product. Replaces the set.'),
  option_types: names().optional.describe('Names of option types to add. Missing ones are created.'),
  variants: list(NestedVariant).describe(
    'Variants to create or update. An entry with `id` updates a variant, without `id` creates one.',
  ),
  product_properties_attributes: list(ProductPropertyInput).describe(
    'Properties to set. An entry with `id` and `_destroy` removes one.',
  ),
};

/** A shipping category is required, by id or by name. */
const ProductAttributes = Product.Attributes.extend({
  ...others,
  shipping_category_id: reference().optional,
}).refine((product) => product.shipping_category_id != null || !isBlank(product.shipping_category), {
  path: ['shipping_category_id'],
  error: BLANK,
  // Checked together with the other fields, so that one reply reports all errors; an invalid id or name has its own.
  when: ({ issues }) =>
    !issues.some(({ path }) => path?.[0] === 'shipping_category_id' || path?.[0] === 'shipping_category'),
});
const ProductChanges = Product.Changes.extend(others);
// Only DELETE deletes a product.
for (const attributes of [ProductAttributes, ProductChanges]) acceptingUnread(attributes, ['deleted_at']);

export const ProductCreate = wrapped('product', ProductAttributes);
export const ProductUpdate = wrapped('product', ProductChanges);

export type ProductAttributes = z.output<typeof ProductAttributes>;
export type ProductChanges = z.output<typeof ProductChanges>;

/** The reply of `/new`. The shipping category may be sent by id or by name. */
export const PRODUCT_ATTRIBUTE_LIST = {
  attributes: Product.attributeList.attributes,
  required_attributes: ['name', 'shipping_category', 'price'],
};

const show_deleted = flag(
  'Includes deleted products; defaults to false, ignored unless the caller is an admin.',
);

export const ProductQuery = z.object({ show_deleted });

/** The parameters of lists of products. */
export const ProductFiltersQuery = z.object({ ...filterParameters, fields });

export const ProductsQuery = ProductFiltersQuery.extend({
  show_deleted,
  show_discontinued: flag(
    'Includes discontinued products; defaults to false, ignored unless the caller is an admin.',
  ),
  ids: z
    .unknown()
    .optional()
    .meta({
      description: 'Returns exactly these products; `1,2,3` or an array. `q` is then ignored.',
      examples: [[1, 2]],
      override: { type: 'array', items: { type: 'integer' } },
    }),
});
