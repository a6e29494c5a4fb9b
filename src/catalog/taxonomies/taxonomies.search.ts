import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const taxonomySearch: SearchDefinition = {
  table: 'taxonomies',
  attributes: { id: 'integer', name: 'text', position: 'integer' },
  associations: {
    root: {
      table: 'taxons',
      on: (taxonomy, root) => `${root}.taxonomy_id = ${taxonomy}.id AND ${root}.parent_id IS NULL`,
      attributes: { name: 'text', permalink: 'text' },
    },
  },
  baseOrder: ['taxonomies.name ASC'],
};
