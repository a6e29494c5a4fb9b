import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import type { Ctx } from '../../sales/context';
import { DeliveryJson, NewWebhookJson, WebhookCreate, WebhookJson, WebhookUpdate } from './webhooks.schema';
import { deliverySearch, webhookSearch } from './webhooks.search';
import { serializeDelivery, serializeWebhook } from './webhooks.serializer';
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  rotateSecret,
  testWebhook,
} from './webhooks.service';

const DeliveryParams = z.object({
  id: PathId,
  delivery_id: PathId.meta({ description: 'The id of the delivery.' }),
});

export function webhooksRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Webhooks', 'events');
  const one = { access: 'admin', params: IdParams, private: true } as const;

  endpoint(router, 'get /webhooks', {
    access: 'admin',
    summary: 'List the webhooks',
    description: 'Without their secrets.',
    search: webhookSearch,
    private: true,
    paged: { key: 'webhooks', item: WebhookJson },
    handle: async (ctx, { list }) => mapPage(await listWebhooks(ctx, list), serializeWebhook),
  });
  endpoint(router, 'post /webhooks', {
    access: 'admin',
    summary: 'Create a webhook',
    description:
      'Events are sent from now on, as Standard Webhooks describes: `webhook-id`, `webhook-timestamp` and `webhook-signature` (HMAC-SHA256 with the `secret`). A reply of 200 to 299 within 10 seconds confirms one; others are repeated for three days, then the webhook is paused. Events of one order or other record arrive in their order, each at least once. Redirects are not followed.',
    input: WebhookCreate,
    status: 201,
    private: true,
    reply: NewWebhookJson,
    handle: async (ctx, { input }) => {
      const created = await createWebhook(ctx, input.webhook);
      return { ...serializeWebhook(created), secret: created.secret };
    },
  });
  endpoint(router, 'get /webhooks/:id', {
    ...one,
    summary: 'Show a webhook',
    description: 'Without its secret. `paused_reason` says why the store has stopped sending.',
    reply: WebhookJson,
    handle: async (ctx, { params }) => serializeWebhook(await getWebhook(ctx, params.id)),
  });
  endpoint(router, 'put /webhooks/:id', {
    ...one,
    summary: 'Change a webhook',
    description:
      '`active=true` resumes a paused webhook: the deliveries that wait are sent at once, for another three days.',
    input: WebhookUpdate,
    subject: (ctx, params) => getWebhook(ctx, params.id),
    reply: WebhookJson,
    handle: async (ctx, { params, input }) =>
      serializeWebhook(await changeWebhook(ctx, params.id, input.webhook)),
  });
  endpoint(router, 'delete /webhooks/:id', {
    ...one,
    summary: 'Delete a webhook with its deliveries',
    description: 'Deliveries that wait are not sent.',
    status: 204,
    handle: (ctx, { params }) => removeWebhook(ctx, params.id),
  });
  endpoint(router, 'put /webhooks/:id/rotate_secret', {
    ...one,
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours, requests are signed with both secrets.',
    reply: NewWebhookJson,
    handle: async (ctx, { params }) => {
      const rotated = await rotateSecret(ctx, params.id);
      return { ...serializeWebhook(rotated), secret: rotated.secret };
    },
  });
  endpoint(router, 'post /webhooks/:id/test', {
    ...one,
    summary: 'Send a test to a webhook',
    description:
      'An event `webhook.test`, whose delivery is in the list of deliveries. An inactive webhook is refused.',
    status: 202,
    reply: DeliveryJson,
    handle: async (ctx, { params }) => serializeDelivery(await testWebhook(ctx, params.id)),
  });
  endpoint(router, 'get /webhooks/:id/deliveries', {
    ...one,
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Kept for 30 days.',
    search: deliverySearch,
    paged: { key: 'deliveries', item: DeliveryJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listDeliveries(ctx, params.id, list), serializeDelivery),
  });
  endpoint(router, 'put /webhooks/:id/deliveries/:delivery_id/redeliver', {
    ...one,
    params: DeliveryParams,
    summary: 'Send a delivery again',
    description:
      'With all its attempts, as if for the first time; also one that was delivered or given up. An attempt that is being sent is the first one. Its `webhook-id` stays the same.',
    reply: DeliveryJson,
    handle: async (ctx, { params }) => serializeDelivery(await redeliver(ctx, params)),
  });
  return router;
}
