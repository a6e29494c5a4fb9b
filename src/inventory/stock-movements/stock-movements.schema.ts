import { z } from 'zod';
import { describe, integer, reference, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { StockItemJson } from '../stock-items/stock-items.schema';
import { namedObject } from '../../platform/http/named-object';

export const StockMovementJson = namedObject('StockMovement', {
  id: z.int(),
  quantity: z.int().describe('Above zero: units arrived. Below zero: units left.'),
  stock_item_id: z.int().describe('The id of the stock item.'),
  action: z
    .string()
    .nullable()
    .meta({ description: 'A free-form label.', examples: ['received', 'sold'] }),
  user_id: z.int().nullable().describe('The account of the actor; null for guests and for the store itself.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  stock_item: StockItemJson.describe('The stock item after the movement.'),
});

export type StockMovementJson = z.output<typeof StockMovementJson>;

export const StockMovementCreate = wrapped(
  'stock_movement',
  createSchema(
    {
      quantity: describe(integer(), 'The units that arrived, or below zero, that left.'),
      action: describe(text(), 'A label, such as `received`. Null without one.'),
    },
    [],
  ).extend({
    // An invalid id counts as missing: the service reports both as `stock_item` errors.
    stock_item_id: reference().optional.catch(null).describe('The id of the stock item.'),
  }),
);

export const StockMovementUpdate = wrapped(
  'stock_movement',
  updateSchema(
    { quantity: describe(integer(), 'The corrected number of units. The count changes by the difference.') },
    [],
  ),
);

export type StockMovementAttributes = z.output<typeof StockMovementCreate>['stock_movement'];
export type StockMovementChanges = z.output<typeof StockMovementUpdate>['stock_movement'];
