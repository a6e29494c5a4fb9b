import type { Response } from 'supertest';
import { asAdmin } from './accounts.factory';
import { testDb } from './database';
import { orderInState, type OrderOptions } from './orders.factory';

/** Returns the order as admins see it. */
export async function readOrder(number: string): Promise<any> {
  const reply = await (await asAdmin()).get(`/orders/${number}`);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

/** Creates a complete order with a captured payment: its shipments are ready unless units are backordered. */
export async function aPaidOrder(wishes: OrderOptions = {}): Promise<any> {
  const order = await orderInState('complete', wishes);
  const admin = await asAdmin();
  for (const { id, state } of order.payments) {
    if (state === 'pending') await expectOk(admin.put(`/orders/${order.number}/payments/${id}/capture`));
  }
  return { ...(await readOrder(order.number)), caller: order.caller };
}

/** Creates a complete, paid order whose shipments are all shipped. */
export async function aShippedOrder(wishes: OrderOptions = {}): Promise<any> {
  const order = await aPaidOrder(wishes);
  const admin = await asAdmin();
  for (const { number } of order.shipments) await expectOk(admin.put(`/shipments/${number}/ship`));
  return { ...(await readOrder(order.number)), caller: order.caller };
}

async function expectOk(sent: Promise<Response>): Promise<Response> {
  const reply = await sent;
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

/** Returns the id of the location that has the stock of `aSellableVariant`. */
export async function getDefaultLocationId(): Promise<number> {
  const location = await testDb()('stock_locations').where({ name: 'default' }).first('id');
  return location.id;
}

/** Returns the count on hand of a variant in a location, by default the default one. */
export async function getCountOnHand(variantId: number, locationId?: number): Promise<number> {
  const stock_location_id = locationId ?? (await getDefaultLocationId());
  const item = await testDb()('stock_items')
    .where({ variant_id: variantId, stock_location_id, deleted_at: null })
    .first('count_on_hand');
  return item.count_on_hand;
}

/** Lists the state changes of an order and its parts, as `subject: from > to`. */
export async function listHistory(orderId: number): Promise<string[]> {
  const rows = await testDb()('state_changes').where({ order_id: orderId }).orderBy('id');
  return rows.map((row) => `${row.subject_type}: ${row.from_state ?? ''} > ${row.to_state}`);
}

/** Runs `work` with a changed setting of the store, and resets the setting. */
export async function withStoreSetting(setting: object, work: () => Promise<void>): Promise<void> {
  const store = await testDb()('stores').where({ is_default: true }).first('*');
  const before = Object.fromEntries(Object.keys(setting).map((key) => [key, store[key]]));
  await testDb()('stores').where({ id: store.id }).update(setting);
  try {
    await work();
  } finally {
    await testDb()('stores').where({ id: store.id }).update(before);
  }
}
