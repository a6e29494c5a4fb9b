import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const paymentSearch: SearchDefinition = {
  table: 'payments',
  attributes: {
    id: 'integer',
    number: 'text',
    amount: 'decimal',
    state: 'text',
    response_code: 'text',
    avs_response: 'text',
    payment_method_id: 'integer',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  associations: {
    order: {
      table: 'orders',
      on: (payment, order) => `${order}.id = ${payment}.order_id`,
      attributes: { number: 'text', email: 'text', completed_at: 'timestamp' },
    },
    payment_method: {
      table: 'payment_methods',
      on: (payment, method) => `${method}.id = ${payment}.payment_method_id`,
      attributes: { name: 'text' },
    },
  },
  baseOrder: ['payments.created_at ASC'],
  feed: { at: 'payments.feed_at', unsettled: 'payments.feed_at IS NULL' },
};
