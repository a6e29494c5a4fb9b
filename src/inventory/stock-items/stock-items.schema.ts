import { z } from 'zod';
import { VariantJson } from '../../catalog/variants/variants.schema';
import { describe, boolean, integer, reference } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { namedObject } from '../../platform/http/named-object';

export const StockItemJson = namedObject('StockItem', {
  id: z.int(),
  count_on_hand: z.int().describe('Below zero: backordered units.'),
  committed: z
    .int()
    .describe(
      'The units that are sold and not shipped. The units at the location are `count_on_hand` plus these.',
    ),
  backorderable: z.boolean().describe('Whether the location sells the variant beyond its stock.'),
  stock_location_id: z.int(),
  variant_id: z.int(),
  updated_at: z.iso.datetime(),
  deleted_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the stock item was deleted; null if it is not. Lists have deleted ones with `show_deleted`.',
    ),
  variant: VariantJson.describe('The variant.'),
});

export type StockItemJson = z.output<typeof StockItemJson>;

export const StockItemCreate = wrapped(
  'stock_item',
  createSchema(
    {
      count_on_hand: describe(integer(), 'The initial count of units. Defaults to 0.'),
      backorderable: describe(
        boolean(),
        'Whether the location sells the variant beyond its stock. Defaults to the setting of the location.',
      ),
    },
    [],
  ).extend({
    // An invalid id counts as missing: the service reports both as `variant` errors.
    variant_id: reference().optional.catch(null),
  }),
);

export const StockItemUpdate = wrapped(
  'stock_item',
  updateSchema(
    {
      count_on_hand: describe(
        integer(),
        'The number of units to add to the count, negative to subtract; with `force` the new count.',
      ),
      force: describe(boolean(), 'Whether `count_on_hand` replaces the count. Defaults to false.'),
      backorderable: describe(boolean(), 'Whether the location sells the variant beyond its stock.'),
    },
    [],
  ),
);

export type StockItemAttributes = z.output<typeof StockItemCreate>['stock_item'];
export type StockItemChanges = z.output<typeof StockItemUpdate>['stock_item'];
