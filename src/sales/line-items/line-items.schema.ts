import { z } from 'zod';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { price, wrapped } from '../../platform/http/fields';
import { variant_id, sku, quantity } from '../order-input/line-row.schema';

const attributes = z.object({ variant_id, sku, quantity, price: forAdmins(price().optional) });

export const LineItemCreate = wrapped('line_item', attributes);
export const LineItemUpdate = wrapped('line_item', attributes);

export const LINE_ITEM_ATTRIBUTES = {
  attributes: ['quantity', 'price', 'variant_id'],
  required_attributes: ['variant_id', 'quantity'],
};
