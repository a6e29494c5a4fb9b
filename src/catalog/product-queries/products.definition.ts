import { z } from 'zod';
import { ids, price, text as textField } from '../../platform/http/fields';
import { METADATA_DESCRIPTIONS } from '../../access/metadata';
import { jsonObject, longText, reference, text, timestamp } from '../../platform/resource/columns';
import { defineResource, type RowOf, type ValuesOf } from '../../platform/resource/definition';

/**
 * The fields of a product without its nested records, which products.schema.ts adds. Price and stock belong to the
 * master. Slugs are written by `updateSlug` only.
 */
export const Product = defineResource({
  table: 'products',
  name: 'product',
  deletion: 'soft',
  fields: {
    name: { type: text(), required: true, search: true, description: 'The name of the product.' },
    description: {
      type: longText(),
      nullable: true,
      search: true,
      description: 'The description, as text. Null without one.',
    },
    price: {
      input: price(),
      required: true,
      reply: z
        .string()
        .nullable()
        .meta({
          description: 'The price of the master in the currency of the store; null if it has none.',
          examples: ['19.99'],
        }),
      listed: true,
      description: 'The price of the master, as a decimal in the currency of the store.',
    },
    display_price: {
      reply: z
        .string()
        .nullable()
        .meta({ examples: ['$19.99'] }),
      listed: true,
    },
    available_on: {
      type: timestamp(),
      nullable: true,
      search: true,
      description: 'When the product becomes visible to shoppers; null means never.',
    },
    discontinue_on: {
      type: timestamp(),
      nullable: true,
      search: true,
      hidden: true,
      description: 'When the product stops being visible to shoppers. Null means never.',
    },
    slug: {
      input: textField(),
      reply: z.string(),
      listed: true,
      search: 'text',
      description: 'The name of the product in addresses, unique. Defaults to one made from the name.',
    },
    meta_title: { type: text(), nullable: true, hidden: true },
    meta_description: { type: longText(), nullable: true },
    meta_keywords: { type: text(), nullable: true, search: true },
    shipping_category_id: { type: reference(), required: true, search: true },
    tax_category_id: { type: reference(), nullable: true, search: true, hidden: true },
    taxon_ids: {
      input: ids(),
      reply: z.array(z.int()),
      listed: true,
      description: 'The ids of the taxons of the product, ascending. A request replaces the set.',
    },
    total_on_hand: {
      reply: z
        .int()
        .nullable()
        .describe(
          'The sum over all variants and active locations; null if inventory of a variant is not tracked.',
        ),
      listed: true,
    },
    metadata: {
      type: jsonObject(),
      default: {},
      hidden: true,
      description: METADATA_DESCRIPTIONS.metadata,
    },
    public_metadata: {
      type: jsonObject(),
      default: {},
      hidden: true,
      description: METADATA_DESCRIPTIONS.public_metadata,
    },
    created_at: { search: 'timestamp' },
    updated_at: { search: 'timestamp' },
    deleted_at: { search: 'timestamp' },
  },
});

export interface ProductRow extends RowOf<typeof Product> {
  slug: string;
  /** The currencies in which the master has a price; maintained by the database. */
  priced_in: string[];
  /** The prices of the variants on sale, or of the master, in the currency of the store; maintained by the database. */
  lowest_price: string | null;
  highest_price: string | null;
  /**
   * Increases with every change of the product and its nested records, except stock; a bigint as text. Maintained by
   * the database.
   */
  version: string;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

/** The columns of a product that a request writes, without its slug. */
export type ProductColumns = ValuesOf<typeof Product>;
