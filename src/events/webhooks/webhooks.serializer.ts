import type { DeliveryRow } from './webhook-deliveries.repository';
import type { WebhookRow } from './webhooks.repository';
import type { DeliveryJson, WebhookJson } from './webhooks.schema';

export function serializeWebhook(row: WebhookRow): WebhookJson {
  const { id, url, events, active, description, paused_reason, created_at, updated_at } = row;
  return {
    id,
    url,
    events,
    active,
    description,
    paused_reason,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

export function serializeDelivery(row: DeliveryRow): DeliveryJson {
  const { event_type, status, attempts, code, response } = row;
  return {
    id: Number(row.id),
    event_id: row.event_id === null ? null : Number(row.event_id),
    event_type,
    status,
    attempts,
    code,
    response,
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: status === 'pending' ? findDueTime(row).toISOString() : null,
  };
}

/** Deliveries are due from the beginning of time until an attempt has failed. */
function findDueTime({ created_at, next_attempt_at }: DeliveryRow): Date {
  return next_attempt_at < created_at ? created_at : next_attempt_at;
}
