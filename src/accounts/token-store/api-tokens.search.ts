import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** The hash must not be searchable: predicates would reveal it byte by byte. */
export const apiTokenSearch: SearchDefinition = {
  table: 'api_tokens',
  attributes: {
    id: 'integer',
    name: 'text',
    created_at: 'timestamp',
    revoked_at: 'timestamp',
    last_used_at: 'timestamp',
    expires_at: 'timestamp',
  },
  baseOrder: ['api_tokens.id DESC'],
};
