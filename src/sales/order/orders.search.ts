import { metadataSearch } from '../../access/metadata';
import type { Association, Attribute, SearchDefinition } from '../../platform/query-builder/define-search';

import type { FeedSource } from '../../platform/query-builder/feed';

/** Users have no name of their own: `user_name` is their e-mail. */
const userName: Attribute = { type: 'text', sql: (user) => `${user}.email` };

function address(column: 'bill_address_id' | 'ship_address_id'): Association {
  return {
    table: 'addresses',
    on: (order, address) => `${address}.id = ${order}.${column}`,
    attributes: { firstname: 'text', lastname: 'text', company: 'text' },
  };
}

/** Token columns are left out: searching them would allow guessing a token letter by letter. */
export const orderSearch: SearchDefinition = {
  table: 'orders',
  attributes: {
    id: 'integer',
    number: 'text',
    email: 'text',
    state: 'text',
    payment_state: 'text',
    shipment_state: 'text',
    total: 'decimal',
    item_total: 'decimal',
    completed_at: 'timestamp',
    created_at: 'timestamp',
    updated_at: 'timestamp',
    considered_risky: 'boolean',
    user_id: 'integer',
    channel: 'text',
    currency: 'text',
    special_instructions: 'text',
    vat_id: 'text',
  },
  adminAttributes: metadataSearch,
  associations: {
    user: {
      table: 'users',
      on: (order, user) => `${user}.id = ${order}.user_id`,
      attributes: { id: 'integer', email: 'text', name: userName },
    },
    bill_address: address('bill_address_id'),
    ship_address: address('ship_address_id'),
    line_items: {
      table: 'line_items',
      on: (order, line) => `${line}.order_id = ${order}.id`,
      attributes: { variant_id: 'integer' },
    },
    payments: {
      table: 'payments',
      on: (order, payment) => `${payment}.order_id = ${order}.id`,
      attributes: { state: 'text' },
    },
    shipments: {
      table: 'shipments',
      on: (order, shipment) => `${shipment}.order_id = ${order}.id`,
      attributes: { number: 'text', state: 'text' },
    },
    promotions: {
      table: `(SELECT order_promotions.order_id, promotions.id, promotions.code
               FROM order_promotions JOIN promotions ON promotions.id = order_promotions.promotion_id)`,
      on: (order, promotion) => `${promotion}.order_id = ${order}.id`,
      attributes: { id: 'integer', code: 'text' },
    },
  },
  baseOrder: [],
};

/** The complete orders, by their last change. */
export const FEED: FeedSource = { at: 'orders.feed_at' };

/** All orders. No index orders the open ones, because it would cost every step of a checkout a heap-only update. */
export const FEED_WITH_CARTS: FeedSource = { ...FEED, unsettled: 'orders.completed_at IS NULL' };

/** The orders of one user: completed orders first, newest first. */
export const ownOrderSearch: SearchDefinition = {
  ...orderSearch,
  baseOrder: ['orders.completed_at DESC NULLS LAST', 'orders.created_at DESC'],
};
