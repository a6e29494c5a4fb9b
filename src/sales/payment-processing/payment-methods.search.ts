import type { SearchDefinition } from '../../platform/query-builder/define-search';

/** Credentials are not among these: a search would let them be guessed letter by letter. */
export const paymentMethodSearch: SearchDefinition = {
  table: 'payment_methods',
  attributes: {
    id: 'integer',
    name: 'text',
    description: 'text',
    gateway: 'text',
    method_type: 'text',
    display_on: 'text',
    active: 'boolean',
    position: 'integer',
  },
  baseOrder: ['payment_methods.position ASC'],
};
