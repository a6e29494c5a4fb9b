import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const propertySearch: SearchDefinition = {
  table: 'properties',
  attributes: { id: 'integer', name: 'text', presentation: 'text' },
  baseOrder: [],
};
