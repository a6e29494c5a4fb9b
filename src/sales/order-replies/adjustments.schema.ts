import { z } from 'zod';

export const AdjustmentJson = z
  .object({
    id: z.int(),
    source_type: z.string().nullable(),
    source_id: z.int().nullable(),
    adjustable_type: z.enum(['Store::Order', 'Store::LineItem', 'Store::Shipment']),
    adjustable_id: z.int(),
    amount: z.string(),
    label: z.string(),
    mandatory: z.boolean(),
    included: z
      .boolean()
      .meta({ description: 'True if the amount is part of the price and does not count towards the total.' }),
    eligible: z.boolean(),
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
