import { z } from 'zod';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { integer, price, reference, text, wrapped } from '../../platform/http/fields';

/** What names no variant is as good as one that was never made: behaviour 7.1 and 7.2 have words of their own for it. */
const variant_id = reference().optional.catch(null);
const sku = text().optional;
const quantity = integer({ min: 0 }).optional;

/** A line inside an order's body: a change with `id`, otherwise an addition by variant or SKU. */
export const LineRow = z.object({
  id: reference().optional,
  variant_id,
  sku,
  quantity,
  price: forAdmins(price().optional.meta({ description: 'Ignored unless the caller is an admin.' })),
});

const attributes = z.object({ variant_id, sku, quantity, price: forAdmins(price().optional) });

export const LineItemCreate = wrapped('line_item', attributes);
export const LineItemUpdate = wrapped('line_item', attributes);

export const LINE_ITEM_ATTRIBUTES = {
  attributes: ['quantity', 'price', 'variant_id'],
  required_attributes: ['variant_id', 'quantity'],
};
