import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const zoneSearch: SearchDefinition = {
  table: 'zones',
  attributes: { id: 'integer', name: 'text', description: 'text' },
  baseOrder: ['zones.name ASC'],
};
