import { z } from 'zod';
import { namedObject } from '../../platform/http/named-object';
import type { JsonOf } from '../../platform/resource/definition';
import { Taxon } from './taxons.definition';

/** A taxon with its direct children, for single taxons and inside products. */
export const TaxonJson = Taxon.Json.extend({
  taxons: z.array(Taxon.Json).describe('The direct children, in tree order.'),
}).meta({ id: 'Taxon', description: 'A taxon with its direct children.' });

export type TaxonJson = z.output<typeof TaxonJson>;

/** A taxon with the path to it. */
export const TaxonWithAncestorsJson = TaxonJson.extend({
  ancestors: z
    .array(z.object({ id: z.int(), name: z.string(), permalink: z.string() }))
    .describe('From the root to the parent, for breadcrumbs.'),
}).meta({ id: 'TaxonWithAncestors', description: 'A taxon with its direct children and its ancestors.' });

export type TaxonWithAncestorsJson = z.output<typeof TaxonWithAncestorsJson>;

/** A taxon in a list: with all descendants, or without `taxons` if `without_children` is true. */
export type TaxonTreeJson = JsonOf<typeof Taxon> & { taxons?: TaxonTreeJson[] | undefined };

export const TaxonTreeJson: z.ZodType<TaxonTreeJson> = z
  .object({
    ...Taxon.Json.shape,
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
