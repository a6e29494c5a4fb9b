import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../access/api-router';
import { endpoint } from '../platform/http/endpoint';
import type { PublishedEvent } from '../platform/queue/event-consumer';
import { EVENT_TYPES, SUBJECT_TYPES } from './event-types';
import { listEvents } from './events.service';

export const EventJson = z
  .object({
    id: z.int().meta({ description: 'Increases from event to event; not every number occurs.' }),
    type: z.enum(EVENT_TYPES).meta({ description: 'What happened.' }),
    created_at: z.iso.datetime().meta({ description: 'When it happened.' }),
    subject: z
      .object({
        type: z.enum(SUBJECT_TYPES).meta({ description: 'The kind of record.' }),
        id: z.int().meta({ description: 'The id of the record.' }),
        number: z.string().nullable().meta({
          description: 'The number of an order, payment, shipment or return; the SKU of stock and variants.',
        }),
      })
      .meta({ description: 'The record to which it happened.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The record as an administrator saw it then, without secrets. Payments, shipments and returns of an order have its `order_number` or `order_id`.',
    }),
  })
  .meta({ id: 'Event' });

export type EventJson = z.output<typeof EventJson>;

const MAX_PAGE = 100;

const Query = z.object({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0).meta({
    description: 'The `last_id` of the reply before. Defaults to 0: from the oldest event that is kept.',
  }),
  types: z
    .string()
    .max(2_000)
    .transform((text) =>
      text
        .split(',')
        .map((type) => type.trim())
        .filter((type) => type !== ''),
    )
    .pipe(z.array(z.enum(EVENT_TYPES)))
    .optional()
    .meta({ description: 'Types, separated by commas. Defaults to all.' }),
  per_page: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PAGE)
    .default(25)
    .meta({ description: `Events in a reply, at most ${MAX_PAGE}. Defaults to 25.` }),
});

export function eventsRouter(): ApiRouter {
  const router = createApiRouter('Events', 'events');

  endpoint(router, 'get /events', {
    access: 'admin',
    summary: 'List what has happened, oldest first',
    description:
      'Every change that matters is an event, written in the transaction of the change. Ask again with `after` set to `last_id`: no event is skipped, also not one of a transaction that takes long. Events are kept for 30 days.',
    query: Query,
    private: true,
    reply: z.object({
      events: z.array(EventJson).meta({ description: 'The events, in their order.' }),
      last_id: z.int().meta({ description: 'The `after` of the next request.' }),
      more: z.boolean().meta({ description: 'Whether it is worth asking at once.' }),
    }),
    handle: async (ctx, { query: { after, types = null, per_page } }) => {
      const part = await listEvents(ctx, { after, types, size: per_page });
      return { ...part, events: part.events.map(serializeEvent) };
    },
  });
  return router;
}

/** Serializes an event. */
export function serializeEvent(event: PublishedEvent): EventJson {
  const { id, type, created_at, subject_type, subject_id, subject_number, data } = event;
  return {
    id,
    // Only the functions and triggers that note events write types and subjects.
    type: type as EventJson['type'],
    created_at: created_at.toISOString(),
    subject: { type: subject_type as EventJson['subject']['type'], id: subject_id, number: subject_number },
    data,
  };
}
