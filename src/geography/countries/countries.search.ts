import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const countrySearch: SearchDefinition = {
  table: 'countries',
  attributes: {
    id: 'integer',
    name: 'text',
    iso_name: 'text',
    iso: 'text',
    iso3: 'text',
    numcode: 'integer',
  },
  associations: {
    states: {
      table: 'states',
      on: (country, state) => `${state}.country_id = ${country}.id`,
      attributes: { name: 'text' },
    },
  },
  baseOrder: ['countries.name ASC'],
};
