import { z } from 'zod';
import { EVENT_TYPES, SUBJECT_TYPES } from './event-types';
import { namedObject } from '../../platform/http/named-object';

export const EventJson = namedObject('Event', {
  id: z.int().describe('Increases from event to event; not every number occurs.'),
  type: z.enum(EVENT_TYPES).describe('What happened.'),
  created_at: z.iso.datetime().describe('When it happened.'),
  subject: z
    .object({
      type: z.enum(SUBJECT_TYPES).describe('The kind of record.'),
      id: z.int().describe('The id of the record.'),
      number: z
        .string()
        .nullable()
        .describe('The number of an order, payment, shipment or return; the SKU of stock and variants.'),
    })
    .describe('The record to which it happened.'),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      'The record as an administrator saw it then, without secrets. Payments, shipments and returns of an order have its `order_number` or `order_id`; a disputed payment has the `dispute` (`reference`, `state`, `amount`, `reason`).',
    ),
});

export type EventJson = z.output<typeof EventJson>;
