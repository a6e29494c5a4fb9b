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
    next_attempt_at:
      status !== 'pending' ? null : (attempts === 0 ? row.created_at : row.next_attempt_at).toISOString(),
  };
}
