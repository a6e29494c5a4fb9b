import { buildProgramActor } from '../access/actor';
import { findUserGraph } from '../accounts/users/users.repository';
import { serializeUser } from '../accounts/users/users.serializer';
import { loadProductGraphs } from '../catalog/product-graph';
import { serializeProduct } from '../catalog/products/products.serializer';
import { attachCommitted, loadVariantGraphsWithStock } from '../catalog/variant-graph';
import { serializeVariantWithStock } from '../catalog/variants/variants.serializer';
import { attachVariants } from '../inventory/stock-items/stock-item-graph';
import { findStockItems } from '../inventory/stock-items/stock-items.repository';
import { serializeStockItem } from '../inventory/stock-items/stock-items.serializer';
import { createVariantStock } from '../inventory/variant-stock';
import type { Db } from '../platform/database/knex';
import type { ReturnAuthorizationRow } from '../sales/return-authorizations/return-authorizations.repository';
import { serializeReturnAuthorization } from '../sales/return-authorizations/return-authorizations.serializer';
import type { EventNote } from './event-notes.repository';
import type { NewEvent } from './log/events.repository';
import { findLowStockThreshold, findReturnsById } from './event-subjects.repository';
import { buildOrderEvents } from './order-event-data';

/** Everything is shown as to an administrator. */
const READER = buildProgramActor();

/** What an event says of its record. */
type Shown = Pick<NewEvent, 'data' | 'subject_number' | 'order_id'>;

type NoteOf<Kind extends EventNote['kind']> = Extract<EventNote, { kind: Kind }>;

/** Builds the events of notes, in their order. A constant number of statements for each kind, but for customers. */
export async function buildEvents(db: Db, notes: readonly EventNote[]): Promise<NewEvent[]> {
  const ofOrders = await buildOrderEvents(db, notes.filter(isOf('order')));
  const products = await showProducts(db, listIds(notes, 'product'));
  const variants = await showVariants(db, listIds(notes, 'variant'));
  const customers = await showCustomers(db, listIds(notes, 'customer'));
  const returns = await findReturnsById(db, listIds(notes, 'return'));
  const stock = notes.filter(isOf('stock'));
  const items = await findItems(db, listIds(notes, 'stock'));
  const threshold = stock.length > 0 ? await findLowStockThreshold(db) : 0;
  return notes.flatMap((note): NewEvent[] => {
    switch (note.kind) {
      case 'order':
        return ofOrders.get(note.id) ?? [];
      case 'product':
        return build(note, 'product', products.get(note.subject_id));
      case 'variant':
        return build(note, 'variant', variants.get(note.subject_id));
      case 'customer':
        return build(note, 'customer', customers.get(note.subject_id));
      case 'return':
        return build(note, 'return', showReturn(returns.get(note.subject_id), note));
      case 'stock':
        return build(
          { ...note, types: listStockTypes(note, threshold) },
          'stock_item',
          items.get(note.subject_id)?.(note.record.after),
        );
    }
  });
}

const isOf =
  <Kind extends EventNote['kind']>(kind: Kind) =>
  (note: EventNote): note is NoteOf<Kind> =>
    note.kind === kind;

function listIds(notes: readonly EventNote[], kind: EventNote['kind']): number[] {
  return [...new Set(notes.filter(isOf(kind)).map(({ subject_id }) => subject_id))];
}

/** A record that is gone is shown by its id. */
function build(
  { types, subject_id, created_at }: { types: readonly string[]; subject_id: number; created_at: Date },
  subject_type: string,
  shown: Shown = { data: { id: subject_id }, subject_number: null, order_id: null },
): NewEvent[] {
  return types.map((type) => ({ type, created_at, subject_type, subject_id, ...shown }));
}

async function showProducts(db: Db, ids: readonly number[]): Promise<Map<number, Shown>> {
  const graphs = await loadProductGraphs(db, ids);
  return new Map(graphs.map((graph) => [graph.product.id, show(serializeProduct(graph, 'admin'))]));
}

async function showVariants(db: Db, ids: readonly number[]): Promise<Map<number, Shown>> {
  if (ids.length === 0) return new Map();
  const graphs = await loadVariantGraphsWithStock(db, ids);
  const items = graphs.flatMap(({ stock_items }) => stock_items);
  const committed = await createVariantStock(null).countCommitted(db, items);
  return new Map(
    attachCommitted(graphs, committed).map((graph) => [
      graph.variant.id,
      show(serializeVariantWithStock(graph, 'admin'), graph.variant.sku),
    ]),
  );
}

async function showCustomers(db: Db, ids: readonly number[]): Promise<Map<number, Shown>> {
  const shown = new Map<number, Shown>();
  for (const id of ids) {
    const user = await findUserGraph(db, id);
    if (user !== undefined) shown.set(id, show(serializeUser(user, READER)));
  }
  return shown;
}

function showReturn(
  row: ReturnAuthorizationRow | undefined,
  { record }: NoteOf<'return'>,
): Shown | undefined {
  if (row === undefined) return undefined;
  const data = { ...serializeReturnAuthorization(row), state: record.state };
  return { data, subject_number: row.number, order_id: row.order_id };
}

/** Stock items by id: each as it was with a count. */
async function findItems(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, (count_on_hand: number) => Shown>> {
  if (ids.length === 0) return new Map();
  const items = await attachVariants(db, await findStockItems(db, ids));
  return new Map(
    items.map((item) => [
      item.id,
      (count_on_hand) => show(serializeStockItem({ ...item, count_on_hand }), item.variant.variant.sku),
    ]),
  );
}

const show = (data: object, subject_number: string | null = null): Shown => ({
  data: { ...data },
  subject_number,
  order_id: null,
});

/** Stock is low below the threshold, and out at nothing; each is reported when it begins. */
function listStockTypes({ types, record: { before, after } }: NoteOf<'stock'>, threshold: number): string[] {
  return [
    ...types,
    ...(before >= threshold && after < threshold ? ['stock.low'] : []),
    ...(before > 0 && after <= 0 ? ['stock.out'] : []),
  ];
}
