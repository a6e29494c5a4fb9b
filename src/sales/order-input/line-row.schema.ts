import { z } from 'zod';
import { integer, price, reference, text } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';

/** What names no variant is as good as one that was never made: behaviour 7.1 and 7.2 have words of their own for it. */
export const variant_id = reference().optional.catch(null);
export const sku = text().optional;
export const quantity = integer({ min: 0 }).optional;

/** A line inside an order's body: a change with `id`, otherwise an addition by variant or SKU. */
export const LineRow = z.object({
  id: reference().optional,
  variant_id,
  sku,
  quantity,
  price: forAdmins(price().optional.meta({ description: 'Ignored unless the caller is an admin.' })),
});
