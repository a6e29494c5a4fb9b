import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** The hash is not here: searching it would give it away byte by byte. */
export const apiTokenSearch: SearchDefinition = {
  table: 'api_tokens',
  attributes: { id: 'integer', name: 'text', created_at: 'timestamp', revoked_at: 'timestamp' },
  baseOrder: ['api_tokens.id DESC'],
};
