import { z } from 'zod';
import { countryReference, stateReference } from '../../geography/countries/place-fields';
import { Country } from '../../geography/countries/countries.definition';
import { State } from '../../geography/countries/states.definition';
import { describe, boolean, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { namedObject } from '../../platform/http/named-object';

export const StockLocationJson = namedObject('StockLocation', {
  id: z.int(),
  name: z.string().describe('The name of the location.'),
  admin_name: z.string().nullable().describe('A name for admins. Null without one.'),
  default: z
    .boolean()
    .describe('Stock is taken from the default location first. At most one location is the default.'),
  address1: z.string().nullable(),
  address2: z.string().nullable(),
  city: z.string().nullable(),
  state_id: z.int().nullable(),
  state_name: z.string().nullable(),
  country_id: z.int().nullable(),
  zipcode: z.string().nullable(),
  phone: z.string().nullable(),
  active: z.boolean().describe('Only active locations count for availability and shipping.'),
  backorderable_default: z.boolean().describe('Whether new stock items of the location are backorderable.'),
  propagate_all_variants: z.boolean().describe('Whether the location gets a stock item for every variant.'),
  country: Country.Json.nullable().describe('The country. Null without one.'),
  state: State.Json.nullable(),
});

export type StockLocationJson = z.output<typeof StockLocationJson>;

const fields = {
  name: describe(text(), 'The name of the location.'),
  admin_name: describe(text(), 'A name for admins. Null without one.'),
  default: describe(
    boolean(),
    'Whether stock is taken from this location first. At most one location is the default.',
  ),
  address1: text(),
  address2: text(),
  city: text(),
  state_id: stateReference,
  state_name: text(),
  country_id: countryReference,
  zipcode: text(),
  phone: text(),
  active: describe(boolean(), 'Whether the location counts for availability and shipping. Defaults to true.'),
  backorderable_default: describe(
    boolean(),
    'Whether new stock items of the location are backorderable. Defaults to false.',
  ),
  propagate_all_variants: describe(
    boolean(),
    'Whether the location gets a stock item for every variant. Defaults to true.',
  ),
};

export const StockLocationCreate = wrapped('stock_location', createSchema(fields, ['name']));
export const StockLocationUpdate = wrapped('stock_location', updateSchema(fields, ['name']));

export type StockLocationAttributes = z.output<typeof StockLocationCreate>['stock_location'];
export type StockLocationChanges = z.output<typeof StockLocationUpdate>['stock_location'];
