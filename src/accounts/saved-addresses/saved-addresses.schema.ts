import { z } from 'zod';
import { AddressInput, AddressJson } from '../../geography/addresses/addresses.schema';
import { boolean } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';

export const SavedAddressJson = AddressJson.extend({
  default_bill: z.boolean().describe('Whether new orders are billed to it.'),
  default_ship: z.boolean().describe('Whether new orders are shipped to it.'),
}).meta({ id: 'SavedAddress' });

export type SavedAddressJson = z.output<typeof SavedAddressJson>;

const defaults = {
  default_bill: boolean().optional.describe('Replaces the default address for bills.'),
  default_ship: boolean().optional.describe('Replaces the default address for shipments.'),
};

export const SavedAddressInput = wrapped('address', AddressInput.omit({ id: true }).extend(defaults));

export type SavedAddressAttributes = z.output<typeof SavedAddressInput>['address'];
