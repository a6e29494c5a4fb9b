import { z } from 'zod';
import { decimalNumber, price, reference, text } from '../../platform/http/fields';
import { currencyCode } from '../../platform/csv/cells';

/** A row of POST /bulk/prices, and of a file of kind `prices`. */
export const PriceRow = z.object({
  sku: text().optional.describe('The SKU of the variant.'),
  variant_id: reference().optional.describe('The variant, if `sku` is blank.'),
  price: price().required.describe('In `currency`, with up to two decimals.'),
  cost_price: decimalNumber({ min: '0' }).optional.describe('Missing leaves it unchanged; null clears it.'),
  currency: currencyCode.describe('Defaults to the currency of the store.'),
});

export type PriceRow = z.output<typeof PriceRow>;
