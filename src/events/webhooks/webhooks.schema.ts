import { z } from 'zod';
import { boolean, choices, describe, longText, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { EVENT_TYPES } from '../log/event-types';
import { DELIVERY_STATUSES } from './webhook-deliveries.repository';

export const WebhookJson = z
  .object({
    id: z.int(),
    url: z.string().meta({ description: 'Where events are sent, by POST.' }),
    events: z.array(z.string()).meta({ description: 'The types that are sent; `*` for all.' }),
    active: z.boolean().meta({ description: 'Whether events are sent.' }),
    description: z.string().nullable().meta({ description: 'What it is for.' }),
    paused_reason: z.string().nullable().meta({
      description: 'Why the store has stopped sending. Null while it sends. `active=true` resumes.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

export type WebhookJson = z.output<typeof WebhookJson>;

export const NewWebhookJson = WebhookJson.extend({
  secret: z.string().meta({ description: 'The key of the signatures. Shown only in this reply.' }),
}).meta({ id: 'NewWebhook' });

export type NewWebhookJson = z.output<typeof NewWebhookJson>;

export const DeliveryJson = z
  .object({
    id: z.int(),
    event_id: z.int().nullable().meta({ description: 'The id of the event; null for a test.' }),
    event_type: z.string().meta({ description: 'The type of the event.' }),
    status: z
      .enum(DELIVERY_STATUSES)
      .meta({ description: '`pending` until it is delivered, or given up after three days.' }),
    attempts: z.int().meta({ description: 'How often it was sent.' }),
    code: z.int().nullable().meta({ description: 'The status of the last reply; null without a reply.' }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'The first 1,024 bytes of the last reply, or why there was none.' }),
    created_at: z.iso.datetime(),
    last_attempt_at: z.iso.datetime().nullable().meta({ description: 'When it was sent last.' }),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is sent next; null if it is finished.' }),
  })
  .meta({ id: 'WebhookDelivery' });

export type DeliveryJson = z.output<typeof DeliveryJson>;

const fields = {
  url: describe(
    text({ trim: true, max: 2_000 }),
    'An http or https address that is not in a private network.',
  ),
  events: describe(choices(['*', ...EVENT_TYPES], { atLeastOne: true }), 'The types to send; `*` for all.'),
  active: describe(boolean(), 'Defaults to true.'),
  description: describe(longText(), 'What it is for.'),
};

export const WebhookCreate = wrapped('webhook', createSchema(fields, ['url', 'events']));
export const WebhookUpdate = wrapped('webhook', updateSchema(fields, ['url', 'events']));

export type WebhookAttributes = z.output<typeof WebhookCreate>['webhook'];
export type WebhookChanges = z.output<typeof WebhookUpdate>['webhook'];
