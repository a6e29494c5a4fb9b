import { z } from 'zod';
import { ADJUSTMENT_SOURCES } from '../order/order-graph';
import { namedObject } from '../../platform/http/named-object';

export const AdjustmentJson = namedObject('Adjustment', {
  id: z.int(),
  source_type: z.enum(ADJUSTMENT_SOURCES).nullable().describe('What caused it. Null for manual adjustments.'),
  source_id: z.int().nullable().describe('The id of the record that caused it. Null for manual adjustments.'),
  adjustable_type: z
    .enum(['Store::Order', 'Store::LineItem', 'Store::Shipment'])
    .describe('The kind of the record that it belongs to.'),
  adjustable_id: z.int().describe('The id of the record that it belongs to.'),
  amount: z
    .string()
    .describe('The amount, as a decimal in the currency of the order. Below zero: a discount or a credit.'),
  label: z.string().describe('What the customer sees, such as `10% off`.'),
  mandatory: z.boolean().describe('Whether the adjustment stays even if its amount is zero.'),
  included: z
    .boolean()
    .describe('True if the amount is part of the price and does not count towards the total.'),
  eligible: z
    .boolean()
    .describe('Whether the adjustment counts. Of several discounts only the best one is eligible.'),
  taxed: z.boolean().describe('Whether a manual adjustment is taxed as its line item or shipment is.'),
  locked: z
    .boolean()
    .describe(
      'True when the order is complete. From then on taxes and discounts follow only their line item or shipment.',
    ),
  display_amount: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type AdjustmentJson = z.output<typeof AdjustmentJson>;
