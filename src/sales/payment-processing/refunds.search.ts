import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const refundSearch: SearchDefinition = {
  table: 'refunds',
  attributes: {
    id: 'integer',
    payment_id: 'integer',
    amount: 'decimal',
    reason: 'text',
    created_at: 'timestamp',
  },
  associations: {
    payment: {
      table: 'payments',
      on: (refund, payment) => `${payment}.id = ${refund}.payment_id`,
      attributes: { number: 'text', state: 'text' },
    },
  },
  baseOrder: ['refunds.created_at ASC'],
};
