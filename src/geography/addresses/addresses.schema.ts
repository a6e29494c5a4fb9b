import { z } from 'zod';
import { nested, reference, text } from '../../platform/http/fields';
import { CountryJson } from '../countries/countries.schema';
import { StateJson } from '../states/states.schema';

export const AddressJson = z
  .object({
    id: z.int(),
    firstname: z.string(),
    lastname: z.string(),
    full_name: z.string(),
    address1: z.string(),
    address2: z.string().nullable(),
    city: z.string(),
    zipcode: z.string(),
    phone: z.string(),
    company: z.string().nullable(),
    alternative_phone: z.string().nullable(),
    country_id: z.int(),
    state_id: z.int().nullable(),
    state_name: z.string().nullable().meta({ description: 'A state the store has no record of.' }),
    state_text: z
      .string()
      .nullable()
      .meta({ description: "The state's abbreviation, else its name, else what was typed." }),
    country: CountryJson,
    state: StateJson.nullable(),
  })
  .meta({ id: 'Address' });

export type AddressJson = z.output<typeof AddressJson>;

const line = text({ trim: true }).optional;

/**
 * An address as clients send it, alone or as `bill_address_attributes`. Nothing is required here: what is missing, and
 * whether country and state fit, is told by `resolveAddress`, all at once.
 */
export const AddressInput = z
  .object({
    id: reference().optional.meta({ description: 'Of an address that is already there, to change it.' }),
    firstname: line,
    lastname: line,
    first_name: line.meta({ description: 'The same as `firstname`.' }),
    last_name: line.meta({ description: 'The same as `lastname`.' }),
    address1: line,
    address2: line,
    city: line,
    zipcode: line,
    phone: line,
    company: line,
    alternative_phone: line,
    country_id: reference().optional,
    state_id: reference().optional,
    state_name: line,
    country: nested(z.object({ iso: line, iso3: line, name: line, iso_name: line })).meta({
      description: 'Names the country in place of `country_id`.',
    }),
    state: nested(z.object({ name: line, abbr: line })).meta({
      description: 'Names the state in place of `state_id`.',
    }),
  })
  .meta({ id: 'AddressAttributes' });

export type AddressInput = z.output<typeof AddressInput>;
