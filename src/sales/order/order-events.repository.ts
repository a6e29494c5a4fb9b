import type { BoundStatement } from '../../platform/database/prepared';
import type { OrderGraph, PaymentGraph } from './order-graph';
import type { NotedEvent } from './order-events';

const NOTE_EVENTS = {
  name: 'note_order_events',
  sql: `INSERT INTO event_notes (kind, subject_id, types, record) VALUES ('order', ?::integer, ?::jsonb, ?::json)`,
};

/**
 * Builds the note of the events of an order, with the order as it is then: it is serialized when it is published, outside of the
 * transaction. The note has no token and no secrets of gateways.
 */
export function buildEventNote(order: OrderGraph, events: readonly NotedEvent[]): BoundStatement {
  const record = {
    ...order,
    token_seed: undefined,
    token_hash: undefined,
    variants: undefined,
    payments: order.payments.map(removeProfiles),
  };
  return { statement: NOTE_EVENTS, bindings: [order.id, JSON.stringify(events), JSON.stringify(record)] };
}

function removeProfiles(payment: PaymentGraph): PaymentGraph {
  if (payment.card === null) return payment;
  return {
    ...payment,
    card: { ...payment.card, gateway_customer_profile_id: null, gateway_payment_profile_id: null },
  };
}
