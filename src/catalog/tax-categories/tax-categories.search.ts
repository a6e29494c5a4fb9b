import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const taxCategorySearch: SearchDefinition = {
  table: 'tax_categories',
  attributes: { id: 'integer', name: 'text', description: 'text', tax_code: 'text', is_default: 'boolean' },
  baseOrder: [],
};
