import type { BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph, PaymentGraph } from './order-graph';
import type { NotedEvent } from './order-events';

const NOTE_EVENTS = {
  name: 'note_order_events',
  sql: `INSERT INTO event_notes (kind, subject_id, types, record) VALUES ('order', ?::integer, ?::jsonb, ?::json)`,
};

/** Tells the trigger of completions, which would search the notes. */
const NOTE_COMPLETION = {
  name: 'note_order_completion',
  sql: `INSERT INTO event_notes (kind, subject_id, types, record) SELECT 'order', noted::integer, ?::jsonb, ?::json
    FROM set_config('store.noted_completion', ?, true) noted`,
};

/**
 * Builds the note of the events of an order, with the order as it is then: it is serialized when it is published, outside of the
 * transaction. The note has no token and no secrets of gateways.
 */
export function buildEventNote(order: OrderGraph, events: readonly NotedEvent[]): BoundStatement {
  const record = {
    ...removeProfiles(order),
    token_seed: undefined,
    token_hash: undefined,
    variants: undefined,
  };
  const [types, text] = [JSON.stringify(events), JSON.stringify(record)];
  return events.some(({ type }) => type === 'order.completed')
    ? { statement: NOTE_COMPLETION, bindings: [types, text, String(order.id)] }
    : { statement: NOTE_EVENTS, bindings: [order.id, types, text] };
}

/** Removes the references of cards at their gateways, which are secrets. */
export function removeProfiles(order: OrderGraph): OrderGraph {
  const withoutProfile = (payment: PaymentGraph): PaymentGraph =>
    payment.card === null
      ? payment
      : {
          ...payment,
          card: { ...payment.card, gateway_customer_profile_id: null, gateway_payment_profile_id: null },
        };
  return { ...order, payments: order.payments.map(withoutProfile) };
}

/**
 * Notes an update of each of these orders that is complete. For locked orders that were changed without their writer; they are read
 * when the event is published.
 */
export async function noteOrderUpdates(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.raw(
    `SELECT note_order_event(id, 'order.updated', id) FROM orders
      WHERE id = ANY (?) AND completed_at IS NOT NULL ORDER BY id`,
    [[...ids]],
  );
}
