import { choice, integer, reference, timestamp } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { z } from 'zod';
import { productSearch } from '../product-queries/products.search';

/** Why a product is shown beside another one. */
export const RELATION_KINDS = ['related', 'up_sell', 'accessory', 'replacement'] as const;

const POSITION = 'The position among the relations of the product, from 1.';

/** A product that the page of another one shows. */
export const Relation = defineResource({
  table: 'product_relations',
  name: 'relation',
  schema: 'Relation',
  deletion: 'hard',
  fields: {
    product_id: {
      type: reference(),
      internal: true,
      description: 'The product whose page shows the other one.',
    },
    related_id: {
      type: reference(),
      required: true,
      search: true,
      description: 'The id of the other product.',
    },
    kind: {
      type: choice(RELATION_KINDS),
      required: true,
      search: true,
      description: 'Why the other product is shown.',
    },
    position: {
      type: integer({ min: 1 }),
      assigned: true,
      search: true,
      reply: z.int().describe(POSITION),
      description: `${POSITION} Defaults to the last.`,
    },
    created_at: { type: timestamp(), generated: true, unlisted: true, search: true },
    updated_at: { type: timestamp(), generated: true, unlisted: true, search: true },
  },
  search: { baseOrder: ['product_relations.position ASC'] },
});

export type RelationRow = RowOf<typeof Relation>;
export type RelationJson = JsonOf<typeof Relation>;

/** The related products of one product, by the position of their first relation. */
export const relatedProductSearch: SearchDefinition = {
  ...productSearch,
  baseOrder: ['related.position ASC'],
};
