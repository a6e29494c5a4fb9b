import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const shippingMethodSearch: SearchDefinition = {
  table: 'shipping_methods',
  attributes: {
    id: 'integer',
    name: 'text',
    code: 'text',
    admin_name: 'text',
    display_on: 'text',
    calculator_type: 'text',
    tax_category_id: 'integer',
  },
  associations: {
    zones: {
      table: 'zones',
      on: (method, zone) =>
        `${zone}.id IN (SELECT zone_id FROM shipping_method_zones WHERE shipping_method_id = ${method}.id)`,
      attributes: { id: 'integer', name: 'text' },
    },
  },
  baseOrder: [],
};
