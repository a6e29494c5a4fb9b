import { z } from 'zod';
import { metadataInput } from '../../access/metadata';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { price } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { currency, quantity, sku, variant_id } from '../order-input/line-row.schema';

const attributes = z.object({
  variant_id: variant_id.describe('The id of the variant. Alternative to `sku`.'),
  sku: sku.describe('The SKU of the variant. Alternative to `variant_id`.'),
  quantity: quantity.describe('The number of units. Defaults to 1; an update with 0 removes the line item.'),
  currency,
  price: forAdmins(
    price().optional.describe(
      'The price of one unit, as a decimal. Defaults to the price of the variant. Ignored unless the caller is an admin.',
    ),
  ),
  ...metadataInput,
});

export const LineItemCreate = wrapped('line_item', attributes);
export const LineItemUpdate = wrapped('line_item', attributes);

export const LINE_ITEM_ATTRIBUTES = {
  attributes: ['quantity', 'price', 'variant_id'],
  required_attributes: ['variant_id', 'quantity'],
};
