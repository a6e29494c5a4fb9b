import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const importErrorSearch: SearchDefinition = {
  table: 'import_errors',
  attributes: {
    line: 'integer',
    column: { type: 'text', sql: (error) => `${error}."column"` },
    reason: 'text',
  },
  baseOrder: ['import_errors.line ASC'],
  perPage: 100,
};
