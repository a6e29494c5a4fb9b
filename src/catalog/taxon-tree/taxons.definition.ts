import { z } from 'zod';
import * as fields from '../../platform/http/fields';
import { integer, longText, reference, text } from '../../platform/resource/columns';
import {
  defineResource,
  type AttributesOf,
  type ChangesOf,
  type RowOf,
} from '../../platform/resource/definition';

/**
 * A taxon without its children. Its place in the tree is calculated: requests name the parent and the position among the
 * siblings, of which `child_index` is another name.
 */
export const Taxon = defineResource({
  table: 'taxons',
  name: 'taxon',
  schema: 'TaxonFields',
  deletion: 'hard',
  fields: {
    name: { type: text(), required: true, search: true, description: 'The name of the taxon.' },
    pretty_name: {
      type: text(),
      generated: true,
      description: 'The names from the root to this taxon.',
    },
    permalink: {
      type: text({ max: 2_000 }),
      assigned: true,
      search: true,
      reply: z
        .string()
        .describe('The path of the taxon in addresses, from the root: `categories/bags`. Unique.'),
      description: 'The last part of the path of the taxon. Defaults to one made from the name.',
    },
    parent_id: {
      type: reference(),
      nullable: true,
      search: true,
      reply: z.int().describe('Null for the root of a taxonomy.'),
      description: 'The id of the parent. Defaults to the root of the taxonomy.',
    },
    taxonomy_id: { type: reference(), generated: true, search: true },
    child_index: {
      input: fields.integer(),
      description: 'The position among the siblings, from 0. Defaults to the last.',
    },
    position: { input: fields.integer(), description: 'Same as `child_index`.' },
    description: { input: fields.longText(), description: 'A description of the taxon.' },
    meta_title: { type: text(), nullable: true },
    meta_description: { type: longText(), nullable: true },
    meta_keywords: { input: fields.text() },
    /** Nested set numbers. */
    lft: { type: integer(), generated: true, hidden: true },
    rgt: { type: integer(), generated: true, hidden: true },
    depth: { type: integer(), generated: true, hidden: true },
  },
  search: {
    attributes: {
      // 0-based among the siblings, like `child_index`.
      position: {
        type: 'integer',
        sql: (taxon) =>
          `(SELECT count(*) FROM taxons AS elder WHERE elder.parent_id = ${taxon}.parent_id AND elder.lft < ${taxon}.lft)`,
      },
    },
    associations: {
      taxonomy: {
        table: 'taxonomies',
        on: (taxon, taxonomy) => `${taxonomy}.id = ${taxon}.taxonomy_id`,
        attributes: { name: 'text' },
      },
    },
    baseOrder: ['taxons.taxonomy_id ASC', 'taxons.lft ASC'],
  },
});

export type TaxonRow = RowOf<typeof Taxon>;
export type TaxonAttributes = AttributesOf<typeof Taxon>;
export type TaxonChanges = ChangesOf<typeof Taxon>;
