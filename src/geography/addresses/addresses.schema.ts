import { z } from 'zod';
import { reference, text } from '../../platform/http/fields';
import { isRecord } from '../../platform/parameters';
import { Country } from '../countries/countries.definition';
import { State } from '../countries/states.definition';
import { countryReference, stateReference } from '../countries/place-fields';
import { namedObject } from '../../platform/http/named-object';

export const AddressJson = namedObject('Address', {
  id: z.int(),
  firstname: z.string(),
  lastname: z.string(),
  full_name: z.string().describe('The first name and the last name.'),
  address1: z.string(),
  address2: z.string().nullable(),
  city: z.string(),
  zipcode: z.string(),
  phone: z.string(),
  company: z.string().nullable(),
  alternative_phone: z.string().nullable(),
  country_id: z.int(),
  state_id: z.int().nullable(),
  state_name: z.string().nullable().describe('The name of a state that the store does not know.'),
  state_text: z
    .string()
    .nullable()
    .describe("The state's abbreviation, or else its name, or else the entered name."),
  country: Country.Json,
  state: State.Json.nullable(),
});

export type AddressJson = z.output<typeof AddressJson>;

const line = text({ trim: true }).optional;

/** A record that may also be sent as its `name`. */
function named<S extends z.ZodType>(record: S, description: string) {
  const read = (raw: unknown): unknown => {
    const isName = typeof raw === 'string' && raw.trim() !== '';
    return isRecord(raw) ? raw : isName ? { name: raw } : undefined;
  };
  return z
    .preprocess(read, record.optional())
    .optional()
    .meta({ description, override: { type: ['object', 'string'] } });
}

/**
 * An address in a request, alone or as `bill_address_attributes`. The schema has no required fields: `resolveAddress`
 * reports all missing and invalid fields at once.
 */
export const AddressInput = namedObject('AddressAttributes', {
  id: reference().optional.describe('The id of an existing address to update.'),
  firstname: line,
  lastname: line,
  first_name: line.describe('Same as `firstname`.'),
  last_name: line.describe('Same as `lastname`.'),
  address1: line,
  address2: line,
  city: line,
  zipcode: line,
  phone: line,
  company: line,
  alternative_phone: line,
  country_id: countryReference.optional,
  state_id: stateReference.optional,
  state_name: line,
  country: named(
    z.object({
      iso: line,
      iso3: line,
      name: line.describe('The name of the country, or its code.'),
      iso_name: line,
    }),
    'The country, also as its code or name (`"US"`); alternative to `country_id`.',
  ),
  state: named(
    z.object({ name: line.describe('The name of the state.'), abbr: line }),
    'The state, also as its abbreviation or name (`"ME"`); alternative to `state_id`.',
  ),
});

export type AddressInput = z.output<typeof AddressInput>;
