import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const productPropertySearch: SearchDefinition = {
  table: 'product_properties',
  attributes: { id: 'integer', value: 'text', position: 'integer', property_id: 'integer' },
  associations: {
    property: {
      table: 'properties',
      on: (value, property) => `${property}.id = ${value}.property_id`,
      attributes: { name: 'text', presentation: 'text' },
    },
  },
  baseOrder: ['product_properties.position ASC'],
};
