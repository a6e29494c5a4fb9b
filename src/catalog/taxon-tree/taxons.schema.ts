import { z } from 'zod';
import { describe, integer, longText, reference, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { namedObject } from '../../platform/http/named-object';

const taxonFields = {
  id: z.int(),
  name: z.string().describe('The name of the taxon.'),
  pretty_name: z.string().describe('The names from the root to this taxon.'),
  permalink: z
    .string()
    .describe('The path of the taxon in addresses, from the root: `categories/bags`. Unique.'),
  parent_id: z.int().nullable().describe('Null for the root of a taxonomy.'),
  taxonomy_id: z.int(),
  meta_title: z.string().nullable(),
  meta_description: z.string().nullable(),
};

/** A taxon without children. */
export const TaxonFieldsJson = z.object(taxonFields).meta({ id: 'TaxonFields' });

export type TaxonFieldsJson = z.output<typeof TaxonFieldsJson>;

/** A taxon with its direct children, for single taxons and inside products. */
export const TaxonJson = z
  .object({
    ...taxonFields,
    taxons: z.array(TaxonFieldsJson).describe('The direct children, in tree order.'),
  })
  .meta({ id: 'Taxon', description: 'A taxon with its direct children.' });

export type TaxonJson = z.output<typeof TaxonJson>;

/** A taxon with the path to it. */
export const TaxonWithAncestorsJson = TaxonJson.extend({
  ancestors: z
    .array(z.object({ id: z.int(), name: z.string(), permalink: z.string() }))
    .describe('From the root to the parent, for breadcrumbs.'),
}).meta({ id: 'TaxonWithAncestors', description: 'A taxon with its direct children and its ancestors.' });

export type TaxonWithAncestorsJson = z.output<typeof TaxonWithAncestorsJson>;

/** A taxon in a list: with all descendants, or without `taxons` if `without_children` is true. */
export type TaxonTreeJson = TaxonFieldsJson & { taxons?: TaxonTreeJson[] | undefined };

export const TaxonTreeJson: z.ZodType<TaxonTreeJson> = z
  .object({
    ...taxonFields,
    get taxons() {
      return z
        .array(TaxonTreeJson)
        .optional()
        .describe('The children, in tree order. Omitted if `without_children` is true.');
    },
  })
  .meta({ id: 'TaxonTree', description: 'A taxon with its children, their children and so on.' });

/** A node in the format of the jsTree editor. */
export const JstreeNodeJson = namedObject('JstreeNode', {
  data: z.string().describe("The taxon's name."),
  attr: z
    .object({ id: z.int(), name: z.string().describe('The name of the taxon.') })
    .describe('The attributes of the node in the tree editor.'),
  state: z
    .literal('closed')
    .describe('Whether the node is open. Constant: the editor loads the children when it opens a node.'),
});

export type JstreeNodeJson = z.output<typeof JstreeNodeJson>;

const fields = {
  name: describe(text(), 'The name of the taxon.'),
  parent_id: describe(reference(), 'The id of the parent. Defaults to the root of the taxonomy.'),
  child_index: describe(integer(), 'The position among the siblings, from 0. Defaults to the last.'),
  position: describe(integer(), 'Same as `child_index`.'),
  permalink: describe(
    text({ max: 2_000 }),
    'The last part of the path of the taxon. Defaults to one made from the name.',
  ),
  description: describe(longText(), 'A description of the taxon.'),
  meta_title: text(),
  meta_description: longText(),
  meta_keywords: text(),
};

export const TAXON_REQUIRED = ['name'] as const;

/** `child_index` and, as a synonym, `position` are 0-based among the siblings. */
export const TaxonCreate = wrapped('taxon', createSchema(fields, TAXON_REQUIRED));
export const TaxonUpdate = wrapped('taxon', updateSchema(fields, TAXON_REQUIRED));

export type TaxonAttributes = z.output<typeof TaxonCreate>['taxon'];
export type TaxonChanges = z.output<typeof TaxonUpdate>['taxon'];
