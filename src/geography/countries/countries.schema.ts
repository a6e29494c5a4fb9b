import { z } from 'zod';
import { StateJson } from './states.schema';

export const CountryJson = z
  .object({
    id: z.int(),
    iso_name: z.string(),
    iso: z.string(),
    iso3: z.string(),
    name: z.string(),
    numcode: z.int(),
    states_required: z.boolean().meta({ description: 'Whether addresses in this country require a state.' }),
  })
  .meta({ id: 'Country' });

/** The reply for a single country, with its states by name. */
export const CountryWithStatesJson = CountryJson.extend({ states: z.array(StateJson) }).meta({
  id: 'CountryWithStates',
});

export type CountryJson = z.output<typeof CountryJson>;
export type CountryWithStatesJson = z.output<typeof CountryWithStatesJson>;
