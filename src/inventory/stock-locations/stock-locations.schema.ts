import { z } from 'zod';
import { Country } from '../../geography/countries/countries.definition';
import { State } from '../../geography/countries/states.definition';
import { boolean, createSchema, reference, text, updateSchema, wrapped } from '../../platform/http/fields';

export const StockLocationJson = z
  .object({
    id: z.int(),
    name: z.string(),
    admin_name: z.string().nullable(),
    default: z.boolean().meta({
      description: 'Stock is taken from the default location first. At most one location is the default.',
    }),
    address1: z.string().nullable(),
    address2: z.string().nullable(),
    city: z.string().nullable(),
    state_id: z.int().nullable(),
    state_name: z.string().nullable(),
    country_id: z.int().nullable(),
    zipcode: z.string().nullable(),
    phone: z.string().nullable(),
    active: z.boolean().meta({ description: 'Only active locations count for availability and shipping.' }),
    backorderable_default: z
      .boolean()
      .meta({ description: 'Whether new stock items of the location are backorderable.' }),
    propagate_all_variants: z
      .boolean()
      .meta({ description: 'Whether the location gets a stock item for every variant.' }),
    country: Country.Json.nullable(),
    state: State.Json.nullable(),
  })
  .meta({ id: 'StockLocation' });

export type StockLocationJson = z.output<typeof StockLocationJson>;

const fields = {
  name: text(),
  admin_name: text(),
  default: boolean(),
  address1: text(),
  address2: text(),
  city: text(),
  state_id: reference(),
  state_name: text(),
  country_id: reference(),
  zipcode: text(),
  phone: text(),
  active: boolean(),
  backorderable_default: boolean(),
  propagate_all_variants: boolean(),
};

export const StockLocationCreate = wrapped('stock_location', createSchema(fields, ['name']));
export const StockLocationUpdate = wrapped('stock_location', updateSchema(fields, ['name']));

export type StockLocationAttributes = z.output<typeof StockLocationCreate>['stock_location'];
export type StockLocationChanges = z.output<typeof StockLocationUpdate>['stock_location'];
