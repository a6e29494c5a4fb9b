import { z } from 'zod';
import { integer, price, reference, text } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';

/** An invalid id counts as missing, so that one error covers both. */
export const variant_id = reference().optional.catch(null);
export const sku = text().optional;
export const quantity = integer({ min: 0 }).optional;

/** A line item in the body of an order: with `id` a change, otherwise an addition by variant or SKU. */
export const LineRow = z.object({
  id: reference().optional,
  variant_id,
  sku,
  quantity,
  price: forAdmins(price().optional.meta({ description: 'Ignored unless the caller is an admin.' })),
});
