import { z } from 'zod';
import { BLANK } from '../../errors/errors';
import { isBlank } from '../../platform/blank';
import {
  createSchema,
  ids,
  list,
  longText,
  names,
  price,
  reference,
  text,
  timestamp,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';
import { flag } from '../flag';
import { OptionType } from '../option-types/option-types.definition';
import { ProductPropertyInput, ProductPropertyJson } from '../product-properties/product-properties.schema';
import { TaxonJson } from '../taxons/taxons.schema';
import { articleFields, NestedVariant, VariantJson } from '../variants/variants.schema';

export const ClassificationJson = z
  .object({ taxon_id: z.int(), position: z.int(), taxon: TaxonJson })
  .meta({ id: 'Classification' });

export type ClassificationJson = z.output<typeof ClassificationJson>;

export const ProductJson = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    price: z
      .string()
      .nullable()
      .meta({
        description: "The master's, in the store's currency; null when it has no price in it.",
        examples: ['19.99'],
      }),
    display_price: z
      .string()
      .nullable()
      .meta({ examples: ['$19.99'] }),
    available_on: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Shoppers see the product from then on; null means not at all.' }),
    slug: z.string(),
    meta_description: z.string().nullable(),
    meta_keywords: z.string().nullable(),
    shipping_category_id: z.int(),
    taxon_ids: z.array(z.int()),
    total_on_hand: z.int().nullable().meta({
      description: 'The sum over all variants and active locations; null when one of them is not counted.',
    }),
    has_variants: z.boolean(),
    master: VariantJson,
    variants: z.array(VariantJson),
    option_types: z.array(OptionType.Json),
    product_properties: z.array(ProductPropertyJson),
    classifications: z.array(ClassificationJson),
  })
  .meta({ id: 'Product' });

export type ProductJson = z.output<typeof ProductJson>;

const fields = {
  name: text(),
  description: longText(),
  price: price(),
  available_on: timestamp(),
  discontinue_on: timestamp(),
  slug: text(),
  permalink: text(),
  meta_title: text(),
  meta_description: longText(),
  meta_keywords: text(),
  ...articleFields,
  shipping_category_id: reference(),
  shipping_category: text(),
  tax_category_id: reference(),
  taxon_ids: ids(),
  option_type_ids: ids(),
  option_types: names(),
};

const nestedRows = {
  variants: list(NestedVariant),
  product_properties_attributes: list(ProductPropertyInput),
};

/** The category may be named instead; so its absence is a question about two fields. */
const ProductAttributes = createSchema(fields, ['name', 'price'])
  .extend(nestedRows)
  .refine((product) => product.shipping_category_id != null || !isBlank(product.shipping_category), {
    path: ['shipping_category_id'],
    error: BLANK,
    // Asked beside other complaints, so that one reply tells of all of them; an id that is no number has its own.
    when: ({ issues }) => !issues.some((issue) => issue.path?.[0] === 'shipping_category_id'),
  });
const ProductChanges = updateSchema(fields, ['name', 'price', 'shipping_category_id']).extend(nestedRows);

export const ProductCreate = wrapped('product', ProductAttributes);
export const ProductUpdate = wrapped('product', ProductChanges);

export type ProductAttributes = z.output<typeof ProductAttributes>;
export type ProductChanges = z.output<typeof ProductChanges>;

/** As `new` tells them; the shipping category may be sent by id or by name. */
export const PRODUCT_REQUIRED = ['name', 'shipping_category', 'price'];

export const PRODUCT_ATTRIBUTES = [
  ...['id', 'name', 'description', 'price', 'display_price', 'available_on', 'slug', 'meta_description'],
  ...['meta_keywords', 'shipping_category_id', 'taxon_ids', 'total_on_hand'],
];

const show_deleted = flag('Deleted ones too. For admins; false unless told.');

export const ProductQuery = z.object({ show_deleted });

export const ProductsQuery = z.object({
  show_deleted,
  show_discontinued: flag('Discontinued ones too. For admins; false unless told.'),
  ids: z
    .unknown()
    .optional()
    .meta({
      description: 'Exactly these, as `1,2,3` or a list; `q` is then ignored.',
      override: { type: 'array', items: { type: 'integer' } },
    }),
});
