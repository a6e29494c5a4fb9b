import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { invalid } from '../../support/error-bodies';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { listQueries } from '../../support/queries';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  listHistory,
  readOrder,
} from '../../support/shipments.factory';
import { aStockLocation } from '../../support/stock.factory';
import { unique } from '../../support/unique';

/** Shipments of sold orders: their cost is kept, and admins may change or cancel them. */

async function aSale(attributes: { quantity?: number; stock?: number; backorderable?: boolean } = {}) {
  const { quantity = 3, stock = 10, backorderable = false } = attributes;
  const variant = await aSellableVariant({ stock, backorderable });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity }] });
  const [shipment] = order.shipments;
  const { number } = shipment;
  return { variant, order, shipment, number, path: `/shipments/${number}`, admin: await asAdmin() };
}

async function aDepotWith(variantId: number, count_on_hand: number): Promise<{ id: number; name: string }> {
  const depot = await aStockLocation();
  const item = { variant_id: variantId, count_on_hand };
  const made = await (await asAdmin()).post(`/stock_locations/${depot.id}/stock_items`, { stock_item: item });
  expect(made.status).toBe(201);
  return depot;
}

/** Doubles the prices of all shipping methods while `work` runs. */
async function withDearerShipping(work: () => Promise<void>): Promise<void> {
  const before = await testDb()('shipping_methods').select('id', 'calculator_preferences');
  await testDb().raw(
    `UPDATE shipping_methods SET calculator_preferences = jsonb_set(calculator_preferences::jsonb, '{amount}', '"99"')
      WHERE calculator_type = 'flat_rate'`,
  );
  try {
    await work();
  } finally {
    for (const { id, calculator_preferences } of before) {
      await testDb()('shipping_methods')
        .where({ id })
        .update({ calculator_preferences: JSON.stringify(calculator_preferences) });
    }
  }
}

test('a shipment of which units have left keeps its stock location', async () => {
  const { variant, order, path, admin } = await aSale();
  const depot = await aDepotWith(variant.id, 9);
  const unit = await testDb()('inventory_units').where({ order_id: order.id }).first('id');
  expect((await admin.put(`/inventory_units/${unit.id}?fire=ship`)).body.state).toBe('shipped');
  const moved = await admin.put(path, { shipment: { stock_location_id: depot.id, tracking: 'T1' } });
  expect([moved.status, moved.body.errors]).toEqual([
    422,
    { stock_location_id: ['cannot be changed after units have shipped'] },
  ]);
  expect((await readOrder(order.number)).shipments).toMatchObject([
    { stock_location_name: 'default', tracking: null },
  ]);
  expect(await getCountOnHand(variant.id, depot.id)).toBe(9);
});

describe.each(['removed', 'canceled', 'transferred', 'taken off the line'] as const)(
  'a shipment whose other units are %s',
  (how) => {
    test('has shipped when its last unit left', async () => {
      const { variant, order, number, path, admin } = await aSale();
      const [one, two] = await testDb()('inventory_units')
        .where({ order_id: order.id })
        .orderBy('id')
        .limit(2);
      for (const unit of [one, two]) {
        expect((await admin.put(`/inventory_units/${unit.id}?fire=ship`)).body.state).toBe('shipped');
      }
      expect((await readOrder(order.number)).shipments).toMatchObject([{ state: 'ready', shipped_at: null }]);
      const { unit_shipped_at: left } = await testDb()('shipments')
        .where({ number })
        .first('unit_shipped_at');
      const earlier = new Date(left.getTime() - 3 * 86_400_000);
      await testDb()('shipments').where({ number }).update({ unit_shipped_at: earlier, created_at: earlier });
      const units = { variant_id: variant.id, quantity: 1 };
      const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
      const depot = await aDepotWith(variant.id, 9);
      const move = { ...units, original_shipment_number: number, stock_location_id: depot.id };
      const reply = await {
        removed: () => admin.put(`${path}/remove`, units),
        canceled: () => admin.put(`${path}/cancel`),
        transferred: () => admin.post('/shipments/transfer_to_location', move),
        'taken off the line': () => admin.put(line, { line_item: { quantity: 2 } }),
      }[how]();
      expect(reply.status).toBeLessThan(300);
      const shipped = { state: 'shipped', shipped_at: earlier.toISOString(), cost: order.shipments[0].cost };
      const after = await readOrder(order.number);
      expect(after.shipments.find((shipment: any) => shipment.number === number)).toMatchObject(shipped);
      expect(after.shipment_state).toBe(how === 'transferred' ? 'partial' : 'shipped');
      const history = await listHistory(order.id);
      expect(history.filter((entry) => entry === 'shipment: ready > shipped')).toHaveLength(1);
      expect(await getCountOnHand(variant.id)).toBe(8);
      await expectNoViolations();
    });
  },
);

describe('the cost of a sold shipment', () => {
  test('is kept when lines, contents, tracking and location change', async () => {
    const { variant, order, number, path, admin } = await aSale();
    const depot = await aDepotWith(variant.id, 9);
    const [line] = order.line_items;
    await withDearerShipping(async () => {
      await admin.put(path, { shipment: { tracking: 'T1' } });
      await admin.put(`/orders/${order.number}/line_items/${line.id}`, { line_item: { quantity: 2 } });
      await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 1 });
      await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
      const moved = await admin.put(path, { shipment: { stock_location_id: depot.id } });
      expect(moved.body).toMatchObject({ cost: '5.0', state: 'ready', stock_location_name: depot.name });
      const same = moved.body.selected_shipping_rate[0].id;
      await admin.put(path, { shipment: { selected_shipping_rate_id: same } });
    });
    expect(await readOrder(order.number)).toMatchObject({
      total: order.total,
      ship_total: '5.0',
      payment_state: 'paid',
      shipments: [
        { number, cost: '5.0', state: 'ready', selected_shipping_rate: { cost: '5.0', selected: true } },
      ],
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a shipment that is made for added units costs 0, with the method of the order', async () => {
    const { variant, order, number, admin } = await aSale({ quantity: 2 });
    const [{ selected_shipping_rate: sold, shipping_rates }] = order.shipments;
    const other = shipping_rates.find((rate: any) => rate.cost === '10.0');
    await admin.put(`/shipments/${number}`, { shipment: { selected_shipping_rate_id: other.id, cost: '5' } });
    expect(sold.cost).toBe('5.0');
    const item = await testDb()('stock_items').where({ variant_id: variant.id }).first('id');
    await admin.put(`/stock_locations/${await getDefaultLocationId()}/stock_items/${item.id}`, {
      stock_item: { backorderable: true },
    });
    const [line] = order.line_items;
    // 8 are on hand and join the shipment; 2 are backordered and need one of their own.
    const raised = await admin.put(`/orders/${order.number}/line_items/${line.id}`, {
      line_item: { quantity: 12 },
    });
    expect(raised.status).toBe(200);
    const { ship_total, shipments } = await readOrder(order.number);
    expect(ship_total).toBe('5.0');
    expect(shipments).toMatchObject([
      { number, cost: '5.0', manifest: [{ quantity: 10 }] },
      {
        cost: '0.0',
        selected_shipping_rate: { shipping_method_id: other.shipping_method_id, cost: '10.0' },
        manifest: [{ quantity: 2, states: { backordered: 2 } }],
      },
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is set by admins until the shipment ships, and stays', async () => {
    const { variant, order, path, admin } = await aSale();
    const set = await admin.put(path, { shipment: { cost: '12.345' } });
    expect(set.body).toMatchObject({ cost: '12.35', state: 'pending' });
    await admin.put(`${path}/add`, { variant_id: variant.id });
    expect(await readOrder(order.number)).toMatchObject({
      ship_total: '12.35',
      payment_state: 'balance_due',
    });
    expect((await admin.put(path, { shipment: { cost: '0' } })).body).toMatchObject({ cost: '0.0' });
    await expectNoViolations({ order_ids: [order.id] });
    await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 1 });
    const shipped = await admin.put(`${path}/ship`, { shipment: { cost: '1' } });
    expect(shipped.body).toMatchObject({ state: 'shipped', cost: '1.0' });
    expect((await admin.put(path, { shipment: { cost: '1.00', tracking: 'T' } })).body.tracking).toBe('T');
    const late = await admin.put(path, { shipment: { cost: '2' } });
    expect([late.status, late.body]).toEqual([422, invalid({ base: ['The shipment has shipped'] })]);
    for (const [cost, message] of [
      ['-1', 'must be greater than or equal to 0'],
      ['free', 'is not a number'],
      ['', "can't be blank"],
    ]) {
      const reply = await admin.put(path, { shipment: { cost } });
      expect([reply.status, reply.body]).toEqual([422, invalid({ cost: [message] })]);
    }
    expect(await readOrder(order.number)).toMatchObject({ ship_total: '1.0', payment_state: 'credit_owed' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a cost that is set with a rate wins; a rate that is selected later replaces it', async () => {
    const { shipment, path, admin } = await aSale();
    const rates = Object.fromEntries(shipment.shipping_rates.map((rate: any) => [rate.cost, rate.id]));
    const both = { selected_shipping_rate_id: rates['15.0'], cost: '5' };
    expect((await admin.put(path, { shipment: both })).body).toMatchObject({
      cost: '5.0',
      state: 'ready',
      selected_shipping_rate: [{ id: rates['15.0'] }],
    });
    const selected = await admin.put(path, { shipment: { selected_shipping_rate_id: rates['10.0'] } });
    expect(selected.body).toMatchObject({ cost: '10.0', state: 'pending' });
  });

  test('of a cart, once set, is not changed by contents or by a rate that the shopper selects', async () => {
    const order = await orderInState('payment');
    const [{ number, id, shipping_rates }] = order.shipments;
    const admin = await asAdmin();
    const path = `/shipments/${number}`;
    expect((await admin.put(path, { shipment: { cost: '40' } })).body.cost).toBe('40.0');
    const { variant_id } = order.line_items[0];
    expect((await admin.put(`${path}/add`, { variant_id })).body.cost).toBe('40.0');
    const rate = shipping_rates.find((one: any) => one.cost === '15.0');
    const body = { order: { shipments_attributes: [{ id, selected_shipping_rate_id: rate.id }] } };
    const selected = await api(order.caller).put(`/orders/${order.number}`, body);
    expect(selected.body).toMatchObject({
      ship_total: '40.0',
      shipments: [{ cost: '40.0', selected_shipping_rate: { id: rate.id } }],
    });
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('transfers of sold units', () => {
  const transfer = async (to: 'location' | 'shipment', body: object) => {
    const reply = await (await asAdmin()).post(`/shipments/transfer_to_${to}`, body);
    expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
  };

  test('between locations and shipments never change the total, and the shipments stay ready', async () => {
    const { variant, order, number, admin } = await aSale();
    const depot = await aDepotWith(variant.id, 5);
    const part = { original_shipment_number: number, variant_id: variant.id };
    const expectSame = async (shipments: object[]) => {
      expect(await readOrder(order.number)).toMatchObject({
        total: order.total,
        ship_total: '5.0',
        payment_state: 'paid',
        shipment_state: 'ready',
        shipments,
      });
      await expectNoViolations({ order_ids: [order.id] });
    };
    await withDearerShipping(async () => {
      await transfer('location', { ...part, quantity: 1, stock_location_id: depot.id });
      await expectSame([{ cost: '5.0' }, { cost: '0.0', stock_location_name: depot.name }]);
      const [, second] = (await readOrder(order.number)).shipments;
      // The cost moves with the last units.
      await transfer('shipment', { ...part, quantity: 2, target_shipment_number: second.number });
      await expectSame([{ number: second.number, cost: '5.0', manifest: [{ quantity: 3 }] }]);
      const all = { ...part, original_shipment_number: second.number, quantity: 3 };
      await transfer('location', { ...all, stock_location_id: await getDefaultLocationId() });
      await expectSame([{ cost: '5.0', stock_location_name: 'default' }]);
    });
    const [{ number: last }] = (await readOrder(order.number)).shipments;
    expect((await admin.put(`/shipments/${last}/ship`)).status).toBe(200);
  });

  test('take units of the variant only, not newer ones of another', async () => {
    const [wanted, other] = [await aSellableVariant(), await aSellableVariant()];
    const lines = [wanted, other].map(({ id }) => ({ variant_id: id, quantity: 2 }));
    const order = await aPaidOrder({ lines });
    const { id: stock_location_id } = await aDepotWith(wanted.id, 5);
    const part = { original_shipment_number: order.shipments[0].number, variant_id: wanted.id, quantity: 1 };
    await transfer('location', { ...part, stock_location_id });
    const { shipments } = await readOrder(order.number);
    const contents = shipments.map(({ manifest }: any) =>
      manifest.map(({ variant_id, quantity }: any) => [variant_id, quantity]),
    );
    expect(contents).toEqual([
      [
        [wanted.id, 1],
        [other.id, 2],
      ],
      [[wanted.id, 1]],
    ]);
  });

  test('keep the method if it is offered, and move taxes and discounts of an emptied shipment', async () => {
    const order = await orderInState('payment');
    const { code } = await aPromotion({ actions: [{ type: 'free_shipping' }] });
    const shopper = api(order.caller);
    const coupon = await shopper.put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
    expect(coupon.status).toBe(200);
    const [{ id, number, shipping_rates }] = order.shipments;
    const express = shipping_rates.find((rate: any) => rate.cost === '15.0');
    await shopper.put(`/orders/${order.number}`, {
      order: { shipments_attributes: [{ id, selected_shipping_rate_id: express.id }] },
    });
    const method = await testDb()('payment_methods').where({ name: 'Check' }).first('id');
    await shopper.put(`/checkouts/${order.number}`, {
      order: { payments_attributes: [{ payment_method_id: method.id }] },
    });
    const sold = (await shopper.put(`/checkouts/${order.number}/advance`)).body;
    expect(sold).toMatchObject({ state: 'complete', ship_total: '15.0', adjustment_total: '-15.0' });
    const part = { original_shipment_number: number, variant_id: order.line_items[0].variant_id };
    const stock_location_id = await getDefaultLocationId();
    await transfer('location', { ...part, quantity: 1, stock_location_id });
    const [, second] = (await readOrder(order.number)).shipments;
    expect(second).toMatchObject({
      cost: '0.0',
      selected_shipping_rate: { shipping_method_id: express.shipping_method_id },
    });
    await transfer('shipment', { ...part, quantity: 1, target_shipment_number: second.number });
    expect(await readOrder(order.number)).toMatchObject({
      total: sold.total,
      ship_total: '15.0',
      adjustment_total: '-15.0',
      shipments: [{ number: second.number, cost: '15.0', adjustments: [{ amount: '-15.0' }] }],
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('into a shipped or canceled shipment are refused', async () => {
    const { variant, order, number, admin } = await aSale();
    const part = { original_shipment_number: number, variant_id: variant.id };
    const stock_location_id = await getDefaultLocationId();
    await transfer('location', { ...part, quantity: 1, stock_location_id });
    await transfer('location', { ...part, quantity: 1, stock_location_id });
    const [, shipped, canceled] = (await readOrder(order.number)).shipments;
    expect((await admin.put(`/shipments/${shipped.number}/ship`)).status).toBe(200);
    expect((await admin.put(`/shipments/${canceled.number}/cancel`)).status).toBe(200);
    for (const target of [shipped, canceled]) {
      const body = { ...part, target_shipment_number: target.number };
      const reply = await admin.post('/shipments/transfer_to_shipment', body);
      expect([reply.status, reply.body]).toEqual([
        422,
        { success: false, message: 'There was an error transferring variants' },
      ]);
    }
    expect((await readOrder(order.number)).shipments).toMatchObject([
      { number, manifest: [{ quantity: 1, states: { on_hand: 1 } }] },
      { state: 'shipped', manifest: [{ quantity: 1, states: { shipped: 1 } }] },
      { state: 'canceled', manifest: [] },
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('cancel', () => {
  test('restocks the units, lowers the order, and keeps the shipment listed', async () => {
    const { variant, order, number, path, admin } = await aSale();
    const other = await aSellableVariant({ stock: 5, price: '10.00' });
    await admin.post('/shipments', {
      order_id: order.number,
      variant_id: other.id,
      quantity: 2,
      stock_location_id: await getDefaultLocationId(),
    });
    const reply = await admin.put(`${path}/cancel`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ number, state: 'canceled', cost: '0.0', manifest: [] });
    const after = await readOrder(order.number);
    expect(after).toMatchObject({
      state: 'complete',
      total: '20.0',
      item_total: '20.0',
      ship_total: '0.0',
      total_quantity: 2,
      payment_state: 'credit_owed',
      shipment_state: 'ready',
      line_items: [{ variant_id: other.id, quantity: 2 }],
      shipments: [{ state: 'canceled' }, { state: 'ready' }],
    });
    expect([await getCountOnHand(variant.id), await getCountOnHand(other.id)]).toEqual([10, 3]);
    expect(await listHistory(order.id)).toContain('shipment: pending > canceled');
    await expectNoViolations({ order_ids: [order.id] });

    const again = await admin.put(`${path}/cancel`);
    expect([again.status, again.body.state]).toEqual([200, 'canceled']);
    expect(await getCountOnHand(variant.id)).toBe(10);
    for (const event of ['ready', 'ship']) {
      expect((await admin.put(`${path}/${event}`)).body).toEqual({ error: `Cannot ${event} shipment.` });
    }
    for (const action of ['add', 'remove']) {
      const refused = await admin.put(`${path}/${action}`, { variant_id: variant.id });
      expect([refused.status, refused.body]).toEqual([422, invalid({ base: ['The shipment is canceled'] })]);
    }
    expect((await admin.put(path, { shipment: { cost: '3' } })).status).toBe(422);
    // An added unit joins the other shipment.
    await admin.post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: variant.id, quantity: 1 },
    });
    const raised = await readOrder(order.number);
    expect(raised.shipments[0]).toMatchObject({ number, state: 'canceled', manifest: [] });
    await admin.put(`/shipments/${raised.shipments[1].number}/ship`);
    expect((await readOrder(order.number)).shipment_state).toBe('shipped');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('of the only shipment leaves an empty order that owes the customer', async () => {
    const { order, path, admin } = await aSale();
    await admin.put(`${path}/cancel`);
    expect(await readOrder(order.number)).toMatchObject({
      state: 'complete',
      total: '0.0',
      shipment_state: null,
      payment_state: 'credit_owed',
      line_items: [],
    });
    await expectNoViolations({ order_ids: [order.id] });
    expect((await admin.put(`/orders/${order.number}/cancel`)).body.state).toBe('canceled');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('after some units have shipped gives up the rest, and the shipment has shipped', async () => {
    const { variant, order, path, admin } = await aSale();
    const unit = await testDb()('inventory_units').where({ order_id: order.id }).orderBy('id').first('id');
    expect((await admin.put(`/inventory_units/${unit.id}?fire=ship`)).status).toBe(200);
    const reply = await admin.put(`${path}/cancel`);
    expect(reply.body).toMatchObject({
      state: 'shipped',
      cost: '5.0',
      manifest: [{ quantity: 1, states: { shipped: 1 } }],
    });
    expect(reply.body.shipped_at).not.toBeNull();
    expect(await readOrder(order.number)).toMatchObject({ total_quantity: 1, shipment_state: 'shipped' });
    expect(await getCountOnHand(variant.id)).toBe(9);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('removes its taxes and discounts, and fills backorders of other orders', async () => {
    const { variant, order, path, admin } = await aSale({ stock: 3, backorderable: true });
    const waiting = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
    await testDb()('adjustments').insert({
      order_id: order.id,
      shipment_id: order.shipments[0].id,
      label: 'Fragile',
      amount: '2',
      closed: true,
    });
    await admin.put(path, { shipment: { tracking: 'T' } });
    expect((await readOrder(order.number)).adjustment_total).toBe('2.0');
    await admin.put(`${path}/cancel`);
    expect(await readOrder(order.number)).toMatchObject({ adjustment_total: '0.0', total: '0.0' });
    expect(await readOrder(waiting.number)).toMatchObject({ shipments: [{ state: 'ready' }] });
    expect(await getCountOnHand(variant.id)).toBe(1);
    await expectNoViolations({ order_ids: [order.id, waiting.id] });
  });

  test('is refused for shipped shipments and for orders that are not complete', async () => {
    const admin = await asAdmin();
    const [shipped, open, canceled] = [await aShippedOrder(), await orderInState('payment'), await aSale()];
    await admin.put(`/orders/${canceled.order.number}/cancel`);
    for (const order of [shipped, open]) {
      const reply = await admin.put(`/shipments/${order.shipments[0].number}/cancel`);
      expect([reply.status, reply.body]).toEqual([422, { error: 'Cannot cancel shipment.' }]);
    }
    expect((await admin.put(`${canceled.path}/cancel`)).status).toBe(200);
    expect(await getCountOnHand(canceled.variant.id)).toBe(10);
    expect((await admin.put('/shipments/H0/cancel')).status).toBe(404);
    for (const caller of [{}, shipped.caller, await aCustomer()]) {
      const reply = await api(caller).put(`/shipments/${shipped.shipments[0].number}/cancel`);
      expect(reply.status).toBe(401);
    }
  });

  test('six cancels at once restock once', async () => {
    const { variant, order, path, admin } = await aSale();
    const replies = await Promise.all(Array.from({ length: 6 }, () => admin.put(`${path}/cancel`)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await getCountOnHand(variant.id)).toBe(10);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('picking lists', () => {
  test('a shipment has its variants, its address and the time of its last change', async () => {
    const { variant, order, number, path, admin } = await aSale();
    const { body, status } = await admin.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      number,
      order_id: order.number,
      state: 'ready',
      stock_location_name: 'default',
      ship_address: { firstname: 'Ann', city: 'Bethesda', country: { iso: 'US' } },
      manifest: [
        {
          quantity: 3,
          states: { on_hand: 3 },
          variant: { id: variant.id, name: expect.any(String), sku: expect.any(String), options_text: '' },
        },
      ],
    });
    const changed = await admin.put(path, { shipment: { tracking: 'T', cost: '7' } });
    expect(changed.body.updated_at > body.updated_at).toBe(true);
    expect((await admin.get(path)).body).toEqual(changed.body);
    expect((await admin.get('/shipments/H0')).status).toBe(404);
  });

  test('the list is searched by state, location, order and change', async () => {
    const { variant, order, number, admin } = await aSale();
    const depot = await aDepotWith(variant.id, 5);
    await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      variant_id: variant.id,
      stock_location_id: depot.id,
    });
    const [, moved] = (await readOrder(order.number)).shipments;
    const since = (await admin.get(`/shipments/${number}`)).body.updated_at;
    await admin.put(`/shipments/${moved.number}`, { shipment: { tracking: 'LATE' } });
    const find = async (query: string): Promise<string[]> => {
      const reply = await admin.get(`/shipments?${query}`);
      expect([reply.status, reply.headers['x-ignored-conditions']]).toEqual([200, undefined]);
      return reply.body.shipments.map((shipment: any) => shipment.number);
    };
    const own = `q[order_number_eq]=${order.number}`;
    expect(await find(own)).toEqual([number, moved.number]);
    expect(await find(`${own}&q[s]=id desc`)).toEqual([moved.number, number]);
    expect(await find(`q[stock_location_id_eq]=${depot.id}&q[state_eq]=ready`)).toEqual([moved.number]);
    expect(await find(`${own}&q[state_eq]=pending`)).toEqual([]);
    const late = await find(`${own}&q[updated_at_gt]=${encodeURIComponent(since)}`);
    expect(late).toContain(moved.number);
    const { body } = await admin.get(`/shipments?${own}&per_page=1`);
    expect(body).toMatchObject({ count: 1, total_count: 2, current_page: 1, per_page: 1, pages: 2 });
    expect(body.shipments).toEqual([(await admin.get(`/shipments/${number}`)).body]);
  });

  test('are for admins', async () => {
    const { order, path } = await aSale();
    for (const caller of [{}, order.caller, await aCustomer()]) {
      expect((await api(caller).get('/shipments')).status).toBe(401);
      expect((await api(caller).get(path)).status).toBe(401);
    }
  });
});

test('tracking_url is that of the method with the tracking number', async () => {
  const { order, shipment, path, admin } = await aSale();
  const id = shipment.selected_shipping_rate.shipping_method_id;
  const before = await testDb()('shipping_methods').where({ id }).first('tracking_url');
  await testDb()('shipping_methods')
    .where({ id })
    .update({ tracking_url: 'https://t.example/:tracking?n=:tracking' });
  try {
    expect((await admin.get(path)).body.tracking_url).toBeNull();
    const tracking = `1Z $&/${unique('t')}`;
    const url = `https://t.example/${encodeURIComponent(tracking)}?n=${encodeURIComponent(tracking)}`;
    expect((await admin.put(path, { shipment: { tracking } })).body.tracking_url).toBe(url);
    expect((await api(order.caller).get(`/orders/${order.number}`)).body.shipments[0].tracking_url).toBe(url);
    await testDb()('shipping_methods').where({ id }).update({ tracking_url: null });
    expect((await admin.get(path)).body.tracking_url).toBeNull();
  } finally {
    await testDb()('shipping_methods').where({ id }).update(before);
  }
});

test('a change of the contents of a sold order reads it once under its lock, and shows what it has stored', async () => {
  const { variant, order, path, admin } = await aSale({ backorderable: true });
  const depot = await aDepotWith(variant.id, 9);
  const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
  const contents = { variant_id: variant.id, quantity: 2 };
  const changes: [estimates: number, change: () => Promise<{ status: number }>][] = [
    [0, () => admin.put(`${path}/add`, contents)],
    [1, () => admin.put(`${path}/remove`, { ...contents, quantity: 1 })],
    [1, () => admin.put(line, { line_item: { quantity: 12 } })],
    [1, () => admin.put(line, { line_item: { quantity: 3 } })],
    [1, () => admin.put(path, { shipment: { stock_location_id: depot.id } })],
  ];
  for (const [place, [estimates, change]] of changes.entries()) {
    let status = 0;
    const sent = await listQueries(async () => {
      ({ status } = await change());
    });
    // What may be restocked is estimated from the order before it is locked.
    const reads = sent.filter((sql) => sql.includes('AS shop_has_promotions'));
    expect([place, status, reads.length]).toEqual([place, 200, 1 + estimates]);
  }
  const made = await admin.post('/shipments', {
    shipment: { order_id: order.number, stock_location_id: depot.id },
    ...contents,
  });
  const { body: read } = await admin.get(`/shipments/${made.body.number}`);
  expect({ ...made.body, updated_at: null }).toEqual({ ...read, updated_at: null });
  await expectNoViolations();
});
