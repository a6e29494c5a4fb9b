import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api, type Caller } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, getTotalOnHand, orderInState } from '../../support/orders.factory';

const CANCELED = { base: ['The order is canceled'] };

const buildLinesPath = (order: { number: string }): string => `/orders/${order.number}/line_items`;

async function aCart(caller: Caller = {}): Promise<any> {
  const opened = (await api(caller).post('/orders')).body;
  return { ...opened, caller: { ...caller, orderToken: opened.token } };
}

describe('adding', () => {
  test('adding a variant twice makes one line at its first price', async () => {
    const tote = await aSellableVariant({ price: '19.99', product: { name: 'Canvas Tote' } });
    const cart = await aCart();
    const add = (line_item: object) => api(cart.caller).post(`${buildLinesPath(cart)}.json`, { line_item });
    const first = await add({ variant_id: tote.id });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      quantity: 1,
      price: '19.99',
      variant_id: tote.id,
      single_display_amount: '$19.99',
      display_amount: '$19.99',
      display_total: '$19.99',
      total: '19.99',
      adjustments: [],
      variant: { id: tote.id, name: 'Canvas Tote', product_id: tote.product_id },
    });
    await api(await anAdmin()).put(`/products/${tote.product_id}`, { product: { price: '1' } });
    const second = await add({ variant_id: String(tote.id), quantity: '2' });
    expect(second.status).toBe(201);
    // 3 x 19.99, exactly; the price of the first time.
    expect(second.body).toMatchObject({ id: first.body.id, quantity: 3, price: '19.99', total: '59.97' });
  });

  test('accepts query and form encoding, also below /checkouts', async () => {
    const tote = await aSellableVariant();
    const cart = await aCart();
    const query = await api(cart.caller).post(
      `${buildLinesPath(cart)}?line_item[variant_id]=${tote.id}&line_item[quantity]=2`,
    );
    expect(query.body.quantity).toBe(2);
    const checkoutLines = `/checkouts/${cart.number}/line_items`;
    const added = await api(cart.caller).post(checkoutLines, { variant_id: tote.id });
    expect([added.status, added.body.quantity]).toEqual([201, 3]);
    expect((await api().post(checkoutLines, { variant_id: tote.id })).status).toBe(401);
    expect((await api(cart.caller).get(`${checkoutLines}/new`)).body).toEqual({
      attributes: ['quantity', 'price', 'variant_id'],
      required_attributes: ['variant_id', 'quantity'],
    });
    expect((await api(cart.caller).delete(`${checkoutLines}/${added.body.id}`)).status).toBe(204);
  });

  test('refuses another currency than that of the order', async () => {
    const tote = await aSellableVariant();
    const cart = await aCart();
    const refused = { currency: ['Must match order currency'] };
    const lines = buildLinesPath(cart);
    const euros = await api(cart.caller).post(lines, { line_item: { variant_id: tote.id, currency: 'EUR' } });
    expect([euros.status, euros.body.errors]).toEqual([422, refused]);
    const added = await api(cart.caller).post(lines, { line_item: { variant_id: tote.id, currency: 'usd' } });
    expect([added.status, added.headers['x-ignored-parameters']]).toEqual([201, undefined]);
    const changes = { quantity: 2, currency: 'EUR' };
    const changed = await api(cart.caller).put(`${lines}/${added.body.id}`, { line_item: changes });
    expect([changed.status, changed.body.errors]).toEqual([422, refused]);
    const order = { line_items: [{ variant_id: tote.id, currency: 'EUR' }] };
    const created = await api().post('/orders', { order });
    expect([created.status, created.body.errors]).toEqual([422, { 'line_items.currency': refused.currency }]);
  });

  test('returns 404 for what the caller cannot see', async () => {
    const cart = await aCart();
    const future = await aSellableVariant({ product: { available_on: '2999-01-01' } });
    const gone = await aSellableVariant();
    await api(await anAdmin()).delete(`/products/${gone.product_id}`);
    for (const line_item of [
      { variant_id: 2147483647 },
      { variant_id: 99999999999 },
      { variant_id: 'tote' },
      { variant_id: {} },
      { variant_id: future.id },
      { variant_id: gone.id },
      {},
    ]) {
      expect((await api(cart.caller).post(buildLinesPath(cart), { line_item })).status).toBe(404);
    }
    const byAdmin = await api(await anAdmin()).post(buildLinesPath(cart), {
      line_item: { variant_id: future.id },
    });
    expect(byAdmin.status).toBe(201);
  });

  test('quantities must be integers above zero, in range and in stock', async () => {
    const tote = await aSellableVariant({ stock: 2, product: { name: 'Canvas Tote' } });
    const cart = await aCart();
    const add = (quantity: unknown) =>
      api(cart.caller).post(buildLinesPath(cart), { line_item: { variant_id: tote.id, quantity } });
    const refusals: [unknown, string][] = [
      [0, 'must be greater than 0'],
      [-1, 'must be greater than or equal to 0'],
      [1.5, 'must be an integer'],
      ['x', 'is not a number'],
      [2147483648, 'must be less than or equal to 2147483647'],
      [3, 'selected of "Canvas Tote" is not available.'],
    ];
    for (const [quantity, message] of refusals) {
      const reply = await add(quantity);
      expect([reply.status, reply.body.errors]).toEqual([422, { quantity: [message] }]);
    }
    expect((await add(2)).status).toBe(201);
    expect((await add(1)).body.errors).toEqual({
      quantity: ['selected of "Canvas Tote" is not available.'],
    });
    expect(await getTotalOnHand(tote.id)).toBe(2);
  });

  test('backorderable and untracked variants have no stock limit', async () => {
    const backordered = await aSellableVariant({ stock: 0, backorderable: true });
    const untracked = await aSellableVariant({ stock: 0 });
    await api(await anAdmin()).put(`/variants/${untracked.id}`, { variant: { track_inventory: false } });
    const cart = await aCart();
    for (const { id } of [backordered, untracked]) {
      const reply = await api(cart.caller).post(buildLinesPath(cart), {
        line_item: { variant_id: id, quantity: 500 },
      });
      expect(reply.status).toBe(201);
    }
  });

  test('only admins may set prices', async () => {
    const tote = await aSellableVariant({ price: '15.99' });
    const cart = await aCart();
    const line_item = { variant_id: tote.id, price: '0.01' };
    expect((await api(cart.caller).post(buildLinesPath(cart), { line_item })).body.price).toBe('15.99');
    expect((await api(await anAdmin()).post(buildLinesPath(cart), { line_item })).body.price).toBe('0.01');
  });

  test('during checkout goes back to address', async () => {
    const order = await orderInState('payment');
    const mug = await aSellableVariant({ price: '4' });
    const added = await api(order.caller).post(buildLinesPath(order), { line_item: { variant_id: mug.id } });
    expect(added.status).toBe(201);
    const shown = await api(order.caller).get(`/orders/${order.number}`);
    expect(shown.body).toMatchObject({ state: 'address', ship_total: '0.0', shipments: [], total: '35.98' });
    expect(shown.body.ship_address).toMatchObject({ city: 'Bethesda' });
  });
});

test('new returns the attributes of a line on both paths, to those who may see the order', async () => {
  const cart = await aCart();
  for (const path of [buildLinesPath(cart), buildLinesPath(cart).replace('orders', 'checkouts')]) {
    expect((await api(cart.caller).get(`${path}/new.json`)).body).toEqual({
      attributes: ['quantity', 'price', 'variant_id'],
      required_attributes: ['variant_id', 'quantity'],
    });
    expect((await api().get(`${path}/new`)).status).toBe(401);
  }
});

describe('updating and deleting', () => {
  test('sets the quantity and ignores the variant; 0 deletes the line', async () => {
    const order = await orderInState('cart');
    const [line] = order.line_items;
    const path = `${buildLinesPath(order)}/${line.id}`;
    const put = (line_item: object) => api(order.caller).put(path, { line_item });
    const changed = await put({ quantity: 5, variant_id: 1, price: '0.01' });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id: line.id, quantity: 5, variant_id: line.variant_id, price: '15.99', total: '79.95' },
    ]);
    expect((await put({})).body.quantity).toBe(5);
    expect((await put({ quantity: 11 })).body.errors.quantity[0]).toMatch(/is not available\.$/);
    const removed = await put({ quantity: 0 });
    expect([removed.status, removed.text, removed.headers['content-type']]).toEqual([204, '', undefined]);
    expect((await put({ quantity: 1 })).status).toBe(404);
    expect((await api(order.caller).get(`/orders/${order.number}`)).body).toMatchObject({
      line_items: [],
      total: '0.0',
      total_quantity: 0,
    });
  });

  test('returns 204 once', async () => {
    const order = await orderInState('delivery');
    const path = `${buildLinesPath(order)}/${order.line_items[0].id}`;
    const removed = await api(order.caller).delete(path);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await api(order.caller).delete(path)).status).toBe(404);
    // Without units to ship the order is a cart again.
    expect((await api(order.caller).get(`/orders/${order.number}`)).body).toMatchObject({
      state: 'cart',
      shipments: [],
      ship_total: '0.0',
    });
  });

  test('a line is found only below its own order', async () => {
    const [order, other] = [await orderInState('cart'), await orderInState('cart')];
    const path = `${buildLinesPath(order)}/${other.line_items[0].id}`;
    for (const quantity of [1, 'x'])
      expect((await api(order.caller).put(path, { line_item: { quantity } })).status).toBe(404);
    expect((await api(order.caller).delete(path)).status).toBe(404);
    expect(
      (await api(await aCustomer()).delete(`${buildLinesPath(other)}/${other.line_items[0].id}`)).status,
    ).toBe(401);
  });

  test('lines of a canceled order cannot be changed', async () => {
    const order = await orderInState('complete');
    await api(order.caller).put(`/orders/${order.number}/cancel`);
    const [line] = order.line_items;
    const path = `${buildLinesPath(order)}/${line.id}`;
    for (const reply of [
      await api(order.caller).post(buildLinesPath(order), { line_item: { variant_id: line.variant_id } }),
      await api(order.caller).put(path, { line_item: { quantity: 1 } }),
      await api(order.caller).delete(path),
    ]) {
      expect([reply.status, reply.body.errors]).toEqual([422, CANCELED]);
    }
    // Admins may still update their metadata, but nothing else in the same request.
    const admin = await asAdmin();
    const noted = { id: line.id, metadata: { note: 'damaged' } };
    const change = (line_items: object[]) => admin.put(`/orders/${order.number}`, { order: { line_items } });
    expect((await change([noted])).status).toBe(200);
    const more = await change([noted, { id: line.id, quantity: 5 }]);
    expect([more.status, more.body.errors]).toEqual([422, CANCELED]);
  });
});

describe('lines of a complete order', () => {
  test('changing them updates stock and totals', async () => {
    const admin = await asAdmin();
    const [tote, mug] = [
      await aSellableVariant({ stock: 10, price: '10' }),
      await aSellableVariant({ stock: 5, price: '4' }),
    ];
    const order = await orderInState('complete', { lines: [{ variant_id: tote.id, quantity: 3 }] });
    const [line] = order.line_items;
    const path = `${buildLinesPath(order)}/${line.id}`;
    const units = () =>
      testDb()('inventory_units').where({ line_item_id: line.id }).count({ count: '*' }).first();

    expect((await admin.put(path, { line_item: { quantity: 5 } })).status).toBe(200);
    expect([await getTotalOnHand(tote.id), await units()]).toEqual([5, { count: '5' }]);
    expect((await admin.put(path, { line_item: { quantity: 11 } })).status).toBe(422);
    expect((await admin.put(path, { line_item: { quantity: 1 } })).status).toBe(200);
    expect([await getTotalOnHand(tote.id), await units()]).toEqual([9, { count: '1' }]);
    const added = await admin.post(buildLinesPath(order), {
      line_item: { variant_id: mug.id, quantity: 2 },
    });
    expect(added.status).toBe(201);
    expect(await getTotalOnHand(mug.id)).toBe(3);
    expect((await admin.delete(`${buildLinesPath(order)}/${added.body.id}`)).status).toBe(204);
    expect(await getTotalOnHand(mug.id)).toBe(5);

    const shown = (await admin.get(`/orders/${order.number}`)).body;
    expect(shown).toMatchObject({ state: 'complete', item_total: '10.0', payment_state: 'balance_due' });
    const quantities = await testDb()('stock_movements')
      .join('stock_items', 'stock_items.id', 'stock_movements.stock_item_id')
      .where({ variant_id: tote.id })
      .pluck('quantity');
    expect(quantities.reduce((all: number, one: number) => all + one, 0)).toBe(9);
  });

  test('lowering a line below the shipped quantity returns 422', async () => {
    const admin = await asAdmin();
    const order = await orderInState('complete', { method: 'Check' });
    await testDb()('inventory_units')
      .where({ id: testDb()('inventory_units').where({ shipment_id: order.shipments[0].id }).min('id') })
      .update({ state: 'shipped' });
    const path = `${buildLinesPath(order)}/${order.line_items[0].id}`;
    const refused = { quantity: ['cannot be less than the number of shipped units.'] };
    expect((await admin.delete(path)).body.errors).toEqual(refused);
    expect((await admin.put(path, { line_item: { quantity: 1 } })).status).toBe(200);
    expect((await admin.put(path, { line_item: { quantity: 0 } })).body.errors).toEqual(refused);
  });
});
