import { metadataSearch } from '../../access/metadata';
import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** The password digest must not be searchable: predicates would reveal it letter by letter. */
export const userSearch: SearchDefinition = {
  table: 'users',
  attributes: { id: 'integer', email: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  adminAttributes: metadataSearch,
  baseOrder: ['users.id ASC'],
};
