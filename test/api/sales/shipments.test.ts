import { anAdmin, aCustomer, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { countQueries } from '../../support/queries';
import { aStockLocation } from '../../support/stock.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  listHistory,
  readOrder,
  withStoreSetting,
} from '../../support/shipments.factory';
import { unique } from '../../support/unique';
import { invalid } from '../../support/error-bodies';

/** Creates a complete order with one shipment, and an admin. */
async function aSoldShipment(
  attributes: { stock?: number; backorderable?: boolean; quantity?: number } = {},
) {
  const { stock = 10, backorderable = false, quantity = 2 } = attributes;
  const variant = await aSellableVariant({ stock, backorderable });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity }] });
  const [shipment] = order.shipments;
  return { variant, order, shipment, path: `/shipments/${shipment.number}`, admin: await asAdmin() };
}

describe('ready', () => {
  test('returns 422 before the capture and 200 after it', async () => {
    const order = await orderInState('complete');
    const [{ number }] = order.shipments;
    const admin = await asAdmin();

    const early = await admin.put(`/shipments/${number}/ready?shipment[tracking]=TRK1`);
    expect(early.status).toBe(422);
    expect(early.body).toEqual({ error: 'Cannot ready shipment.' });
    expect((await readOrder(order.number)).shipments[0]).toMatchObject({ state: 'pending', tracking: null });

    await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
    const reply = await admin.put(`/shipments/${number}/ready?shipment[tracking]=TRK1`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ state: 'ready', tracking: 'TRK1' });
  });

  test('returns 422 while units are backordered', async () => {
    const { path, admin } = await aSoldShipment({ stock: 1, backorderable: true, quantity: 1 });
    expect((await admin.put(`${path}/ready`)).body.state).toBe('ready');
    const waiting = await aSoldShipment({ stock: 0, backorderable: true });
    expect(waiting.shipment.manifest[0].states).toEqual({ backordered: 2 });
    const reply = await waiting.admin.put(`${waiting.path}/ready`);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ error: 'Cannot ready shipment.' });
  });
});

describe('ship', () => {
  test('ships the units, with the reply of the shipment endpoints', async () => {
    const { variant, order, path, admin } = await aSoldShipment();
    const reply = await admin.put(`${path}/ship?shipment[tracking]=TRK9000`);

    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: 'shipped',
      tracking: 'TRK9000',
      cost: '5.0',
      order_id: order.number,
      stock_location_name: 'default',
      selected_shipping_rate: [{ name: 'UPS Ground (USD)', cost: '5.0', selected: true }],
      manifest: [{ variant: { id: variant.id }, quantity: 2, states: { shipped: 2 } }],
    });
    expect(reply.body.manifest[0]).not.toHaveProperty('variant_id');
    expect(reply.body.shipped_at).toMatch(/^\d{4}-.*Z$/);
    expect(reply.body.shipping_rates.map((rate: any) => rate.cost)).toEqual(['5.0', '10.0', '15.0']);
    const [zone] = reply.body.shipping_methods[0].zones;
    expect(zone.zone_members[0]).toMatchObject({ zoneable_type: 'Store::Country' });

    const after = await readOrder(order.number);
    expect(after).toMatchObject({ shipment_state: 'shipped', payment_state: 'paid' });
    // Inside an order the rate is one object, and the manifest contains variant ids.
    expect(after.shipments[0]).toMatchObject({
      state: 'shipped',
      selected_shipping_rate: { cost: '5.0' },
      manifest: [{ variant_id: variant.id, states: { shipped: 2 } }],
    });
    expect(await getCountOnHand(variant.id)).toBe(8);
    expect(await listHistory(order.id)).toContain('shipment: ready > shipped');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a repeated request returns 200 and keeps the attributes of both', async () => {
    const { order, path, admin } = await aSoldShipment();
    const first = await admin.put(`${path}/ship`, { shipment: { tracking: 'A' } });
    const second = await admin.put(`${path}/ship`, { shipment: { tracking: 'B' } });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first.body, tracking: 'B', updated_at: second.body.updated_at });
    expect((await listHistory(order.id)).filter((row) => row === 'shipment: ready > shipped')).toHaveLength(
      1,
    );
    expect((await admin.put(`${path}/ready`)).body.state).toBe('shipped');
  });

  test('a pending shipment returns 422 and saves nothing of the request', async () => {
    const order = await orderInState('complete');
    const [{ number }] = order.shipments;
    const admin = await asAdmin();
    const reply = await admin.put(
      `/shipments/${number}/ship?shipment[tracking]=TRK1&shipment[number]=H-MINE`,
    );
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ error: 'Cannot ship shipment.' });
    expect((await readOrder(order.number)).shipments[0]).toMatchObject({
      number,
      tracking: null,
      state: 'pending',
    });
    expect((await admin.put('/shipments/H-MINE')).status).toBe(404);
  });

  test('one of two shipments makes the order partially shipped', async () => {
    const { variant, order, shipment, path, admin } = await aSoldShipment();
    await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: shipment.number,
      variant_id: variant.id,
      quantity: 1,
      stock_location_id: await getDefaultLocationId(),
    });
    expect((await admin.put(`${path}/ship`)).body.state).toBe('shipped');
    const partly = await readOrder(order.number);
    expect(partly.shipment_state).toBe('partial');
    const last = partly.shipments.find((one: any) => one.state === 'ready');
    await admin.put(`/shipments/${last.number}/ship`);
    expect((await readOrder(order.number)).shipment_state).toBe('shipped');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('what a canceled shipment gives back fills the backorder of another shipment of its order', async () => {
    const variant = await aSellableVariant({ stock: 1, backorderable: true });
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const admin = await asAdmin();
    const [shipment] = (await readOrder(order.number)).shipments;
    await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: shipment.number,
      variant_id: variant.id,
      quantity: 1,
      stock_location_id: await getDefaultLocationId(),
    });
    const { shipments } = await readOrder(order.number);
    const onHand = shipments.find(({ manifest }: any) => manifest[0].states.on_hand === 1);
    expect(shipments).toHaveLength(2);
    expect((await admin.put(`/shipments/${onHand.number}/cancel`)).body.state).toBe('canceled');
    const left = await readOrder(order.number);
    const filled = left.shipments.find(({ number }: any) => number !== onHand.number);
    expect([left.shipment_state, filled.manifest[0].states]).toEqual(['pending', { on_hand: 1 }]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a shipment of a canceled order returns 422', async () => {
    const { order, path, admin } = await aSoldShipment();
    expect((await admin.put(`/orders/${order.number}/cancel`)).status).toBe(200);
    for (const event of ['ready', 'ship']) {
      const reply = await admin.put(`${path}/${event}`);
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({ error: `Cannot ${event} shipment.` });
    }
  });
});

describe('auto_capture_on_dispatch', () => {
  const withCaptureOnDispatch = (work: () => Promise<void>) =>
    withStoreSetting({ auto_capture_on_dispatch: true }, work);

  test('captures the authorized payment, then ships', async () => {
    const order = await orderInState('complete');
    const [{ number }] = order.shipments;
    await withCaptureOnDispatch(async () => {
      const reply = await (await asAdmin()).put(`/shipments/${number}/ship`, { shipment: { tracking: 'T' } });
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({ state: 'shipped', tracking: 'T' });
    });
    expect(await readOrder(order.number)).toMatchObject({
      payment_state: 'paid',
      payment_total: order.total,
      shipment_state: 'shipped',
      payments: [{ state: 'completed', amount: order.total }],
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('captures the cost of each shipment, and the rest with the last one', async () => {
    const variant = await aSellableVariant({ stock: 10, price: '10.00' });
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 4 }] });
    const admin = await asAdmin();
    const [{ number }] = order.shipments;
    const moved = await admin.post('/shipments/transfer_to_location', {
      original_shipment_number: number,
      variant_id: variant.id,
      quantity: 1,
      stock_location_id: await getDefaultLocationId(),
    });
    expect(moved.status).toBe(201);
    const split = await readOrder(order.number);
    expect(split).toMatchObject({ total: '45.0', ship_total: '5.0' });
    const second = split.shipments.find((shipment: any) => shipment.number !== number);

    await withCaptureOnDispatch(async () => {
      const small = await admin.put(`/shipments/${second.number}/ship`);
      expect(small.body.state).toBe('shipped');
      expect(await readOrder(order.number)).toMatchObject({
        payment_total: '10.0',
        payment_state: 'balance_due',
        shipment_state: 'partial',
      });
      // The rest is authorized, so the other shipment is ready.
      const rest = await admin.put(`/shipments/${number}/ready`);
      expect(rest.body).toMatchObject({ state: 'ready' });
      await expectNoViolations({ order_ids: [order.id] });
      expect((await admin.put(`/shipments/${number}/ship`)).status).toBe(200);
      expect(await readOrder(order.number)).toMatchObject({ payment_total: '45.0', payment_state: 'paid' });
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('what exceeds the authorization cannot be captured, so the shipment does not leave', async () => {
    const order = await orderInState('complete');
    const [{ number }] = order.shipments;
    await withCaptureOnDispatch(async () => {
      const reply = await (await asAdmin()).put(`/shipments/${number}/ship`, { shipment: { cost: '6' } });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({ error: 'Cannot ship shipment.' });
    });
    expect(await readOrder(order.number)).toMatchObject({ payment_total: '0.0', ship_total: '5.0' });
  });

  test('makes a shipment ready once payments are authorized; it does not leave before their capture', async () => {
    await withCaptureOnDispatch(async () => {
      const variant = await aSellableVariant({ stock: 5 });
      const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
      const [{ number, state }] = order.shipments;
      expect(state).toBe('ready');
      expect(order).toMatchObject({ payment_state: 'balance_due', shipment_state: 'ready' });
      const admin = await asAdmin();
      expect((await admin.put(`/shipments/${number}/ready`)).status).toBe(200);
      const unit = await testDb()('inventory_units').where({ order_id: order.id }).first('id');
      expect((await admin.put(`/inventory_units/${unit.id}?fire=ship`)).status).toBe(422);
      expect(await readOrder(order.number)).toMatchObject({
        shipments: [{ manifest: [{ states: { on_hand: 2 } }] }],
      });
      await expectNoViolations({ order_ids: [order.id] });
      // An added unit costs more than is authorized.
      expect((await admin.put(`/shipments/${number}/add`, { variant_id: variant.id })).body.state).toBe(
        'pending',
      );
      await expectNoViolations({ order_ids: [order.id] });
      await admin.put(`/shipments/${number}/remove`, { variant_id: variant.id, quantity: 1 });
      const shipped = await admin.put(`/shipments/${number}/ship`);
      expect(shipped.body.state).toBe('shipped');
      expect(await readOrder(order.number)).toMatchObject({
        payment_state: 'paid',
        payment_total: order.total,
      });
      await expectNoViolations({ order_ids: [order.id] });
    });
  });

  test('a voided authorization makes the shipment pending again', async () => {
    await withCaptureOnDispatch(async () => {
      const order = await orderInState('complete');
      await (await asAdmin()).put(`/orders/${order.number}/payments/${order.payments[0].id}/void`);
      expect(await readOrder(order.number)).toMatchObject({ shipments: [{ state: 'pending' }] });
    });
  });

  test('a declined capture ships nothing and saves nothing', async () => {
    const order = await orderInState('complete');
    const [{ number }] = order.shipments;
    await testDb()('payments').where({ order_id: order.id }).update({ response_code: 'unknown' });
    await withCaptureOnDispatch(async () => {
      const reply = await (await asAdmin()).put(`/shipments/${number}/ship`, { shipment: { tracking: 'T' } });
      expect(reply.status).toBe(422);
      expect(reply.body.error).toMatch(/^There was a problem with the payment gateway: /);
    });
    expect(await readOrder(order.number)).toMatchObject({
      payments: [{ state: 'failed' }],
      shipments: [{ state: 'pending', tracking: null }],
    });
  });

  test('does not ship backordered units', async () => {
    const variant = await aSellableVariant({ stock: 0, backorderable: true });
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id }] });
    await withCaptureOnDispatch(async () => {
      const reply = await (await asAdmin()).put(`/shipments/${order.shipments[0].number}/ship`);
      expect(reply.body).toEqual({ error: 'Cannot ship shipment.' });
    });
    expect(await readOrder(order.number)).toMatchObject({ payments: [{ state: 'pending' }] });
  });
});

describe('update', () => {
  test('stores a tracking number in the letters that carriers know', async () => {
    const { path, admin } = await aSoldShipment();
    const reply = await admin.put(path, { shipment: { tracking: '１Z９−８７' } });
    expect(reply.body).toMatchObject({ tracking: '1Z9-87' });
  });

  test('sets and clears tracking and keeps other attributes', async () => {
    const { path, shipment, admin } = await aSoldShipment();
    const set = await admin.put(`${path}?shipment[tracking]=TRK1`);
    expect(set.body).toMatchObject({ tracking: 'TRK1', number: shipment.number, state: 'ready' });
    expect((await admin.put(path, { shipment: { unlock: 'yes' } })).body.tracking).toBe('TRK1');
    expect((await admin.put(path, { tracking: null })).body).toMatchObject({
      tracking: null,
      number: shipment.number,
    });
  });

  test('changes the number; the former number still finds this shipment only', async () => {
    const { path, shipment, admin } = await aSoldShipment();
    const other = await aSoldShipment();
    const number = unique('H-spring');
    const renamed = await admin.put(`${path}/ready?shipment[number]=${number}`);
    expect(renamed.body).toMatchObject({ id: shipment.id, number });
    expect((await admin.put(path, { shipment: { tracking: 'X' } })).body).toMatchObject({
      number,
      tracking: 'X',
    });
    for (const taken of [number, shipment.number]) {
      const reply = await admin.put(other.path, { shipment: { number: taken } });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(invalid({ number: ['has already been taken'] }));
    }
    expect((await admin.put(path, { shipment: { number: shipment.number } })).body.number).toBe(
      shipment.number,
    );
    expect((await admin.put(`/shipments/${number}`)).body.number).toBe(shipment.number);
    const blank = await admin.put(path, { shipment: { number: ' ' } });
    expect(blank.body).toEqual(invalid({ number: ["can't be blank"] }));
    for (const unreachable of ['mine', 'Mine', '..', 'H1.json']) {
      const reply = await admin.put(path, { shipment: { number: unreachable } });
      expect([unreachable, reply.body]).toEqual([unreachable, invalid({ number: ['is invalid'] })]);
    }
  });

  test('selects a rate, and the order owes the difference', async () => {
    const { order, shipment, path, admin } = await aSoldShipment();
    const dear = shipment.shipping_rates.find((rate: any) => rate.cost === '15.0');
    const reply = await admin.put(`${path}?shipment[selected_shipping_rate_id]=${dear.id}`);
    expect(reply.body).toMatchObject({
      cost: '15.0',
      state: 'pending',
      selected_shipping_rate: [{ id: dear.id, selected: true }],
    });
    expect(await readOrder(order.number)).toMatchObject({
      ship_total: '15.0',
      payment_state: 'balance_due',
      shipment_state: 'pending',
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a rate of another shipment returns 422, and any rate once shipped', async () => {
    const { shipment, path, admin } = await aSoldShipment();
    const other = await aSoldShipment();
    const foreign = await admin.put(path, {
      shipment: { selected_shipping_rate_id: other.shipment.shipping_rates[0].id, tracking: 'T' },
    });
    expect(foreign.status).toBe(422);
    expect(foreign.body).toEqual(invalid({ selected_shipping_rate_id: ['is invalid'] }));
    expect((await admin.put(path)).body.tracking).toBeNull();

    await admin.put(`${path}/ship`);
    const late = await admin.put(path, {
      shipment: { selected_shipping_rate_id: shipment.shipping_rates[2].id },
    });
    expect(late.status).toBe(422);
    expect(late.body).toEqual(invalid({ base: ['The shipment has shipped'] }));
  });

  test('moves the whole shipment to another location with its stock', async () => {
    const { variant, order, path, admin } = await aSoldShipment({ stock: 5 });
    const depot = await aStockLocation();
    const there = await admin.post(`/stock_locations/${depot.id}/stock_items`, {
      stock_item: { variant_id: variant.id, count_on_hand: 1, backorderable: true },
    });
    expect(there.status).toBe(201);
    const reply = await admin.put(path, { shipment: { stock_location_id: depot.id } });
    expect(reply.body).toMatchObject({
      stock_location_name: depot.name,
      state: 'pending',
      manifest: [{ quantity: 2, states: { on_hand: 1, backordered: 1 } }],
    });
    expect(await getCountOnHand(variant.id)).toBe(5);
    expect(await getCountOnHand(variant.id, depot.id)).toBe(-1);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returns 422 for a location without stock, an unknown location, and a shipped shipment', async () => {
    const { variant, path, admin } = await aSoldShipment({ stock: 5 });
    const empty = await aStockLocation();
    const refusals: [object, number, object][] = [
      [{ stock_location_id: empty.id }, 422, { quantity: [expect.stringMatching(/is not available\.$/)] }],
      [{ stock_location_id: 2147483647 }, 422, { stock_location_id: ['is invalid'] }],
      [{ stock_location_id: 'here' }, 422, { stock_location_id: ['is invalid'] }],
    ];
    for (const [attributes, status, errors] of refusals) {
      const reply = await admin.put(path, { shipment: attributes });
      expect(reply.status).toBe(status);
      expect(reply.body).toEqual(invalid(errors));
    }
    expect(await getCountOnHand(variant.id)).toBe(3);
    await admin.put(`${path}/ship`);
    const late = await admin.put(path, { shipment: { stock_location_id: empty.id } });
    expect(late.body).toEqual(invalid({ base: ['The shipment has shipped'] }));
  });

  test.each([[null], [[]], [{}], [''], [5], [{ toString: 1 }]])(
    'input %j for an attribute returns a status below 500',
    async (value) => {
      const { path, admin } = await aSoldShipment();
      for (const key of ['tracking', 'number', 'selected_shipping_rate_id', 'stock_location_id', 'cost']) {
        const reply = await admin.put(path, { shipment: { [key]: value } });
        expect([200, 422]).toContain(reply.status);
      }
      expect((await admin.put(`/shipments/x`, { shipment: value })).status).toBe(404);
    },
  );
});

describe('creating a shipment', () => {
  test('contains the variant from that location, with rates; on a complete order it costs nothing', async () => {
    const { order, admin } = await aSoldShipment();
    const variant = await aSellableVariant({ stock: 3, price: '7.50' });
    const reply = await admin.post(`/shipments?shipment[order_id]=${order.number}`, {
      stock_location_id: await getDefaultLocationId(),
      variant_id: variant.id,
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: 'pending',
      order_id: order.number,
      cost: '0.0',
      manifest: [{ variant: { id: variant.id }, quantity: 1, states: { on_hand: 1 } }],
      selected_shipping_rate: [{ cost: '5.0', selected: true }],
    });
    expect(reply.body.number).toMatch(/^H\d{11}$/);
    expect(await readOrder(order.number)).toMatchObject({
      total_quantity: 3,
      item_total: '39.48',
      ship_total: '5.0',
      payment_state: 'balance_due',
      shipment_state: 'pending',
    });
    expect(await getCountOnHand(variant.id)).toBe(2);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('accepts the id of the order, and attributes inside or outside the wrapper', async () => {
    const { variant, order, admin } = await aSoldShipment();
    const stock_location_id = await getDefaultLocationId();
    const inside = { order_id: String(order.id), stock_location_id, variant_id: variant.id, quantity: '2' };
    const reply = await admin.post('/shipments', { shipment: inside });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ order_id: order.number, manifest: [{ quantity: 2 }] });
    // It is the same line, at its original price.
    const [line] = (await readOrder(order.number)).line_items;
    expect(line).toMatchObject({ quantity: 4, price: '15.99' });
  });

  test('for a cart changes neither stock nor the checkout state', async () => {
    const order = await orderInState('payment');
    const variant = await aSellableVariant({ stock: 2 });
    const admin = await asAdmin();
    const reply = await admin.post('/shipments', {
      order_id: order.number,
      stock_location_id: await getDefaultLocationId(),
      variant_id: variant.id,
      quantity: 2,
    });
    expect(reply.body).toMatchObject({ state: 'pending', cost: '5.0' });
    expect(await readOrder(order.number)).toMatchObject({ state: 'payment', ship_total: '10.0' });
    expect(await getCountOnHand(variant.id)).toBe(2);
    const more = await admin.put(`/shipments/${reply.body.number}/add`, { variant_id: variant.id });
    expect(more.status).toBe(422);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('reports missing attributes', async () => {
    const { variant, order, admin } = await aSoldShipment();
    const stock_location_id = await getDefaultLocationId();
    const whole = { order_id: order.number, stock_location_id, variant_id: variant.id };
    for (const key of Object.keys(whole)) {
      const reply = await admin.post('/shipments', { ...whole, [key]: undefined });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(invalid({ [key]: ["can't be blank"] }));
    }
    const unknown = { order_id: 'R0', stock_location_id: 2147483647, variant_id: 2147483647 };
    for (const [key, value] of Object.entries(unknown)) {
      expect((await admin.post('/shipments', { ...whole, [key]: value })).status).toBe(404);
    }
    for (const quantity of [0, -1, '1.5', 'many', 2147483648]) {
      const reply = await admin.post('/shipments', { ...whole, quantity });
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.errors)).toEqual(['quantity']);
    }
    expect((await readOrder(order.number)).total_quantity).toBe(2);
  });

  test('is limited, also for backorderable variants', async () => {
    const { variant, order, admin } = await aSoldShipment({ backorderable: true });
    const reply = await admin.post('/shipments', {
      order_id: order.number,
      stock_location_id: await getDefaultLocationId(),
      variant_id: variant.id,
      quantity: 2_000_000_000,
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ quantity: ['must be less than or equal to 19998'] }));
  });

  test('returns 404 for a deleted variant and 422 for a canceled order', async () => {
    const { variant, order, admin } = await aSoldShipment();
    const stock_location_id = await getDefaultLocationId();
    const whole = { order_id: order.number, stock_location_id, variant_id: variant.id };
    await admin.delete(`/products/${variant.product_id}`);
    expect((await admin.post('/shipments', whole)).status).toBe(404);
    const canceled = await aPaidOrder();
    await admin.put(`/orders/${canceled.number}/cancel`);
    const other = await aSellableVariant();
    const reply = await admin.post('/shipments', {
      ...whole,
      order_id: canceled.number,
      variant_id: other.id,
    });
    expect(reply.body).toEqual(invalid({ base: ['The order is canceled'] }));
  });
});

describe('add', () => {
  test('increases the line and takes stock from the location of the shipment', async () => {
    const { variant, order, path, admin } = await aSoldShipment({ stock: 5 });
    const reply = await admin.put(`${path}/add`, {
      order_id: 'R0',
      stock_location_id: 1,
      variant_id: variant.id,
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: 'pending',
      manifest: [{ quantity: 3, states: { on_hand: 3 } }],
    });
    expect(await getCountOnHand(variant.id)).toBe(2);
    expect(await readOrder(order.number)).toMatchObject({ total_quantity: 3, payment_state: 'balance_due' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('units that are out of stock are backordered if possible, else it returns 422', async () => {
    const some = await aSoldShipment({ stock: 3, backorderable: true });
    const reply = await some.admin.put(`${some.path}/add`, { variant_id: some.variant.id, quantity: 3 });
    expect(reply.body.manifest).toMatchObject([{ quantity: 5, states: { on_hand: 3, backordered: 2 } }]);
    expect(await getCountOnHand(some.variant.id)).toBe(-2);

    const none = await aSoldShipment({ stock: 3 });
    const refused = await none.admin.put(`${none.path}/add`, { variant_id: none.variant.id, quantity: 2 });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.quantity).toEqual([
      expect.stringMatching(/^selected of ".*" is not available\.$/),
    ]);
    expect(await getCountOnHand(none.variant.id)).toBe(1);
    expect((await readOrder(none.order.number)).total_quantity).toBe(2);
    await expectNoViolations({ order_ids: [some.order.id, none.order.id] });
  });

  test('a new variant gets a line at its price', async () => {
    const { order, path, admin } = await aSoldShipment();
    const variant = await aSellableVariant({ price: '3.25' });
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
    expect((await readOrder(order.number)).line_items[1]).toMatchObject({
      variant_id: variant.id,
      quantity: 2,
      price: '3.25',
    });
  });

  test('a variant without a price in the currency of the order returns 422', async () => {
    const { order, path, admin } = await aSoldShipment();
    const variant = await aSellableVariant();
    await testDb()('prices').where({ variant_id: variant.id }).update({ currency: 'EUR' });
    const reply = await admin.put(`${path}/add`, { variant_id: variant.id });
    expect([reply.status, reply.body]).toEqual([422, invalid({ price: ["can't be blank"] })]);
    expect((await readOrder(order.number)).line_items).toHaveLength(1);
  });

  test('a shipped shipment returns 422', async () => {
    const { variant, path, admin } = await aSoldShipment();
    await admin.put(`${path}/ship`);
    for (const action of ['add', 'remove']) {
      const reply = await admin.put(`${path}/${action}`, { variant_id: variant.id });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(invalid({ base: ['The shipment has shipped'] }));
    }
    expect(await getCountOnHand(variant.id)).toBe(8);
  });

  test.each([
    ['an incomplete order recalculates the rates and keeps the selected method', 'delivery', '12.0'],
    ['a complete order keeps the rates and the cost it was sold at', 'complete', '10.0'],
  ] as const)('to %s', async (_title, state, cost) => {
    const variant = await aSellableVariant();
    const order = await orderInState(state, { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const [shipment] = order.shipments;
    const admin = await asAdmin();
    const path = `/shipments/${shipment.number}`;
    const flat = shipment.shipping_rates.find((rate: any) => rate.cost === '10.0');
    await admin.put(path, { shipment: { selected_shipping_rate_id: flat.id } });
    const method = await testDb()('shipping_methods').where({ id: flat.shipping_method_id }).first('*');
    await testDb()('shipping_methods')
      .where({ id: method.id })
      .update({
        calculator_type: 'per_item',
        calculator_preferences: JSON.stringify({ amount: '4.00', currency: 'USD' }),
      });
    const reply = await admin.put(`${path}/add`, { variant_id: variant.id });
    await testDb()('shipping_methods')
      .where({ id: method.id })
      .update({
        calculator_type: method.calculator_type,
        calculator_preferences: JSON.stringify(method.calculator_preferences),
      });
    expect(reply.body).toMatchObject({
      cost,
      selected_shipping_rate: [{ id: flat.id, cost, display_cost: `$${cost}0` }],
    });
    expect(await readOrder(order.number)).toMatchObject({ ship_total: cost });
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('remove', () => {
  test('decreases the line and restocks the units', async () => {
    const { variant, order, path, admin } = await aSoldShipment({ stock: 5 });
    const reply = await admin.put(`${path}/remove?variant_id=${variant.id}&quantity=1`);
    expect(reply.status).toBe(200);
    expect(reply.body.manifest).toMatchObject([{ quantity: 1, states: { on_hand: 1 } }]);
    expect(await getCountOnHand(variant.id)).toBe(4);
    expect(await readOrder(order.number)).toMatchObject({ total_quantity: 1, payment_state: 'credit_owed' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('removing all units deletes line and shipment, and returns the shipment', async () => {
    const { variant, order, shipment, path, admin } = await aSoldShipment({ stock: 5 });
    const reply = await admin.put(`${path}/remove`, { variant_id: variant.id });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ id: shipment.id, number: shipment.number, manifest: [] });
    expect(await getCountOnHand(variant.id)).toBe(5);
    expect(await readOrder(order.number)).toMatchObject({ shipments: [], line_items: [], total: '0.0' });
    expect((await admin.put(path)).status).toBe(404);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('removes backordered units first, which fill no other backorders', async () => {
    const { variant, order, path, admin } = await aSoldShipment({
      stock: 2,
      backorderable: true,
      quantity: 2,
    });
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
    const waiting = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
    const first = await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 2 });
    expect(first.body.manifest).toMatchObject([{ states: { on_hand: 2 } }]);
    expect((await readOrder(waiting.number)).shipments[0].state).toBe('pending');
    // Units that were on hand fill other backorders.
    await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 1 });
    expect((await readOrder(waiting.number)).shipments[0]).toMatchObject({
      state: 'ready',
      manifest: [{ states: { on_hand: 1 } }],
    });
    expect(await getCountOnHand(variant.id)).toBe(0);
    await expectNoViolations({ order_ids: [order.id, waiting.id] });
  });

  test('keeps units on hand while others are owed, also to an older order', async () => {
    const variant = await aSellableVariant({ stock: 3, backorderable: true });
    const older = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 1 }] });
    const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
    const admin = await asAdmin();
    const add = { variant_id: variant.id, quantity: 1 };
    await admin.put(`/shipments/${older.shipments[0].number}/add`, add);
    const path = `/shipments/${order.shipments[0].number}`;
    await admin.put(`${path}/add`, add);
    const reply = await admin.put(`${path}/remove`, add);
    expect(reply.body.manifest).toMatchObject([{ states: { on_hand: 2 } }]);
    expect((await readOrder(older.number)).shipments[0].manifest).toMatchObject([
      { states: { on_hand: 1, backordered: 1 } },
    ]);
    expect(await getCountOnHand(variant.id)).toBe(-1);
    await expectNoViolations({ order_ids: [older.id, order.id] });
  });

  test('returns 422 for too many units and zero, and 404 for unknown variants', async () => {
    const { variant, order, path, admin } = await aSoldShipment();
    const other = await aSellableVariant();
    const tooMany = await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 3 });
    expect(tooMany.status).toBe(422);
    expect(tooMany.body).toEqual(invalid({ quantity: ['must be less than or equal to 2'] }));
    expect((await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 0 })).status).toBe(422);
    expect((await admin.put(`${path}/remove`, { variant_id: other.id })).status).toBe(404);
    expect((await admin.put(`${path}/remove`)).body).toEqual(invalid({ variant_id: ["can't be blank"] }));
    expect((await readOrder(order.number)).total_quantity).toBe(2);
  });

  test('a deleted variant can be removed', async () => {
    const { variant, order, path, admin } = await aSoldShipment();
    await admin.delete(`/products/${variant.product_id}`);
    const reply = await admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 1 });
    expect(reply.status).toBe(200);
    expect(reply.body.manifest).toMatchObject([{ variant: { is_destroyed: true }, quantity: 1 }]);
    expect((await readOrder(order.number)).total_quantity).toBe(1);
  });

  test('removing the last units of a cart keeps it a cart', async () => {
    const order = await orderInState('delivery');
    const [line] = order.line_items;
    const reply = await (
      await asAdmin()
    ).put(`/shipments/${order.shipments[0].number}/remove`, { variant_id: line.variant_id });
    expect(reply.status).toBe(200);
    expect(await readOrder(order.number)).toMatchObject({ state: 'cart', shipments: [], total: '0.0' });
    expect(await getCountOnHand(line.variant_id)).toBe(10);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('mine', () => {
  test("returns a bare array of the customer's shipments, newest first, with totals in headers", async () => {
    const customer = await aCustomer();
    const first = await aShippedOrder({ caller: customer });
    const second = await orderInState('complete', { caller: customer });
    await orderInState('complete');
    const reply = await api(customer).get('/shipments/mine');

    expect(reply.status).toBe(200);
    expect(reply.body.map((shipment: any) => shipment.order_id)).toEqual([second.number, first.number]);
    expect(reply.headers).toMatchObject({ 'x-total-count': '2', 'x-page': '1', 'x-per-page': '25' });
    const shipped = reply.body[1];
    expect(shipped).toMatchObject({
      state: 'shipped',
      selected_shipping_rate: { cost: '5.0' },
      order: {
        number: first.number,
        state: 'complete',
        bill_address: { firstname: 'Ann' },
        adjustments: [],
        payments: [{ state: 'completed', amount: first.total, payment_method: { name: 'Credit Card' } }],
      },
    });
    expect(shipped.inventory_units).toHaveLength(2);
    expect(shipped.inventory_units[0]).toMatchObject({
      state: 'shipped',
      shipment_id: shipped.id,
      variant: { id: first.line_items[0].variant_id },
      line_item: { id: first.line_items[0].id },
    });
    expect(shipped).not.toHaveProperty('shipping_rates');
    expect(shipped).not.toHaveProperty('manifest');

    const page = await api(customer).get('/shipments/mine?per_page=1&page=2');
    expect(page.body.map((shipment: any) => shipment.order_id)).toEqual([first.number]);
    expect(page.headers['x-pages']).toBe('2');
    const found = await api(customer).get('/shipments/mine?q[state_eq]=shipped&q[order_number_cont]=R');
    expect(found.body).toHaveLength(1);
    expect((await api(await anAdmin()).get('/shipments/mine')).body).toEqual([]);
    expect((await api().get('/shipments/mine')).status).toBe(401);
  });

  test('takes as many statements for one shipment as for many', async () => {
    const customer = await aCustomer();
    await orderInState('complete', { caller: customer });
    const read = () => countQueries(() => api(customer).get('/shipments/mine'));
    const one = await read();
    await orderInState('complete', { caller: customer });
    await orderInState('complete', { caller: customer });
    expect(await read()).toBe(one);
  });
});

describe('authorization', () => {
  const paths = ['', '/ready', '/ship', '/add', '/remove'];

  test('admins only; others get 401 for existing and unknown shipments', async () => {
    const customer = await aCustomer();
    const order = await orderInState('complete', { caller: customer });
    const [{ number }] = order.shipments;
    for (const caller of [{}, customer, { orderToken: order.token }]) {
      for (const path of paths) {
        expect((await api(caller).put(`/shipments/${number}${path}`)).status).toBe(401);
        expect((await api(caller).put(`/shipments/H0${path}`)).status).toBe(401);
      }
      expect((await api(caller).post('/shipments', { order_id: order.number })).status).toBe(401);
    }
    for (const path of paths) {
      expect((await (await asAdmin()).put(`/shipments/H0${path}`, {})).status).toBe(404);
    }
  });

  test('waits for a running gateway call of the order, and returns 409 after a timeout', async () => {
    const { order, path } = await aSoldShipment();
    const [payment] = order.payments;
    await testDb()('payments').where({ id: payment.id }).update({ state: 'processing' });
    const reply = await api(await anAdmin(), makeTestApp({})).put(`${path}/ship`);
    await testDb()('payments').where({ id: payment.id }).update({ state: 'completed' });
    expect(reply.status).toBe(409);
    expect(reply.headers['retry-after']).toBe('1');
  });
});
