import { z } from 'zod';
import { VariantJson } from '../../catalog/variants/variants.schema';
import { boolean, createSchema, integer, reference, updateSchema, wrapped } from '../../platform/http/fields';

export const StockItemJson = z
  .object({
    id: z.int(),
    count_on_hand: z.int().meta({ description: 'Below zero: backordered units.' }),
    backorderable: z.boolean(),
    stock_location_id: z.int(),
    variant_id: z.int(),
    variant: VariantJson,
  })
  .meta({ id: 'StockItem' });

export type StockItemJson = z.output<typeof StockItemJson>;

export const StockItemCreate = wrapped(
  'stock_item',
  createSchema({ count_on_hand: integer(), backorderable: boolean() }, []).extend({
    // An invalid id counts as missing: the service reports both as `variant` errors.
    variant_id: reference().optional.catch(null),
  }),
);

export const StockItemUpdate = wrapped(
  'stock_item',
  updateSchema({ count_on_hand: integer(), force: boolean(), backorderable: boolean() }, []),
);

export type StockItemAttributes = z.output<typeof StockItemCreate>['stock_item'];
export type StockItemChanges = z.output<typeof StockItemUpdate>['stock_item'];
