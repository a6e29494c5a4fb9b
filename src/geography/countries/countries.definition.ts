import { z } from 'zod';
import { boolean, integer, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';
import { State, type StateRow } from './states.definition';

/** A country. The API only reads countries; a seed writes them. */
export const Country = defineResource({
  table: 'countries',
  name: 'country',
  schema: 'Country',
  deletion: 'hard',
  fields: {
    iso_name: { type: text(), generated: true, search: true },
    iso: { type: text(), generated: true, search: true },
    iso3: { type: text(), generated: true, search: true },
    name: { type: text(), generated: true, search: true, description: 'The name, in English.' },
    numcode: { type: integer(), generated: true, search: true },
    states_required: {
      type: boolean(),
      generated: true,
      description: 'Whether addresses in this country require a state.',
    },
  },
  search: {
    associations: {
      states: {
        table: 'states',
        on: (country, state) => `${state}.country_id = ${country}.id`,
        attributes: { name: 'text' },
      },
    },
    baseOrder: ['countries.name ASC'],
  },
});

export type CountryRow = RowOf<typeof Country>;
export type CountryJson = JsonOf<typeof Country>;

/** The reply for a single country, with its states by name. */
export const CountryWithStatesJson = Country.Json.extend({
  states: z.array(State.Json).describe('The states of the country, by name.'),
}).meta({
  id: 'CountryWithStates',
});

export function serializeCountryWithStates(
  country: CountryRow,
  states: readonly StateRow[],
): z.output<typeof CountryWithStatesJson> {
  return { ...Country.serialize(country), states: states.map((state) => State.serialize(state)) };
}
