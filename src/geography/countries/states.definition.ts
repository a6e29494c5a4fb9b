import { reference, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** A state of a country. The API only reads states; a seed writes them. */
export const State = defineResource({
  table: 'states',
  name: 'state',
  schema: 'State',
  deletion: 'hard',
  fields: {
    name: { type: text(), generated: true, search: true, description: 'The name of the state or province.' },
    abbr: { type: text(), generated: true, search: true },
    country_id: { type: reference(), generated: true, search: true },
  },
  search: {
    associations: {
      country: {
        table: 'countries',
        on: (state, country) => `${country}.id = ${state}.country_id`,
        attributes: { name: 'text', iso: 'text' },
      },
    },
    baseOrder: ['states.name ASC'],
  },
});

export type StateRow = RowOf<typeof State>;
export type StateJson = JsonOf<typeof State>;
