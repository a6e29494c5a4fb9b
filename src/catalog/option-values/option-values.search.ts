import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const optionValueSearch: SearchDefinition = {
  table: 'option_values',
  attributes: {
    id: 'integer',
    name: 'text',
    presentation: 'text',
    position: 'integer',
    option_type_id: 'integer',
  },
  associations: {
    option_type: {
      table: 'option_types',
      on: (value, type) => `${type}.id = ${value}.option_type_id`,
      attributes: { name: 'text', presentation: 'text' },
    },
  },
  baseOrder: ['option_values.position ASC'],
};
