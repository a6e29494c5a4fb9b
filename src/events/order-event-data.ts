import type { Db } from '../platform/database/knex';
import { formatDecimal } from '../platform/money';
import { isRecord } from '../platform/parameters';
import { getShippingMethods } from '../sales/fulfilment/shipping-method-graph';
import type { OrderDetailJson } from '../sales/order-replies/orders.schema';
import { serializeOrderDetail } from '../sales/order-replies/orders.serializer';
import { loadOrderGraphs } from '../sales/order/load-order-graph';
import type { OrderGraph } from '../sales/order/order-graph';
import { loadVariantsOfOrders } from '../sales/order/order-variants';
import type { NotedEvent } from '../sales/order/order-events';
import { removeProfiles } from '../sales/order/order-events.repository';
import type { EventNote } from './event-notes.repository';
import type { NewEvent } from './log/events.repository';

type OrderNote = Extract<EventNote, { kind: 'order' }>;

const TIMES = new Set([
  'created_at',
  'updated_at',
  'completed_at',
  'canceled_at',
  'approved_at',
  'shipped_at',
  'unit_shipped_at',
  'read_at',
  'transaction_time',
]);

/** Builds the events of notes of orders, by the id of the note. Orders that were deleted meanwhile have none. */
export async function buildOrderEvents(
  db: Db,
  notes: readonly OrderNote[],
): Promise<Map<string, NewEvent[]>> {
  // The last state of an order in a transaction is what the transaction has made of it.
  const records = new Map<string, object>();
  for (const note of notes) if (note.record !== null) records.set(buildKey(note), note.record);
  const unknown = notes.filter((note) => !records.has(buildKey(note))).map(({ subject_id }) => subject_id);
  const current = new Map(
    (await loadOrderGraphs(db, [...new Set(unknown)])).map((one) => [one.id, removeProfiles(one)]),
  );
  // Notes of one transaction share a record, which is revived and serialized once.
  const revived = new Map<object, OrderGraph>();
  const read = notes.flatMap((note) => {
    const record = note.record ?? records.get(buildKey(note));
    const order =
      record === undefined ? current.get(note.subject_id) : (revived.get(record) ?? reviveOrder(record));
    if (order === undefined) return [];
    if (record !== undefined) revived.set(record, order);
    return [{ note, order }];
  });
  const variants = await loadVariants(
    db,
    read.map(({ order }) => order),
  );
  const serialized = new Map<OrderGraph, OrderDetailJson>();
  for (const order of new Set(read.map((one) => one.order))) {
    const view = {
      order,
      variants,
      token: '',
      audience: 'admin' as const,
      shipping_methods: await getShippingMethods(db, order.revisions),
      can_update: true,
      shows_cards: true,
      payment_methods: null,
      inventory_units: null,
    };
    serialized.set(order, serializeOrderDetail(view));
  }
  const events = new Map<string, NewEvent[]>();
  for (const { note, order } of read) {
    const json = serialized.get(order);
    if (json === undefined) continue;
    events.set(
      note.id,
      note.types
        .filter((noted) => !isRepeated(noted, note, notes))
        .flatMap((noted) => buildEvent(noted, json, note.created_at) ?? []),
    );
  }
  return events;
}

/** Whether an update is part of another event of its transaction: of a later update, a completion or a cancellation. */
function isRepeated({ type }: NotedEvent, note: OrderNote, notes: readonly OrderNote[]): boolean {
  if (type !== 'order.updated') return false;
  return notes.some(
    (other) =>
      buildKey(other) === buildKey(note) &&
      other.types.some(
        (one) =>
          one.type === 'order.completed' ||
          one.type === 'order.canceled' ||
          (one.type === 'order.updated' && Number(other.id) > Number(note.id)),
      ),
  );
}

const buildKey = ({ transaction_id, subject_id }: OrderNote): string => `${transaction_id} ${subject_id}`;

/** Restores the graph of an order that was noted as JSON: times are text in it. */
function reviveOrder(record: object): OrderGraph {
  reviveTimes(record);
  // Only `buildEventNote` writes these records.
  return { ...(record as OrderGraph), variants: new Map() };
}

/** Turns text into times, in place: the record of a large order consists of thousands of objects. */
function reviveTimes(value: unknown): void {
  if (Array.isArray(value)) value.forEach(reviveTimes);
  else if (isRecord(value)) {
    for (const [key, one] of Object.entries(value)) {
      if (typeof one === 'string') {
        if (TIMES.has(key)) value[key] = new Date(one);
      } else if (!key.endsWith('metadata')) reviveTimes(one);
    }
  }
}

function loadVariants(db: Db, orders: readonly OrderGraph[]) {
  const ids = orders.flatMap(({ line_items, shipments }) => [
    ...line_items.map(({ variant_id }) => variant_id),
    ...shipments.flatMap(({ units }) => units.map(({ variant_id }) => variant_id)),
  ]);
  return loadVariantsOfOrders(db, [...new Set(ids)]);
}

/** Null if the payment or shipment has gone in the same transaction. */
function buildEvent(
  { type, id, dispute }: NotedEvent,
  json: OrderDetailJson,
  created_at: Date,
): NewEvent | null {
  const order = { ...json, token: undefined };
  const event = { type, created_at, order_id: order.id };
  const nested = type.startsWith('payment.')
    ? { subject_type: 'payment', record: order.payments.find((one) => one.id === id) }
    : type.startsWith('shipment.')
      ? { subject_type: 'shipment', record: order.shipments.find((one) => one.id === id) }
      : { subject_type: 'order', record: order };
  const { subject_type, record } = nested;
  if (record === undefined) return null;
  const disputed =
    dispute === undefined ? {} : { dispute: { ...dispute, amount: formatDecimal(dispute.amount) } };
  const data = subject_type === 'order' ? record : { ...record, order_number: order.number, ...disputed };
  return { ...event, subject_type, subject_id: id, subject_number: record.number, data };
}
