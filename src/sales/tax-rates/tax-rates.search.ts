import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const taxRateSearch: SearchDefinition = {
  table: 'tax_rates',
  attributes: {
    id: 'integer',
    name: 'text',
    amount: 'decimal',
    zone_id: 'integer',
    tax_category_id: 'integer',
    included_in_price: 'boolean',
  },
  associations: {
    zone: {
      table: 'zones',
      on: (rate, zone) => `${zone}.id = ${rate}.zone_id`,
      attributes: { name: 'text' },
    },
    tax_category: {
      table: 'tax_categories',
      on: (rate, category) => `${category}.id = ${rate}.tax_category_id`,
      attributes: { name: 'text' },
    },
  },
  baseOrder: [],
};
