import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const adjustmentSearch: SearchDefinition = {
  table: 'adjustments',
  attributes: {
    id: 'integer',
    line_item_id: 'integer',
    shipment_id: 'integer',
    source_type: 'text',
    source_id: 'integer',
    amount: 'decimal',
    label: 'text',
    eligible: 'boolean',
    included: 'boolean',
    created_at: 'timestamp',
  },
  baseOrder: [],
};
