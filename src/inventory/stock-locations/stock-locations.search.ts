import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const stockLocationSearch: SearchDefinition = {
  table: 'stock_locations',
  attributes: {
    id: 'integer',
    name: 'text',
    active: 'boolean',
    city: 'text',
    zipcode: 'text',
    country_id: 'integer',
    state_id: 'integer',
  },
  baseOrder: ['stock_locations.name ASC'],
};
