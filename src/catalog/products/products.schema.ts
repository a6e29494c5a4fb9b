import { z } from 'zod';
import { BLANK } from '../../platform/errors';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { isBlank } from '../../platform/blank';
import { createSchema, ids, list, names, reference, text, wrapped } from '../../platform/http/fields';
import { flag } from '../flag';
import { OptionType } from '../option-types/option-types.definition';
import { ProductPropertyInput, ProductPropertyJson } from '../product-properties/product-properties.schema';
import { TaxonJson } from '../taxon-tree/taxons.schema';
import { articleFields, NestedVariant, VariantJson } from '../variants/variants.schema';
import { fields } from '../../platform/http/reply-fields';
import { Product } from '../product/products.definition';
import { filterParameters } from './product-filters.schema';

export const ClassificationJson = z
  .object({ taxon_id: z.int(), position: z.int(), taxon: TaxonJson })
  .meta({ id: 'Classification' });

export type ClassificationJson = z.output<typeof ClassificationJson>;

export const ProductJson = Product.Json.extend({
  has_variants: z.boolean(),
  master: VariantJson,
  variants: z.array(VariantJson),
  option_types: z.array(OptionType.Json),
  product_properties: z.array(ProductPropertyJson),
  classifications: z.array(ClassificationJson),
  meta_title: z.string().nullable(),
  price_range: z
    .object({
      min: z.string().nullable(),
      max: z.string().nullable(),
      display_min: z.string().nullable(),
      display_max: z.string().nullable(),
    })
    .meta({
      description:
        'The lowest and highest price of the variants on sale, or of the master if there are none, in the currency of the ' +
        'store; null if there is no price.',
      examples: [{ min: '19.99', max: '24.99', display_min: '$19.99', display_max: '$24.99' }],
    }),
  in_stock: z.boolean().meta({
    description:
      'Whether a variant, or the master if there are none, can be bought now. Backorderable ones count.',
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime().meta({ description: 'Moves with every change of the product but its stock.' }),
}).meta({ id: 'Product' });

export type ProductJson = z.output<typeof ProductJson>;

/** The parameters of a body that are not fields of the definition. */
const others = {
  ...createSchema(articleFields, []).shape,
  permalink: text().optional,
  shipping_category: text().optional,
  option_type_ids: ids().optional,
  option_types: names().optional,
  variants: list(NestedVariant),
  product_properties_attributes: list(ProductPropertyInput),
};

/** A shipping category is required, by id or by name. */
const ProductAttributes = Product.Attributes.extend({
  ...others,
  shipping_category_id: reference().optional,
}).refine((product) => product.shipping_category_id != null || !isBlank(product.shipping_category), {
  path: ['shipping_category_id'],
  error: BLANK,
  // Checked together with the other fields, so that one reply reports all errors; an invalid id has its own error.
  when: ({ issues }) => !issues.some((issue) => issue.path?.[0] === 'shipping_category_id'),
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
      override: { type: 'array', items: { type: 'integer' } },
    }),
});
