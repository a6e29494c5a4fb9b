import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** Never the password's digest: a prefix search would give it away letter by letter. */
export const userSearch: SearchDefinition = {
  table: 'users',
  attributes: { id: 'integer', email: 'text', created_at: 'timestamp' },
  baseOrder: ['users.id ASC'],
};
