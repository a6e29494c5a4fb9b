import { metadataSearch } from '../../access/metadata';
import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** The password digest must not be searchable: predicates would reveal it letter by letter. */
export const userSearch: SearchDefinition = {
  table: 'users',
  attributes: { id: 'integer', email: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  adminAttributes: metadataSearch,
  associations: {
    roles: {
      table: `(SELECT user_roles.user_id, roles.name FROM user_roles JOIN roles ON roles.id = user_roles.role_id)`,
      on: (user, role) => `${role}.user_id = ${user}.id`,
      attributes: { name: 'text' },
    },
  },
  baseOrder: ['users.id ASC'],
};
