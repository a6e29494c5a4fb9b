import type { SearchDefinition } from '../../platform/query-builder/define-search';

export const shipmentSearch: SearchDefinition = {
  table: 'shipments',
  attributes: {
    id: 'integer',
    number: 'text',
    state: 'text',
    tracking: 'text',
    stock_location_id: 'integer',
    cost: 'decimal',
    shipped_at: 'timestamp',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
  associations: {
    order: {
      table: 'orders',
      on: (shipment, order) => `${order}.id = ${shipment}.order_id`,
      attributes: { number: 'text', completed_at: 'timestamp', state: 'text' },
    },
  },
  baseOrder: [],
  feed: { at: 'shipments.feed_at', unsettled: "shipments.state = 'pending'" },
};

/** The shipments of one customer, newest first. */
export const ownShipmentSearch: SearchDefinition = {
  ...shipmentSearch,
  baseOrder: ['coalesce(shipments.shipped_at, shipments.created_at) DESC'],
};
