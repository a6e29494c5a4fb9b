import type { SearchDefinition } from '../../platform/query-builder/define-search';

const order = {
  table: 'orders',
  on: (document: string, sold: string) => `${sold}.id = ${document}.order_id`,
  attributes: { number: 'text', email: 'text' },
} as const;

/** The documents of all orders, oldest first. */
export const documentSearch: SearchDefinition = {
  table: 'documents',
  attributes: {
    id: 'integer',
    number: 'text',
    kind: 'text',
    total: 'decimal',
    currency: 'text',
    created_at: 'timestamp',
  },
  associations: { order },
  aliases: { email: 'order_email' },
  baseOrder: [],
};
