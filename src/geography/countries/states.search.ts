import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const stateSearch: SearchDefinition = {
  table: 'states',
  attributes: { id: 'integer', name: 'text', abbr: 'text', country_id: 'integer' },
  associations: {
    country: {
      table: 'countries',
      on: (state, country) => `${country}.id = ${state}.country_id`,
      attributes: { name: 'text', iso: 'text' },
    },
  },
  baseOrder: ['states.name ASC'],
};
