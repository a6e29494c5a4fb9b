import { z } from 'zod';
import { changedBy } from './changed-by.schema';
import { namedObject } from '../../platform/http/named-object';

/** A change of what was sold. */
export const OrderChangeJson = namedObject('OrderChange', {
  id: z.int(),
  subject_type: z
    .enum(['order', 'line_item', 'shipment', 'adjustment', 'payment', 'refund'])
    .describe('The kind of the changed record.'),
  subject_id: z.int().describe('The id of the changed record.'),
  label: z
    .string()
    .nullable()
    .describe(
      'The SKU of the line item, the number of the order, shipment or payment (also for a refund), or the label of the adjustment.',
    ),
  changes: z.record(z.string(), z.array(z.unknown())).meta({
    description:
      'The changed fields with their values before and after. All values before are null if the record was created, all after if it was removed.',
    examples: [{ quantity: [2, 1] }],
  }),
  ...changedBy,
  created_at: z.string(),
});

export type OrderChangeJson = z.output<typeof OrderChangeJson>;
