import { z } from 'zod';
import { metadataInput } from '../../access/metadata';
import { integer, price, reference, text } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';

/** An invalid id counts as missing, so that one error covers both. */
export const variant_id = reference().optional.catch(null);
export const sku = text().optional;
export const quantity = integer({ min: 0 }).optional;
export const currency = text().optional.describe(
  'The currency in which the client shows the line item. It must be that of the order.',
);

/** A line item in the body of an order: with `id` a change, otherwise an addition by variant or SKU. */
export const LineRow = z.object({
  id: reference().optional,
  variant_id: variant_id.describe('The id of the variant. Alternative to `sku`.'),
  sku: sku.describe('The SKU of the variant. Alternative to `variant_id`.'),
  quantity: quantity.describe('The number of units. Defaults to 1; 0 removes the line item.'),
  currency,
  price: forAdmins(price().optional.describe('Ignored unless the caller is an admin.')),
  ...metadataInput,
});
