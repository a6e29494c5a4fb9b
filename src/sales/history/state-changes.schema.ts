import { z } from 'zod';
import { changedBy } from './changed-by.schema';
import { namedObject } from '../../platform/http/named-object';

/** A state change of an order, or of one of its payments, shipments or returns. */
export const StateChangeJson = namedObject('StateChange', {
  id: z.int(),
  subject_type: z
    .enum(['order', 'payment', 'shipment', 'return_authorization'])
    .describe('The kind of the record whose state changed.'),
  subject_id: z.int().describe('The id of the record whose state changed.'),
  number: z.string().nullable().describe("The subject's number; null if it was deleted."),
  from_state: z.string().nullable().describe('Null for the entry of its creation.'),
  to_state: z.string().describe('The new state.'),
  ...changedBy,
  created_at: z.string(),
});

export type StateChangeJson = z.output<typeof StateChangeJson>;
