import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const shippingCategorySearch: SearchDefinition = {
  table: 'shipping_categories',
  attributes: { id: 'integer', name: 'text' },
  baseOrder: [],
};
