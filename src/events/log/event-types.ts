import { ORDER_EVENT_TYPES } from '../../sales/order/order-events';

/** All types of events. */
export const EVENT_TYPES = [
  ...ORDER_EVENT_TYPES,
  ...(['return.created', 'return.received', 'return.canceled'] as const),
  ...(['product.created', 'product.updated', 'product.deleted'] as const),
  ...(['variant.created', 'variant.updated', 'variant.deleted'] as const),
  ...(['stock.changed', 'stock.low', 'stock.out'] as const),
  ...(['customer.created', 'customer.updated', 'customer.deleted', 'customer.erased'] as const),
] as const;

export const SUBJECT_TYPES = [
  ...(['order', 'payment', 'shipment', 'return', 'product', 'variant', 'stock_item', 'customer'] as const),
] as const;
