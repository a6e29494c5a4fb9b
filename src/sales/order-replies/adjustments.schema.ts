import { z } from 'zod';
import { ADJUSTMENT_SOURCES } from '../order/order-graph';

export const AdjustmentJson = z
  .object({
    id: z.int(),
    source_type: z
      .enum(ADJUSTMENT_SOURCES)
      .nullable()
      .meta({ description: 'What caused it. Null for manual adjustments.' }),
    source_id: z
      .int()
      .nullable()
      .meta({ description: 'The id of the record that caused it. Null for manual adjustments.' }),
    adjustable_type: z
      .enum(['Store::Order', 'Store::LineItem', 'Store::Shipment'])
      .meta({ description: 'The kind of the record that it belongs to.' }),
    adjustable_id: z.int().meta({ description: 'The id of the record that it belongs to.' }),
    amount: z.string().meta({
      description:
        'The amount, as a decimal in the currency of the order. Below zero: a discount or a credit.',
    }),
    label: z.string().meta({ description: 'What the customer sees, such as `10% off`.' }),
    mandatory: z.boolean().meta({ description: 'Whether the adjustment stays even if its amount is zero.' }),
    included: z
      .boolean()
      .meta({ description: 'True if the amount is part of the price and does not count towards the total.' }),
    eligible: z.boolean().meta({
      description: 'Whether the adjustment counts. Of several discounts only the best one is eligible.',
    }),
    taxed: z.boolean().meta({
      description: 'Whether a manual adjustment is taxed as its line item or shipment is.',
    }),
    locked: z.boolean().meta({
      description:
        'True when the order is complete. From then on taxes and discounts follow only their line item or shipment.',
    }),
    display_amount: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Adjustment' });

export type AdjustmentJson = z.output<typeof AdjustmentJson>;
