import { z } from 'zod';
import { boolean, integer, reference, text } from '../../platform/http/fields';
import { flagCell } from '../../platform/csv/cells';

const fields = {
  sku: text().optional.describe('The SKU of the variant.'),
  variant_id: reference().optional.describe('The variant, if `sku` is blank.'),
  stock_location: text().optional.describe(
    'The name of the stock location. May be missing if there is only one.',
  ),
  stock_location_id: reference().optional.describe(
    'The stock location, if `stock_location` is blank or several have its name.',
  ),
  count_on_hand: integer().optional.describe('The new count. Excludes `adjust`.'),
  adjust: integer().optional.describe('Is added to the count. Excludes `count_on_hand`.'),
  counted: integer({ min: 0 }).optional.describe(
    'The units at the location, including those sold and not shipped, which are subtracted from the new count. Excludes `count_on_hand` and `adjust`.',
  ),
};

const backorderable = boolean().optional.describe(
  'Missing leaves it unchanged; a new stock item is then not backorderable.',
);

/** A row of POST /bulk/stock. */
export const StockRow = z.object({ ...fields, backorderable });

export type StockRow = Partial<z.output<typeof StockRow>>;

/** A row of a file of kind `stock`. */
export const StockCells = z.object({ ...fields, backorderable: flagCell });
