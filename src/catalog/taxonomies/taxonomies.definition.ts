import { integer, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';
import type { TaxonNest } from '../taxon-tree/taxon-nest';
import { TaxonTreeJson } from '../taxon-tree/taxons.schema';
import { serializeTaxonTree } from '../taxon-tree/taxons.serializer';

/** A tree of taxons, by which customers browse products. */
export const Taxonomy = defineResource({
  table: 'taxonomies',
  name: 'taxonomy',
  schema: 'Taxonomy',
  deletion: 'hard',
  fields: {
    name: {
      type: text(),
      required: true,
      search: true,
      description: 'The name of the taxonomy and of its root taxon.',
    },
    position: { type: integer(), generated: true, hidden: true, search: true },
    root: {
      reply: TaxonTreeJson.describe(
        'The root with its direct children, or with all descendants if `set=nested`.',
      ),
    },
  },
  search: {
    associations: {
      root: {
        table: 'taxons',
        on: (taxonomy, root) => `${root}.taxonomy_id = ${taxonomy}.id AND ${root}.parent_id IS NULL`,
        attributes: { name: 'text', permalink: 'text' },
      },
    },
    baseOrder: ['taxonomies.name ASC'],
  },
});

export type TaxonomyRow = RowOf<typeof Taxonomy>;
export type TaxonomyJson = JsonOf<typeof Taxonomy>;

/** A taxonomy with its root and the requested levels of its tree. */
export interface TaxonomyGraph extends TaxonomyRow {
  root: TaxonNest;
}

export function serializeTaxonomy(taxonomy: TaxonomyGraph): TaxonomyJson {
  return Taxonomy.serialize(taxonomy, { root: serializeTaxonTree(taxonomy.root) });
}
