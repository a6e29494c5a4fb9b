import type { OrderGraph } from './order-graph';
import type { StateChange } from './state-changes.repository';

/** An event of an order, or of one of its payments or shipments. */
export interface NotedEvent {
  type: OrderEventType;
  /** Of the order, payment or shipment. */
  id: number;
  /** Of a disputed payment. */
  dispute?: Dispute;
}

/** The claim of a buyer that a payment must be given back, in the words of its provider. */
export interface Dispute {
  reference: string;
  state: string;
  /** A decimal string. */
  amount: string;
  reason: string | null;
}

export const ORDER_EVENT_TYPES = [
  ...(['order.completed', 'order.canceled', 'order.updated', 'order.paid'] as const),
  ...(['payment.authorized', 'payment.captured', 'payment.failed', 'payment.voided'] as const),
  ...([
    'payment.refunded',
    'payment.disputed',
    'shipment.ready',
    'shipment.shipped',
    'shipment.updated',
  ] as const),
  'cart.abandoned',
] as const;

export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number];

/**
 * Returns what a change of an order means to others; nothing for carts. Every change of a complete order is an event, at least
 * `order.updated`. The events of payments and shipments follow from their history (`migrations/functions/events.sql`).
 * @param history the transitions of the change
 */
export function listOrderEvents(
  before: Pick<OrderGraph, 'completed_at' | 'payment_state'>,
  after: OrderGraph,
  history: readonly StateChange[],
): NotedEvent[] {
  if (after.completed_at === null) return [];
  const { id } = after;
  const isCanceled = history.some(
    ({ subject_type, to_state }) => subject_type === 'order' && to_state === 'canceled',
  );
  const type =
    before.completed_at === null ? 'order.completed' : isCanceled ? 'order.canceled' : 'order.updated';
  const isPaid = after.payment_state === 'paid' && before.payment_state !== 'paid';
  return [{ type, id }, ...(isPaid ? [{ type: 'order.paid' as const, id }] : [])];
}
