import { randomBytes } from 'node:crypto';
import { sendAll, withTransaction } from '../../src/platform/database/transaction';
import { buildUnstock, lockStockAt } from '../../src/inventory/stock-ledger';
import { asAdmin } from './accounts.factory';
import { testDb } from './database';
import { unique } from './unique';

export interface TestStockItem {
  id: number;
  stock_location_id: number;
  variant_id: number;
  count_on_hand: number;
  backorderable: boolean;
}

/** Creates a product on sale without stock items and returns its master. */
export async function aStockedVariant(
  attributes: { sku?: string; name?: string; track_inventory?: boolean; cost_price?: string } = {},
): Promise<{ id: number; sku: string }> {
  const db = testDb();
  const { name = 'Canvas Tote', sku = unique('sku'), ...columns } = attributes;
  const [category] = await db('shipping_categories')
    .insert({ name: unique('category') })
    .returning('id');
  const [product] = await db('products')
    .insert({ name, slug: unique('tote'), available_on: '2020-01-01', shipping_category_id: category.id })
    .returning('id');
  const [variant] = await db('variants')
    .insert({ product_id: product.id, is_master: true, position: 1, sku, ...columns })
    .returning('id');
  await db('prices').insert({ variant_id: variant.id, currency: 'USD', amount: '15.99' });
  return { id: variant.id, sku };
}

/** Creates a location through the API; without stock items by default. */
export async function aStockLocation(attributes: object = {}): Promise<{ id: number; name: string }> {
  const reply = await (
    await asAdmin()
  ).post('/stock_locations', {
    stock_location: { name: unique('Depot'), propagate_all_variants: false, ...attributes },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Creates a stock item through the API; by default of a new variant at a new location. */
export async function aStockItem(
  attributes: {
    count_on_hand?: number;
    backorderable?: boolean;
    stock_location_id?: number;
    variant_id?: number;
  } = {},
): Promise<TestStockItem> {
  const location = attributes.stock_location_id ?? (await aStockLocation()).id;
  const variant_id = attributes.variant_id ?? (await aStockedVariant()).id;
  const { count_on_hand = 0, backorderable = false } = attributes;
  const reply = await (
    await asAdmin()
  ).post(`/stock_locations/${location}/stock_items`, {
    stock_item: { variant_id, count_on_hand, backorderable },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Returns the count on hand and the sum of the movements that count, which must be equal. */
export async function getStockCounts(item: {
  id: number;
}): Promise<{ count_on_hand: number; ledger: number }> {
  const { rows } = await testDb().raw<{ rows: { count_on_hand: number; ledger: number }[] }>(
    `SELECT count_on_hand, (SELECT COALESCE(sum(quantity), 0) FROM stock_movements
                             WHERE stock_item_id = stock_items.id AND counted)::integer AS ledger
       FROM stock_items WHERE id = ?`,
    [item.id],
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error(`no stock item ${item.id}`);
  return counts;
}

export interface WaitingOrder {
  id: number;
  number: string;
  shipment_id: number;
}

/**
 * Inserts a complete, free order that waits for `quantity` units of the item, its stock taken. The rows are
 * written directly, so that the test chooses states and times.
 */
export async function aWaitingOrder(
  item: TestStockItem,
  attributes: { quantity?: number; completed_at?: Date | null; state?: string; shipment_state?: string } = {},
): Promise<WaitingOrder> {
  const {
    quantity = 1,
    completed_at = new Date(),
    state = 'complete',
    shipment_state = 'pending',
  } = attributes;
  const db = testDb();
  const number = `R${randomBytes(6).toString('hex').toUpperCase()}`;
  const [order] = await db('orders')
    .insert({
      number,
      token_seed: randomBytes(16),
      token_hash: randomBytes(32),
      state,
      currency: 'USD',
      email: 'buyer@example.com',
      completed_at,
      payment_state: completed_at === null ? null : 'paid',
      shipment_state: completed_at === null ? null : 'backorder',
      total_quantity: quantity,
    })
    .returning('id');
  const [line] = await db('line_items')
    .insert({ order_id: order.id, variant_id: item.variant_id, quantity, price: '0' })
    .returning('id');
  const [shipment] = await db('shipments')
    .insert({
      number: `H${number.slice(1)}`,
      order_id: order.id,
      stock_location_id: item.stock_location_id,
      state: shipment_state,
      shipped_at: shipment_state === 'shipped' ? new Date() : null,
    })
    .returning('id');
  await db('inventory_units').insert(
    Array.from({ length: quantity }, () => ({
      order_id: order.id,
      line_item_id: line.id,
      variant_id: item.variant_id,
      shipment_id: shipment.id,
      state: 'backordered',
      pending: completed_at === null,
    })),
  );
  if (completed_at !== null) await unstockFor(item, shipment.id, quantity);
  return { id: order.id, number, shipment_id: shipment.id };
}

async function unstockFor(item: TestStockItem, shipmentId: number, quantity: number): Promise<void> {
  await withTransaction({ db: testDb() }, async (tx) => {
    const { stock_location_id, variant_id } = item;
    const originator = { type: 'Store::Shipment', id: shipmentId } as const;
    const locked = await lockStockAt(tx, [item]);
    sendAll(tx, buildUnstock(locked, [{ stock_location_id, variant_id, quantity, originator }], null));
  });
}

/**
 * Returns the states of the order's inventory units, of its shipment, and the shipment state of the order.
 */
export async function getFillState(
  order: WaitingOrder,
): Promise<{ units: string[]; shipment: string; shipment_state: string | null }> {
  const db = testDb();
  const units = await db('inventory_units').where({ order_id: order.id }).orderBy('id').pluck('state');
  const shipment = await db('shipments').where({ id: order.shipment_id }).first('state');
  const { shipment_state } = await db('orders').where({ id: order.id }).first('shipment_state');
  return { units, shipment: shipment.state, shipment_state };
}
