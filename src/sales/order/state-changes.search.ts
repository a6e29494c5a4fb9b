import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** Sorted oldest first. The page size usually covers the whole history of an order. */
export const stateChangeSearch: SearchDefinition = {
  table: 'state_changes',
  attributes: {
    id: 'integer',
    subject_type: 'text',
    subject_id: 'integer',
    from_state: 'text',
    to_state: 'text',
    reason: 'text',
    created_at: 'timestamp',
  },
  baseOrder: [],
  perPage: 500,
};
