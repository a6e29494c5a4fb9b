import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const auditLogSearch: SearchDefinition = {
  table: 'audit_log',
  attributes: {
    id: 'integer',
    created_at: 'timestamp',
    user_id: 'integer',
    user_email: 'text',
    api_token_name: 'text',
    request_id: 'text',
    address: 'text',
    action: 'text',
    subject_type: 'text',
    subject_id: 'integer',
    changes: { type: 'text', sql: (entry) => `CAST(${entry}.changes AS text)` },
  },
  baseOrder: ['audit_log.id DESC'],
};
