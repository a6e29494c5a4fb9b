import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { webhookSearch } from './webhooks.search';

export interface WebhookRow {
  id: number;
  url: string;
  /** Types, or `*`. */
  events: string[];
  active: boolean;
  description: string | null;
  /** Why the store has stopped sending; null while it sends, or if an administrator has stopped it. */
  paused_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Encrypted; `WebhookRow` has none of it. */
export interface WebhookSecrets {
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
}

const COLUMNS = [
  'id',
  'url',
  'events',
  'active',
  'description',
  'paused_reason',
  'created_at',
  'updated_at',
].map((column) => `webhooks.${column}`);

export async function findWebhookPage(db: Db, list: ListQuery): Promise<Page<WebhookRow>> {
  const matching = applyFilters(db('webhooks'), list, webhookSearch);
  return findRowPage(
    db,
    { matching, select: (rows) => rows.select<WebhookRow[]>(COLUMNS) },
    list,
    webhookSearch,
  );
}

export async function findWebhook(db: Db, id: number): Promise<WebhookRow | undefined> {
  return db('webhooks').where({ id }).first<WebhookRow | undefined>(COLUMNS);
}

/** Returns a webhook that cannot be deleted before the end of the transaction. Waits for one that is being deleted. */
export async function shareWebhook(tx: Tx, id: number): Promise<WebhookRow | undefined> {
  return tx('webhooks').where({ id }).forKeyShare().first<WebhookRow | undefined>(COLUMNS);
}

/** Returns a webhook that cannot be changed before the end of the transaction. */
export async function lockWebhook(tx: Tx, id: number): Promise<WebhookRow | undefined> {
  return tx('webhooks').where({ id }).forNoKeyUpdate().first<WebhookRow | undefined>(COLUMNS);
}

export async function insertWebhook(
  tx: Tx,
  values: Partial<WebhookRow> & Partial<WebhookSecrets>,
): Promise<WebhookRow> {
  const [row] = await tx('webhooks').insert(values).returning<WebhookRow[]>(COLUMNS);
  if (row === undefined) throw new Error('the webhook was not inserted');
  return row;
}

/** @returns undefined if there is none */
export async function updateWebhook(
  tx: Tx,
  id: number,
  values: Partial<WebhookRow> & Partial<WebhookSecrets>,
): Promise<WebhookRow | undefined> {
  if (Object.keys(values).length === 0) return findWebhook(tx, id);
  const [row] = await tx('webhooks').where({ id }).update(values).returning<WebhookRow[]>(COLUMNS);
  return row;
}

/** Replaces the secret and keeps the former one. Of two at once, the later one keeps that of the other. */
export async function replaceSecret(
  tx: Tx,
  id: number,
  values: Pick<WebhookSecrets, 'secret' | 'previous_secret_until'>,
): Promise<WebhookRow | undefined> {
  const [row] = await tx('webhooks')
    .where({ id })
    .update({ ...values, previous_secret: tx.raw('secret') })
    .returning<WebhookRow[]>(COLUMNS);
  return row;
}

export async function findSecrets(db: Db, id: number): Promise<WebhookSecrets | undefined> {
  return db('webhooks')
    .where({ id })
    .first<WebhookSecrets | undefined>('secret', 'previous_secret', 'previous_secret_until');
}

/**
 * Stops sending to an address and says why, unless the webhook has another one by now. An administrator activates the
 * webhook again.
 */
export async function pauseWebhook(
  db: Db,
  { webhook_id: id, url }: { webhook_id: number; url: string },
  reason: string,
): Promise<void> {
  await db('webhooks').where({ id, url, active: true }).update({ active: false, paused_reason: reason });
}

/** @returns whether there was one */
export async function deleteWebhook(tx: Tx, id: number): Promise<boolean> {
  return (await tx('webhooks').where({ id }).delete()) > 0;
}
