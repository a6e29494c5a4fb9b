import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const optionTypeSearch: SearchDefinition = {
  table: 'option_types',
  attributes: { id: 'integer', name: 'text', presentation: 'text', position: 'integer' },
  associations: {
    option_values: {
      table: 'option_values',
      on: (type, value) => `${value}.option_type_id = ${type}.id`,
      attributes: { name: 'text' },
    },
  },
  baseOrder: ['option_types.position ASC'],
};
