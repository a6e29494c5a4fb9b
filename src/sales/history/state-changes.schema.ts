import { z } from 'zod';

/** One step of an order, or of one of its payments, shipments or returns. */
export const StateChangeJson = z
  .object({
    id: z.int(),
    subject_type: z.enum(['order', 'payment', 'shipment', 'return_authorization']),
    subject_id: z.int(),
    number: z.string().nullable().meta({ description: "The subject's number; null when it is gone." }),
    from_state: z.string().nullable().meta({ description: 'Null where it was made.' }),
    to_state: z.string(),
    reason: z.string().meta({ description: 'What was asked.' }),
    user: z
      .object({ id: z.int(), email: z.string() })
      .nullable()
      .optional()
      .meta({ description: 'Who did it, for admins; null for guests and for the program itself.' }),
    created_at: z.string(),
  })
  .meta({ id: 'StateChange' });

export type StateChangeJson = z.output<typeof StateChangeJson>;
