import type { TaxonomyJson } from '../../src/catalog/taxonomies/taxonomies.definition';
import type { JstreeNodeJson, TaxonJson, TaxonTreeJson } from '../../src/catalog/taxon-tree/taxons.schema';
import type { ResourceExamples } from './resource-examples';

const taxonFields = {
  id: 10,
  name: 'Bags',
  pretty_name: 'Categories -> Bags',
  permalink: 'categories/bags',
  parent_id: 1,
  taxonomy_id: 1,
  meta_title: null,
  meta_description: null,
};

const backpacks = {
  ...taxonFields,
  id: 12,
  name: 'Backpacks',
  pretty_name: 'Categories -> Bags -> Backpacks',
  permalink: 'categories/bags/backpacks',
  parent_id: 10,
};

export const taxon: TaxonJson = { ...taxonFields, taxons: [backpacks] };

export const taxonTree: TaxonTreeJson = { ...taxonFields, taxons: [{ ...backpacks, taxons: [] }] };

export const taxonomy: TaxonomyJson = {
  id: 1,
  name: 'Categories',
  root: {
    ...taxonFields,
    id: 1,
    name: 'Categories',
    pretty_name: 'Categories',
    permalink: 'categories',
    parent_id: null,
    taxons: [taxonFields],
  },
};

export const jstreeNode: JstreeNodeJson = {
  data: 'Bags',
  attr: { id: 10, name: 'Bags' },
  state: 'closed',
};

export const taxonsExamples: ResourceExamples = {
  replies: {
    Taxonomy: taxonomy,
    Taxon: taxon,
    TaxonTree: taxonTree,
    JstreeNode: jstreeNode,
  },
  requests: {
    'post /taxonomies': { taxonomy: { name: 'Brands' } },
    'put /taxonomies/:id': { taxonomy: { name: 'Makers' } },
    'post /taxonomies/:taxonomy_id/taxons': { taxon: { name: 'Totes', parent_id: 10 } },
    'put /taxonomies/:taxonomy_id/taxons/:id': { taxon: { parent_id: 4, child_index: 0 } },
    'put /classifications': { product_id: 12, taxon_id: 15, position: 0 },
  },
  parameters: {
    places: {
      '/taxonomies/:id': 1,
      '/taxonomies/:taxonomy_id': 1,
      '/taxonomies/:taxonomy_id/taxons/:id': 10,
      '/taxons/by_permalink/:permalink': 'categories/clothing',
    },
    queries: {
      'get /taxons/products': { id: 15 },
    },
  },
};
