import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../access/api-router';
import { endpoint } from '../platform/http/endpoint';
import { DEFAULT_PER_PAGE } from '../platform/query-builder/list-query';
import { EVENT_TYPES } from './log/event-types';
import { EventJson } from './log/event.schema';
import { serializeEvent } from './log/event.serializer';
import { listEvents } from './events.service';

const MAX_PAGE = 100;

const Query = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('The `last_id` of the reply before. Defaults to 0: from the oldest event that is kept.'),
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
    .describe('Types, separated by commas. Defaults to all.'),
  // Read as in lists; only described here.
  per_page: z
    .unknown()
    .optional()
    .meta({
      description: `Events in a reply, at most ${MAX_PAGE}. Defaults to ${DEFAULT_PER_PAGE}.`,
      override: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PER_PAGE },
    }),
});

export function eventsRouter(): ApiRouter {
  const router = createApiRouter('Events', 'events');

  endpoint(router, 'get /events', {
    access: 'admin',
    summary: 'List events, oldest first',
    description:
      'Every change that matters is an event, written in the transaction of the change. Continue with `after` set to `last_id`: no event is skipped, not even one of a transaction that takes long. Events are kept for 30 days. `order.paid` follows each time `payment_state` becomes `paid`, also when a credit returns what was paid too much.',
    query: Query,
    private: true,
    reply: z.object({
      events: z.array(EventJson).describe('The events, in their order.'),
      last_id: z.int().describe('The `after` of the next request.'),
      more: z.boolean().describe('Whether to request the next page immediately.'),
    }),
    handle: async (ctx, { query: { after, types = null }, list }) => {
      const part = await listEvents(ctx, { after, types, size: Math.min(list.per_page, MAX_PAGE) });
      return { ...part, events: part.events.map(serializeEvent) };
    },
  });
  return router;
}
