import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const returnAuthorizationSearch: SearchDefinition = {
  table: 'return_authorizations',
  attributes: {
    id: 'integer',
    number: 'text',
    state: 'text',
    memo: 'text',
    amount: 'decimal',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  associations: {
    order: {
      table: 'orders',
      on: (authorization, order) => `${order}.id = ${authorization}.order_id`,
      attributes: { number: 'text' },
    },
  },
  baseOrder: [],
};
