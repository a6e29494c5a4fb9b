import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Response } from 'supertest';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { anAdmin, aSignedUpCustomer } from '../support/accounts.factory';
import { api, makeTestApp, type Caller } from '../support/api';
import { ensureTestDatabase, testDb } from '../support/database';
import { anImageOwner } from '../support/images.factory';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState, getPaymentMethodId } from '../support/orders.factory';
import { aCardPayment, anOrderOf, aPaymentIn } from '../support/payments.factory';
import { aPicture } from '../support/pictures';
import { getDefaultShippingCategoryId } from '../support/products.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  readOrder,
  withStoreSetting,
} from '../support/shipments.factory';
import { aStockItem, getStockCounts } from '../support/stock.factory';
import { unique } from '../support/unique';

type Client = ReturnType<typeof api>;

/** Sends one request six times at once under one key. @returns the reply, which is the same for all of them */
async function sixTimes(caller: Caller, send: (client: Client) => Promise<Response>): Promise<Response> {
  const client = api({ ...caller, headers: { 'Idempotency-Key': randomUUID() } });
  const replies = await Promise.all(Array.from({ length: 6 }, () => send(client)));
  const distinct = new Set(
    replies.map(({ status, text, headers }) => JSON.stringify([status, text, headers['content-type']])),
  );
  expect([...distinct]).toHaveLength(1);
  const replayed = replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
  expect(replayed).toHaveLength(5);
  const [first] = replies;
  if (first === undefined) throw new Error('no reply');
  expect(first.status).toBeLessThan(300);
  return first;
}

const countRows = async (table: string, where: object): Promise<number> => {
  const row = await testDb()(table).where(where).count({ count: '*' }).first();
  return Number(row?.['count']);
};

describe('six concurrent requests with one key have one effect:', () => {
  test('an order', async () => {
    const variant = await aSellableVariant();
    const order = { line_items: [{ variant_id: variant.id, quantity: 2 }] };
    const made = await sixTimes({}, (client) => client.post('/orders', { order }));
    expect(await countRows('line_items', { variant_id: variant.id })).toBe(1);
    expect((await api({ orderToken: made.body.token }).get(`/orders/${made.body.number}`)).status).toBe(200);
  });

  test('a line item, its change and its removal', async () => {
    const [variant, other] = [await aSellableVariant(), await aSellableVariant()];
    const order = await orderInState('cart', { lines: [{ variant_id: other.id }] });
    const path = `/orders/${order.number}/line_items`;
    const line_item = { variant_id: variant.id, quantity: 2 };
    const added = await sixTimes(order.caller, (client) => client.post(path, { line_item }));
    expect(added.body.quantity).toBe(2);
    await sixTimes(order.caller, (client) =>
      client.put(`${path}/${added.body.id}`, { line_item: { quantity: 3 } }),
    );
    expect((await readOrder(order.number)).total_quantity).toBe(4);
    await sixTimes(order.caller, (client) => client.delete(`${path}/${added.body.id}`));
    expect((await readOrder(order.number)).total_quantity).toBe(1);
  });

  test('the completion of an order', async () => {
    const variant = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const done = await sixTimes(order.caller, (client) => client.put(`/checkouts/${order.number}/next`));
    expect(done.body.state).toBe('complete');
    expect(await getCountOnHand(variant.id)).toBe(3);
  });

  test('a payment, its capture and a credit', async () => {
    const admin = await anAdmin();
    const order = await anOrderOf('40.00', { state: 'complete' });
    const payment = { payment_method_id: await getPaymentMethodId('Check'), amount: '10.00' };
    await sixTimes(admin, (client) => client.post(`/orders/${order.number}/payments`, { payment }));
    expect(await countRows('payments', { order_id: order.id })).toBe(1);
    const card = await aPaymentIn('pending', await anOrderOf('30.00', { state: 'complete' }));
    await sixTimes(admin, (client) => client.put(`${card}/capture`));
    const id = Number(card.split('/').at(-1));
    await sixTimes(admin, (client) => client.put(`${card}/credit`, { amount: '5.00' }));
    expect(await testDb()('refunds').where({ payment_id: id }).pluck('amount')).toEqual(['5.00']);
  });

  test('a shipment, with and without capture on dispatch', async () => {
    const admin = await anAdmin();
    const paid = await aPaidOrder();
    const [shipment] = paid.shipments;
    await sixTimes(admin, (client) =>
      client.put(`/shipments/${shipment.number}/ship`, { shipment: { tracking: 'T1' } }),
    );
    expect(
      await countRows('state_changes', { order_id: paid.id, subject_type: 'shipment', to_state: 'shipped' }),
    ).toBe(1);
    await withStoreSetting({ auto_capture_on_dispatch: true }, async () => {
      const open = await orderInState('complete');
      const number = open.shipments[0].number;
      const shipped = await sixTimes(admin, (client) => client.put(`/shipments/${number}/ship`));
      expect(shipped.body.state).toBe('shipped');
      expect((await readOrder(open.number)).payment_state).toBe('paid');
    });
  });

  test('a manual shipment and units added to it', async () => {
    const admin = await anAdmin();
    const variant = await aSellableVariant({ stock: 20 });
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    const body = {
      order_id: order.number,
      stock_location_id: await getDefaultLocationId(),
      variant_id: variant.id,
      quantity: 2,
    };
    const made = await sixTimes(admin, (client) => client.post('/shipments', body));
    const items = { variant_id: variant.id, quantity: 3 };
    await sixTimes(admin, (client) => client.put(`/shipments/${made.body.number}/add`, items));
    expect(await getCountOnHand(variant.id)).toBe(14);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a stock movement', async () => {
    const admin = await anAdmin();
    const item = await aStockItem({ count_on_hand: 1 });
    const stock_movement = { stock_item_id: item.id, quantity: 5 };
    await sixTimes(admin, (client) =>
      client.post(`/stock_locations/${item.stock_location_id}/stock_movements`, { stock_movement }),
    );
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 6, ledger: 6 });
  });

  test('a return authorization, its items and their receipt', async () => {
    const admin = await anAdmin();
    const order = await aShippedOrder();
    const reason = await testDb()('return_authorization_reasons').first('id');
    const path = `/orders/${order.number}/return_authorizations`;
    const return_authorization = {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: reason.id,
    };
    const made = await sixTimes(admin, (client) => client.post(path, { return_authorization }));
    const items = { variant_id: order.line_items[0].variant_id, quantity: 1 };
    await sixTimes(admin, (client) => client.put(`${path}/${made.body.id}/add`, items));
    await sixTimes(admin, (client) => client.put(`${path}/${made.body.id}/receive`));
    expect(await countRows('inventory_units', { order_id: order.id, state: 'returned' })).toBe(1);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a product, an image, a user and a token', async () => {
    const admin = await anAdmin();
    const product = {
      name: unique('Lamp'),
      price: '9.00',
      shipping_category_id: await getDefaultShippingCategoryId(),
    };
    const made = await sixTimes(admin, (client) => client.post('/products', { product }));
    expect(await countRows('products', { name: product.name })).toBe(1);
    expect(made.status).toBe(201);
    const owner = await anImageOwner();
    const files = [{ part: 'image[attachment]', bytes: await aPicture(), name: 'a.png' }];
    await sixTimes(admin, (client) => client.multipart('post', `/products/${owner.id}/images`, { files }));
    expect((await api().get(`/products/${owner.id}/images`)).body.images).toHaveLength(1);
    const customer = await aSignedUpCustomer();
    const user = { email: `${unique('new')}@example.com` };
    await sixTimes(admin, (client) => client.put(`/users/${customer.id}`, { user }));
    await sixTimes(admin, (client) =>
      client.post(`/users/${customer.id}/tokens`, { api_token: { name: 'till' } }),
    );
    expect(await countRows('api_tokens', { user_id: customer.id, name: 'till' })).toBe(1);
  });

  test('a setting and its deletion', async () => {
    const admin = await anAdmin();
    const tax_category = { name: unique('Books') };
    const made = await sixTimes(admin, (client) => client.post('/tax_categories', { tax_category }));
    await sixTimes(admin, (client) => client.delete(`/tax_categories/${made.body.id}`));
    expect((await api(admin).get(`/tax_categories/${made.body.id}`)).status).toBe(404);
  });

  test('a cancellation that calls gateways', async () => {
    const order = await orderInState('complete');
    const canceled = await sixTimes(order.caller, (client) => client.put(`/orders/${order.number}/cancel`));
    expect(canceled.body.state).toBe('canceled');
    await expectNoViolations({ order_ids: [order.id] });
  });
});

test('two keys are two requests', async () => {
  const order = await anOrderOf('30.00', { state: 'complete' });
  const payment = await aCardPayment(order);
  expect(payment.state).toBe('checkout');
  const item = await aStockItem({ count_on_hand: 1 });
  const admin = await anAdmin();
  const stock_movement = { stock_item_id: item.id, quantity: 1 };
  for (const key of ['one', 'two']) {
    const client = api({ ...admin, headers: { 'Idempotency-Key': key } });
    const path = `/stock_locations/${item.stock_location_id}/stock_movements`;
    expect((await client.post(path, { stock_movement })).status).toBe(201);
  }
  expect(await getStockCounts(item)).toEqual({ count_on_hand: 3, ledger: 3 });
});

test('a key whose row a transaction holds, as a commit that waits for a replica does, is answered if its reply is stored, and busy if not', async () => {
  const keys = [randomUUID(), randomUUID()];
  const db = connectDatabase({
    url: await ensureTestDatabase(),
    poolSize: 4,
    log: pino({ level: 'silent' }),
    timeouts: 'request',
  });
  const app = makeTestApp({ db });
  const post = (key = '') => api({ headers: { 'Idempotency-Key': key } }, app).post('/orders');
  for (const key of keys) expect((await post(key)).status).toBe(201);
  const [answered, running] = await testDb()('idempotency_keys').orderBy('created_at', 'desc').limit(2);
  await testDb()('idempotency_keys').where({ digest: running.digest }).update({ reply: null });
  const holder = await testDb().transaction();
  try {
    await holder('idempotency_keys').whereIn('digest', [answered.digest, running.digest]).forUpdate();
    const replies = await Promise.all(keys.map(post));
    expect(replies.map(({ status, headers }) => [status, headers['x-error-code'] ?? null]).sort()).toEqual([
      [201, null],
      [409, 'request_running'],
    ]);
  } finally {
    await holder.rollback();
    await closeDatabase(db);
  }
});
