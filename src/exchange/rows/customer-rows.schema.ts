import { z } from 'zod';
import { email, text } from '../../platform/http/fields';

const line = text({ trim: true }).optional;

/** The columns of an address. Countries are ISO 3166-1 codes of two letters, states codes or names. */
export const addressCells = (kind: 'bill' | 'ship') => ({
  [`${kind}_firstname`]: line,
  [`${kind}_lastname`]: line,
  [`${kind}_company`]: line,
  [`${kind}_address1`]: line,
  [`${kind}_address2`]: line,
  [`${kind}_city`]: line,
  [`${kind}_zipcode`]: line,
  [`${kind}_phone`]: line,
  [`${kind}_alternative_phone`]: line,
  [`${kind}_state`]: line,
  [`${kind}_country`]: line,
});

/** A row of a file of kind `customers`. */
export const CustomerCells = z.object({
  ...addressCells('bill'),
  ...addressCells('ship'),
  email: email().required,
});
