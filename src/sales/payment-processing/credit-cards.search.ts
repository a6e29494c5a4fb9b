import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const creditCardSearch: SearchDefinition = {
  table: 'credit_cards',
  attributes: {
    id: 'integer',
    cc_type: 'text',
    name: 'text',
    month: 'text',
    year: 'text',
    payment_method_id: 'integer',
  },
  baseOrder: [],
};
