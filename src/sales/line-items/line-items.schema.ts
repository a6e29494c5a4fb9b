import { z } from 'zod';
import {
  createSchema,
  integer,
  price,
  reference,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';

/** A line inside an order's body: a change with `id`, otherwise an addition by variant or SKU. */
export const LineRow = z.object({
  id: reference().optional,
  variant_id: reference("can't be blank").optional,
  sku: text().optional,
  quantity: integer({ min: 0 }).optional,
  price: price().optional.meta({ description: 'Heeded for admins only.' }),
});

const fields = {
  variant_id: reference("can't be blank"),
  sku: text(),
  quantity: integer({ min: 0 }),
  price: price(),
};

export const LineItemCreate = wrapped('line_item', createSchema(fields, []));
export const LineItemUpdate = wrapped('line_item', updateSchema(fields, []));

export const LINE_ITEM_ATTRIBUTES = {
  attributes: ['quantity', 'price', 'variant_id'],
  required_attributes: ['variant_id', 'quantity'],
};
