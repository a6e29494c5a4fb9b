import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const promotionSearch: SearchDefinition = {
  table: 'promotions',
  attributes: {
    id: 'integer',
    name: 'text',
    description: 'text',
    code: 'text',
    path: 'text',
    type: 'text',
    advertise: 'boolean',
    usage_limit: 'integer',
    starts_at: 'timestamp',
    expires_at: 'timestamp',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  baseOrder: [],
};
