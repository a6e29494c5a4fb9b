import { z } from 'zod';
import { ADDRESS_CELLS } from '../../accounts/users/customer-rows';
import { vatId } from '../../accounts/vat-id';
import { email, text } from '../../platform/http/fields';

const line = text({ trim: true }).optional;

/** The columns of an address. Countries are ISO 3166-1 codes of two letters, states codes or names. */
export const addressCells = (kind: 'bill' | 'ship') =>
  Object.fromEntries(ADDRESS_CELLS.map((name) => [`${kind}_${name}`, line]));

/** A row of a file of kind `customers`. */
export const CustomerCells = z.object({
  ...addressCells('bill'),
  ...addressCells('ship'),
  email: email().required,
  vat_id: vatId,
});
