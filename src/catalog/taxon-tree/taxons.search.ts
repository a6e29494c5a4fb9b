import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const taxonSearch: SearchDefinition = {
  table: 'taxons',
  attributes: {
    id: 'integer',
    name: 'text',
    permalink: 'text',
    parent_id: 'integer',
    taxonomy_id: 'integer',
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
};
