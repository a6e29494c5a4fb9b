import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import {
  aSellableVariant,
  DECLINED_CARD,
  buildMarylandAddress,
  getTotalOnHand,
  orderInState,
  buildPaymentBody,
} from '../../support/orders.factory';
import { NOT_TRANSITIONED } from '../../support/error-bodies';

const NOT_CANCELABLE = { error: NOT_TRANSITIONED, errors: { state: ['cannot transition via "cancel"'] } };

/** Returns the order as admins see it, after the consistency check. */
async function getConsistentOrder(order: { id: number; number: string }): Promise<any> {
  await expectNoViolations({ order_ids: [order.id] });
  return (await api(await anAdmin()).get(`/orders/${order.number}`)).body;
}

async function capture(order: any): Promise<void> {
  const path = `/orders/${order.number}/payments/${order.payments[0].id}/capture`;
  expect((await api(await anAdmin()).put(path)).status).toBe(200);
}

/** Sets the shipments to shipped; shipping has its own tests. */
async function shipEverything(order: any): Promise<void> {
  const { id } = await testDb()('orders').where({ number: order.number }).first('id');
  await testDb()('inventory_units').where({ order_id: id }).update({ state: 'shipped' });
  await testDb()('shipments').where({ order_id: id }).update({ state: 'shipped', shipped_at: new Date() });
  await testDb()('orders').where({ id }).update({ shipment_state: 'shipped' });
}

describe('cancel', () => {
  test('voids captured payments, cancels the shipments and restocks once', async () => {
    const ann = await aCustomer();
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('complete', {
      caller: ann,
      lines: [{ variant_id: tote.id, quantity: 3 }],
    });
    await capture(order);
    expect(await getTotalOnHand(tote.id)).toBe(7);
    const reply = await api(ann).put(`/orders/${order.number}/cancel`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: 'canceled',
      payment_state: 'void',
      shipment_state: 'canceled',
      canceler_id: ann.id,
      payment_total: '0.0',
      payments: [{ state: 'void' }],
      shipments: [{ state: 'canceled' }],
    });
    expect(await getTotalOnHand(tote.id)).toBe(10);
    const again = await api(ann).put(`/orders/${order.number}/cancel`);
    expect([again.status, again.body]).toEqual([422, NOT_CANCELABLE]);
    expect(await getTotalOnHand(tote.id)).toBe(10);
  });

  test('voids authorized payments, leaves checks, and is allowed to the token on both paths', async () => {
    const byCard = await orderInState('complete');
    const canceled = await api(byCard.caller).put(`/checkouts/${byCard.number}/cancel`);
    expect(canceled.body).toMatchObject({
      state: 'canceled',
      canceler_id: null,
      payment_state: 'void',
      payments: [{ state: 'void' }],
    });
    const byCheck = await orderInState('complete', { method: 'Check' });
    const other = await api(byCheck.caller).put(`/orders/${byCheck.number}/cancel`);
    expect(other.body).toMatchObject({ payment_state: 'void', payments: [{ state: 'checkout' }] });
  });

  test('credits what was not refunded yet', async () => {
    const order = await orderInState('complete');
    await capture(order);
    const admin = api(await anAdmin());
    await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/credit?amount=6.98`);
    const reply = await admin.put(`/orders/${order.number}/cancel`);
    expect(reply.body).toMatchObject({ state: 'canceled', payment_total: '0.0', payment_state: 'void' });
    const refunds = await testDb()('refunds').where({ payment_id: order.payments[0].id }).pluck('amount');
    expect(refunds).toEqual(['6.98', '30.00']);
  });

  test('removes backordered units without filling other backorders', async () => {
    const tote = await aSellableVariant({ stock: 1, backorderable: true });
    const lines = [{ variant_id: tote.id, quantity: 2 }];
    const [first, second] = [
      await orderInState('complete', { lines }),
      await orderInState('complete', { lines }),
    ];
    expect(await getTotalOnHand(tote.id)).toBe(-3);
    // One unit of the first was there; the second gets it and still waits for the other one.
    await api(first.caller).put(`/orders/${first.number}/cancel`);
    expect(await getTotalOnHand(tote.id)).toBe(-1);
    const states = (await getConsistentOrder(second)).shipments.map(
      ({ manifest }: any) => manifest[0].states,
    );
    expect(states.reduce((all: object, one: object) => ({ ...all, ...one }), {})).toEqual({
      on_hand: 1,
      backordered: 1,
    });
    expect((await getConsistentOrder(first)).shipment_state).toBe('canceled');
  });

  test.each(['cart', 'payment', 'confirm'] as const)('returns 422 for an order in %s', async (state) => {
    const order = await orderInState(state);
    const reply = await api(order.caller).put(`/orders/${order.number}/cancel`);
    expect([reply.status, reply.body]).toEqual([422, NOT_CANCELABLE]);
  });

  test('returns 422 once something is shipped', async () => {
    const order = await orderInState('complete');
    await shipEverything(order);
    const reply = await api(order.caller).put(`/orders/${order.number}/cancel`);
    expect([reply.status, reply.body]).toEqual([422, NOT_CANCELABLE]);
  });

  test('afterwards steps, lines and payments return 422', async () => {
    const order = await orderInState('complete');
    const shopper = api(order.caller);
    await shopper.put(`/orders/${order.number}/cancel`);
    for (const step of ['next', 'advance']) {
      const reply = await shopper.put(`/checkouts/${order.number}/${step}`);
      expect([reply.status, reply.body.errors]).toEqual([
        422,
        { state: [`cannot transition via "${step}"`] },
      ]);
    }
    const update = await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
    expect([update.status, update.body]).toEqual([
      422,
      { error: NOT_TRANSITIONED, errors: { base: ['The order is canceled'] } },
    ]);
    expect((await getConsistentOrder(order)).payments).toHaveLength(1);
  });
});

describe('empty', () => {
  test('makes an incomplete order a new cart with the same e-mail, addresses, owner and token; can be repeated', async () => {
    const ann = await aCustomer();
    const order = await orderInState('confirm', { caller: ann, email: 'gift@example.com' });
    for (let time = 0; time < 2; time++) {
      const reply = await api(ann).put(`/orders/${order.number}/empty`);
      expect([reply.status, reply.text]).toEqual([204, '']);
    }
    expect(await getConsistentOrder(order)).toMatchObject({
      state: 'cart',
      line_items: [],
      shipments: [],
      payments: [],
      adjustments: [],
      total: '0.0',
      ship_total: '0.0',
      total_quantity: 0,
      email: 'gift@example.com',
      user_id: ann.id,
      token: order.token,
      ship_address: { city: 'Bethesda' },
      checkout_steps: ['address', 'delivery', 'complete'],
    });
    const tote = await aSellableVariant();
    const again = await api(ann).post(`/orders/${order.number}/line_items`, { variant_id: tote.id });
    expect(again.status).toBe(201);
  });

  test('restocks a complete order and leaves a credit owed', async () => {
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('complete', { lines: [{ variant_id: tote.id, quantity: 3 }] });
    await capture(order);
    expect((await api(order.caller).put(`/orders/${order.number}/empty`)).status).toBe(204);
    expect(await getTotalOnHand(tote.id)).toBe(10);
    expect(await getConsistentOrder(order)).toMatchObject({
      state: 'complete',
      total: '0.0',
      line_items: [],
      shipments: [],
      shipment_state: null,
      payment_state: 'credit_owed',
      payments: [{ state: 'completed' }],
    });
  });

  test('returns 422 once something is shipped or the order is canceled', async () => {
    const shipped = await orderInState('complete');
    await shipEverything(shipped);
    const canceled = await orderInState('complete');
    await api(canceled.caller).put(`/orders/${canceled.number}/cancel`);
    for (const [order, message] of [
      [shipped, 'The order has shipped items'],
      [canceled, 'The order is canceled'],
    ]) {
      const reply = await api(order.caller).put(`/orders/${order.number}/empty`);
      expect([reply.status, reply.body]).toEqual([
        422,
        { error: NOT_TRANSITIONED, errors: { base: [message] } },
      ]);
    }
    const kept = await api(shipped.caller).get(`/orders/${shipped.number}`);
    expect(kept.body.line_items).toHaveLength(1);
  });
});

describe('approve', () => {
  test('approves a complete order once', async () => {
    const risky = await orderInState('confirm', { card: DECLINED_CARD });
    expect((await api(risky.caller).put(`/checkouts/${risky.number}`)).status).toBe(422);
    await api(risky.caller).put(`/checkouts/${risky.number}`, await buildPaymentBody());
    expect(await getConsistentOrder(risky)).toMatchObject({ state: 'complete', considered_risky: true });

    expect((await api(risky.caller).put(`/orders/${risky.number}/approve`)).status).toBe(401);
    const admin = await anAdmin();
    const approved = await api(admin).put(`/orders/${risky.number}/approve`);
    expect([approved.status, approved.body.considered_risky]).toEqual([200, false]);
    const again = await api(await anAdmin()).put(`/orders/${risky.number}/approve`);
    expect([again.status, again.body]).toEqual([200, approved.body]);
    const row = await testDb()('orders').where({ number: risky.number }).first();
    expect(row.approver_id).toBe(admin.id);
  });

  test('returns 422 for an order in checkout', async () => {
    const order = await orderInState('confirm');
    const reply = await api(await anAdmin()).put(`/orders/${order.number}/approve`);
    expect([reply.status, reply.body.errors]).toEqual([422, { state: ['cannot transition via "approve"'] }]);
  });
});

describe('history', () => {
  test('lists every step of an order and its parts; admins also see who made it', async () => {
    const ann = await aCustomer();
    const admin = await anAdmin();
    const order = await orderInState('complete', { caller: ann });
    await api(admin).put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
    await api(admin).put(`/orders/${order.number}/cancel`);

    const path = `/orders/${order.number}/history`;
    const changes = (await api(admin).get(path)).body.state_changes;
    const listSteps = (type: string): string[] =>
      changes
        .filter((one: any) => one.subject_type === type)
        .map((one: any) => `${one.from_state}>${one.to_state}`);
    expect(listSteps('order')).toEqual([
      'null>cart',
      'cart>address',
      'address>delivery',
      'delivery>payment',
      'payment>confirm',
      'confirm>complete',
      'complete>canceled',
    ]);
    expect(listSteps('payment')).toEqual([
      'null>checkout',
      'checkout>processing',
      'processing>pending',
      'pending>processing',
      'processing>completed',
      'completed>processing',
      'processing>void',
    ]);
    expect(listSteps('shipment')).toEqual(['pending>ready', 'ready>canceled']);
    expect(changes[0]).toEqual({
      id: expect.any(Number),
      subject_type: 'order',
      subject_id: order.id,
      number: order.number,
      from_state: null,
      to_state: 'cart',
      reason: 'order created',
      user: { id: ann.id, email: ann.email },
      created_at: expect.any(String),
    });
    expect(
      changes.find((one: any) => one.to_state === 'canceled' && one.subject_type === 'order'),
    ).toMatchObject({
      reason: 'order cancel',
      user: { id: admin.id, email: admin.email },
    });
    expect(changes.find((one: any) => one.subject_type === 'payment').number).toBe(order.payments[0].number);

    const own = (await api(ann).get(path)).body.state_changes;
    expect(own).toHaveLength(changes.length);
    expect(own.filter((one: object) => 'user' in one)).toEqual([]);
    expect((await api().get(path)).status).toBe(401);
    const found = await api(ann).get(`${path}?q[subject_type_eq]=shipment`);
    expect(found.body).toMatchObject({ count: 2, total_count: 2, pages: 1 });
  });
});

describe('addresses of an order', () => {
  test('are read and updated by those who may use the order', async () => {
    const order = await orderInState('delivery');
    const path = `/orders/${order.number}/addresses/${order.bill_address.id}`;
    expect((await api(order.caller).get(path)).body).toEqual(order.bill_address);
    const changed = await api(order.caller).put(path, {
      address: { firstname: 'Beth', city: 'Chevy Chase' },
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id: order.bill_address.id, full_name: 'Beth Lee', city: 'Chevy Chase', address1: '12 Oak St' },
    ]);
    expect(await getConsistentOrder(order)).toMatchObject({
      state: 'delivery',
      bill_address: { firstname: 'Beth' },
    });
    expect(
      (await api(order.caller).get(`/checkouts/${order.number}/addresses/${order.bill_address.id}`)).status,
    ).toBe(200);
    expect((await api(await aCustomer()).get(path)).status).toBe(401);
  });

  test('of other orders return 401', async () => {
    const [order, other] = [await orderInState('delivery'), await orderInState('delivery')];
    const path = `/orders/${order.number}/addresses/${other.bill_address.id}`;
    expect((await api(order.caller).get(path)).status).toBe(401);
    expect((await api(order.caller).put(path, { address: { city: 'X' } })).status).toBe(401);
    expect((await api(order.caller).get(`/orders/R000000000/addresses/1`)).status).toBe(404);
  });

  test('report errors by their own attribute names', async () => {
    const order = await orderInState('delivery');
    const path = `/orders/${order.number}/addresses/${order.ship_address.id}`;
    const reply = await api(order.caller).put(path, { address: { city: '', zipcode: 'abc' } });
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      { city: ["can't be blank"], zipcode: ['is invalid'] },
    ]);
  });

  test('another destination goes back to address', async () => {
    const order = await orderInState('payment');
    const path = `/orders/${order.number}/addresses/${order.ship_address.id}`;
    expect((await api(order.caller).put(path, { address: { zipcode: '20815' } })).status).toBe(200);
    expect(await getConsistentOrder(order)).toMatchObject({
      state: 'address',
      shipments: [],
      ship_total: '0.0',
    });
  });
});

describe('apply_coupon_code', () => {
  test.each(['orders', 'checkouts'])('returns 422 for an unknown code (/%s)', async (path) => {
    const order = await orderInState('cart');
    const reply = await api(order.caller).put(`/${path}/${order.number}/apply_coupon_code`, {
      coupon_code: ' SPRING ',
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        success: null,
        error: "The coupon code you entered doesn't exist. Please try again.",
        successful: false,
        status_code: 'coupon_code_not_found',
      },
    ]);
    expect((await api().put(`/${path}/${order.number}/apply_coupon_code`, {})).status).toBe(401);
  });

  test('an unknown code in a checkout update saves nothing of the body', async () => {
    const order = await orderInState('address');
    const address = await buildMarylandAddress();
    const reply = await api(order.caller).put(`/checkouts/${order.number}`, {
      order: {
        email: 'ann@example.com',
        ship_address: address,
        bill_address: address,
        coupon_code: 'SPRING',
      },
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: "The coupon code you entered doesn't exist. Please try again." },
    ]);
    expect(await getConsistentOrder(order)).toMatchObject({
      state: 'address',
      email: null,
      ship_address: null,
    });
  });
});
