import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const returnReasonSearch: SearchDefinition = {
  table: 'return_authorization_reasons',
  attributes: { id: 'integer', name: 'text', active: 'boolean', mutable: 'boolean' },
  baseOrder: [],
};
