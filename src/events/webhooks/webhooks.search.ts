import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const webhookSearch: SearchDefinition = {
  table: 'webhooks',
  attributes: {
    id: 'integer',
    url: 'text',
    description: 'text',
    active: 'boolean',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  baseOrder: ['webhooks.id'],
};

export const deliverySearch: SearchDefinition = {
  table: 'webhook_deliveries',
  attributes: {
    id: 'integer',
    event_id: 'integer',
    event_type: 'text',
    status: 'text',
    code: 'integer',
    attempts: 'integer',
    created_at: 'timestamp',
    last_attempt_at: 'timestamp',
  },
  baseOrder: ['webhook_deliveries.id DESC'],
};
