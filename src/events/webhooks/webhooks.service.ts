import { InvalidResource, NotFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { leadsToPrivateNetwork } from '../../platform/outbound/public-address';
import { inBatches } from '../../platform/in-batches';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { Ctx } from '../../sales/context';
import { publishEvents } from '../publish-events';
import {
  findDeliveryPage,
  insertTestDelivery,
  MOST_CHANGED,
  restartDelivery,
  restartPendingDeliveries,
  restartSomePendingDeliveries,
  type DeliveryRow,
} from './webhook-deliveries.repository';
import { sealWebhookSecret } from './webhook-secrets';
import { createWebhookSecret } from './webhook-signature';
import {
  deleteWebhook,
  findWebhook,
  findWebhookPage,
  insertWebhook,
  lockWebhook,
  replaceSecret,
  shareWebhook,
  updateWebhook,
  type WebhookRow,
} from './webhooks.repository';
import type { WebhookAttributes, WebhookChanges } from './webhooks.schema';

/** How long the former secret signs after a rotation. */
const OVERLAP_MS = 24 * 3_600_000;

export async function listWebhooks(ctx: Ctx, list: ListQuery): Promise<Page<WebhookRow>> {
  return findWebhookPage(ctx.db, list);
}

/** @throws NotFound */
export async function getWebhook(ctx: Ctx, id: number): Promise<WebhookRow> {
  const row = await findWebhook(ctx.db, id);
  if (row === undefined) throw new NotFound();
  return row;
}

/** Creates a webhook with a new secret, for what happens from now on. @throws InvalidResource if its address may not be reached */
export async function createWebhook(
  ctx: Ctx,
  attributes: WebhookAttributes,
): Promise<WebhookRow & { secret: string }> {
  await checkUrl(ctx, attributes.url);
  await publishEvents(ctx, { waits: true });
  const values = omitUndefined({ ...attributes, active: attributes.active ?? undefined });
  // The result of the transaction is what a repeated request gets: the secret belongs to it.
  return withTransaction(ctx, async (tx) => {
    const secret = createWebhookSecret();
    const row = await insertWebhook(tx, { ...values, secret: sealWebhookSecret(ctx.secret, secret) });
    return { ...row, secret };
  });
}

/**
 * Changes a webhook. Activating it ends its pause: what waits is sent at once, again for three days, and what happened during the
 * pause is not. @throws NotFound, InvalidResource as `createWebhook`
 */
export async function changeWebhook(ctx: Ctx, id: number, changes: WebhookChanges): Promise<WebhookRow> {
  if (changes.url !== undefined) {
    await getWebhook(ctx, id);
    await checkUrl(ctx, changes.url);
  }
  if (changes.active === true) {
    await publishEvents(ctx, { waits: true });
    // So many may wait after days that one statement would exceed its time limit.
    if ((await findWebhook(ctx.db, id))?.active === false)
      await inBatches(MOST_CHANGED, (limit) =>
        restartSomePendingDeliveries(ctx.db, { webhookId: id, now: ctx.now(), limit }),
      );
  }
  const values = omitUndefined({ ...changes, active: changes.active ?? undefined });
  return withTransaction(ctx, async (tx) => {
    const before = await lockWebhook(tx, id);
    if (before?.active === false && values.active === true)
      await restartPendingDeliveries(tx, { webhookId: id, now: ctx.now() });
    const row = await updateWebhook(tx, id, {
      ...values,
      ...(values.active === true && { paused_reason: null }),
    });
    if (row === undefined) throw new NotFound();
    return row;
  });
}

/** @throws NotFound */
export async function removeWebhook(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if (!(await deleteWebhook(tx, id))) throw new NotFound();
  });
}

/** Replaces the secret. The former one signs too for a day, so that receivers can change it. @throws NotFound */
export async function rotateSecret(ctx: Ctx, id: number): Promise<WebhookRow & { secret: string }> {
  return withTransaction(ctx, async (tx) => {
    const secret = createWebhookSecret();
    const row = await replaceSecret(tx, id, {
      secret: sealWebhookSecret(ctx.secret, secret),
      previous_secret_until: new Date(ctx.now().getTime() + OVERLAP_MS),
    });
    if (row === undefined) throw new NotFound();
    return { ...row, secret };
  });
}

/** Sends an event `webhook.test`. @throws NotFound; InvalidResource if the webhook is inactive, which sends nothing */
export async function testWebhook(ctx: Ctx, id: number): Promise<DeliveryRow> {
  return withTransaction(ctx, async (tx) => {
    const webhook = await shareWebhook(tx, id);
    if (webhook === undefined) throw new NotFound();
    if (!webhook.active) throw new InvalidResource({ active: ['must be true to send a test'] });
    return insertTestDelivery(tx, id);
  });
}

/** @throws NotFound */
export async function listDeliveries(ctx: Ctx, id: number, list: ListQuery): Promise<Page<DeliveryRow>> {
  await getWebhook(ctx, id);
  return findDeliveryPage(ctx.db, id, list);
}

/** Sends a delivery again, as if for the first time. @throws NotFound */
export async function redeliver(
  ctx: Ctx,
  { id, delivery_id }: { id: number; delivery_id: number },
): Promise<DeliveryRow> {
  return withTransaction(ctx, async (tx) => {
    const row = await restartDelivery(tx, { webhookId: id, id: delivery_id, now: ctx.now() });
    if (row === undefined) throw new NotFound();
    return row;
  });
}

/** @throws InvalidResource */
async function checkUrl({ allowsPrivateWebhooks = false }: Ctx, text: string): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new InvalidResource({ url: ['must be an http or https address without a user'] });
  if (!allowsPrivateWebhooks && (await leadsToPrivateNetwork(url)))
    throw new InvalidResource({
      url: ['is in a private network, which only a store with WEBHOOK_ALLOW_PRIVATE=true may reach'],
    });
}
