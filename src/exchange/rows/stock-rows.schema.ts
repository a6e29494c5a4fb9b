import { z } from 'zod';
import { boolean, integer, reference, text } from '../../platform/http/fields';
import { flagCell } from './row-fields';

const fields = {
  sku: text().optional.meta({ description: 'The SKU of the variant.' }),
  variant_id: reference().optional.meta({ description: 'The variant, if `sku` is blank.' }),
  stock_location: text().optional.meta({
    description: 'The name of the stock location. May be missing if there is only one.',
  }),
  stock_location_id: reference().optional.meta({
    description: 'The stock location, if `stock_location` is blank or several have its name.',
  }),
  count_on_hand: integer().optional.meta({ description: 'The new count. Excludes `adjust`.' }),
  adjust: integer().optional.meta({ description: 'Is added to the count. Excludes `count_on_hand`.' }),
  counted: integer({ min: 0 }).optional.meta({
    description:
      'What lies in the location, sold units included: the count becomes this less what is sold and not shipped. Excludes `count_on_hand` and `adjust`.',
  }),
};

const backorderable = boolean().optional.meta({
  description: 'Missing leaves it unchanged; a new stock item is then not backorderable.',
});

/** A row of POST /bulk/stock. */
export const StockRow = z.object({ ...fields, backorderable });

/** A row of a file of kind `stock`. */
export const StockCells = z.object({ ...fields, backorderable: flagCell });
