import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, buildPaymentBody, orderInState, setStock } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  listHistory,
  readOrder,
} from '../../support/shipments.factory';

/** PUT /orders/:number/resume: a canceled order takes its stock again. */

async function aCanceledOrder(
  attributes: { quantity?: number; stock?: number; backorderable?: boolean } = {},
) {
  const { quantity = 3, stock = 10, backorderable = false } = attributes;
  const variant = await aSellableVariant({ stock, backorderable });
  const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity }] });
  const admin = await asAdmin();
  const canceled = await admin.put(`/orders/${order.number}/cancel`);
  expect(canceled.body).toMatchObject({ state: 'canceled', payment_state: 'void' });
  return { variant, order, path: `/orders/${order.number}`, admin };
}

test('unstocks the units, and the order can be paid, shipped and canceled again', async () => {
  const { variant, order, path, admin } = await aCanceledOrder();
  expect(await getCountOnHand(variant.id)).toBe(10);
  const reply = await admin.put(`${path}/resume`);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    state: 'resumed',
    total: order.total,
    payment_state: 'balance_due',
    shipment_state: 'pending',
    canceler_id: null,
    shipments: [{ state: 'pending', cost: '5.0', manifest: [{ quantity: 3, states: { on_hand: 3 } }] }],
  });
  expect(await getCountOnHand(variant.id)).toBe(7);
  expect(await listHistory(order.id)).toEqual(
    expect.arrayContaining(['order: canceled > resumed', 'shipment: canceled > pending']),
  );
  await expectNoViolations({ order_ids: [order.id] });

  const method = await testDb()('payment_methods').where({ name: 'Check' }).first('id');
  const check = await admin.post(`${path}/payments`, { payment: { payment_method_id: method.id } });
  await admin.put(`${path}/payments/${check.body.id}/capture`);
  expect(await readOrder(order.number)).toMatchObject({
    payment_state: 'paid',
    shipments: [{ state: 'ready' }],
  });
  await expectNoViolations({ order_ids: [order.id] });
  expect((await admin.put(`${path}/cancel`)).body.state).toBe('canceled');
  expect(await getCountOnHand(variant.id)).toBe(10);
  expect((await admin.put(`${path}/resume`)).body).toMatchObject({
    state: 'resumed',
    payment_state: 'paid',
    shipment_state: 'ready',
  });
  expect((await admin.put(`/shipments/${order.shipments[0].number}/ship`)).status).toBe(200);
  expect(await getCountOnHand(variant.id)).toBe(7);
  await expectNoViolations({ order_ids: [order.id] });
});

test('fills the units from the stock there is now', async () => {
  const { variant, order, path, admin } = await aCanceledOrder({ stock: 3, backorderable: true });
  await setStock(variant.id, { stock: 1, backorderable: true });
  expect((await admin.put(`${path}/resume`)).body).toMatchObject({
    shipment_state: 'backorder',
    shipments: [{ manifest: [{ states: { on_hand: 1, backordered: 2 } }] }],
  });
  expect(await getCountOnHand(variant.id)).toBe(-2);
  await setStock(variant.id, { stock: 0, backorderable: true });
  expect(await readOrder(order.number)).toMatchObject({
    shipments: [{ manifest: [{ states: { on_hand: 3 } }] }],
  });
  await expectNoViolations({ order_ids: [order.id] });
});

test('a shortage returns 422 with the missing units, and changes nothing', async () => {
  const { variant, order, path, admin } = await aCanceledOrder();
  await setStock(variant.id, { stock: 2 });
  const before = await readOrder(order.number);
  const reply = await admin.put(`${path}/resume`);
  expect(reply.status).toBe(422);
  const { sku } = await testDb()('variants').where({ id: variant.id }).first('sku');
  expect(reply.body).toEqual({
    error: 'The order could not be transitioned. Please fix the errors and try again.',
    errors: {
      base: ['Some line items in this order have insufficient quantity.'],
      line_items: [
        { id: before.line_items[0].id, variant_id: variant.id, sku: sku ?? '', requested: 3, available: 2 },
      ],
    },
  });
  expect(await readOrder(order.number)).toEqual(before);
  expect(await getCountOnHand(variant.id)).toBe(2);
  await setStock(variant.id, { stock: 3 });
  expect((await admin.put(`${path}/resume`)).status).toBe(200);
  expect(await getCountOnHand(variant.id)).toBe(0);
  await expectNoViolations({ order_ids: [order.id] });
});

test('shipments that were canceled by themselves stay canceled', async () => {
  const variant = await aSellableVariant({ stock: 5 });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 3 }] });
  const admin = await asAdmin();
  const [{ number }] = order.shipments;
  await admin.post('/shipments/transfer_to_location', {
    original_shipment_number: number,
    variant_id: variant.id,
    stock_location_id: await getDefaultLocationId(),
  });
  await admin.put(`/shipments/${number}/cancel`);
  await admin.put(`/orders/${order.number}/cancel`);
  const resumed = await admin.put(`/orders/${order.number}/resume`);
  expect(resumed.body).toMatchObject({
    state: 'resumed',
    total_quantity: 1,
    shipment_state: 'pending',
    shipments: [{ number, state: 'canceled', cost: '0.0' }, { state: 'pending' }],
  });
  expect(await getCountOnHand(variant.id)).toBe(4);
  await expectNoViolations({ order_ids: [order.id] });
});

test('is refused when other orders have since reached the limit of its promotion', async () => {
  const { code } = await aPromotion({ usage_limit: 1, actions: [{ type: 'line_percent', percent: '25' }] });
  const buy = async () => {
    const order = await orderInState('payment');
    const shopper = api(order.caller);
    await shopper.put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
    await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
    return (await shopper.put(`/checkouts/${order.number}/advance`)).body;
  };
  const admin = await asAdmin();
  const first = await buy();
  await admin.put(`/orders/${first.number}/cancel`);
  const second = await buy();
  expect([first.state, second.state, second.promo_total]).toEqual([
    'complete',
    'complete',
    first.promo_total,
  ]);
  const refused = await admin.put(`/orders/${first.number}/resume`);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { base: ['Coupon code usage limit exceeded'] },
  ]);
  await admin.put(`/orders/${second.number}/cancel`);
  expect((await admin.put(`/orders/${first.number}/resume`)).status).toBe(200);
  await expectNoViolations({ order_ids: [first.id, second.id] });
});

test('only canceled orders can be resumed, and only by admins', async () => {
  const { order, path, admin } = await aCanceledOrder();
  for (const caller of [{}, order.caller, await aCustomer()]) {
    expect((await api(caller).put(`${path}/resume`)).status).toBe(401);
  }
  expect((await admin.put('/orders/R0/resume')).status).toBe(404);
  for (const other of [
    await orderInState('payment'),
    await orderInState('complete'),
    await aShippedOrder(),
  ]) {
    const reply = await admin.put(`/orders/${other.number}/resume`);
    expect([reply.status, reply.body.errors]).toEqual([422, { state: ['cannot transition via "resume"'] }]);
  }
});

test('six resumes at once unstock once; two orders cannot both take the last units', async () => {
  const { variant, order, path, admin } = await aCanceledOrder({ stock: 5 });
  const replies = await Promise.all(Array.from({ length: 6 }, () => admin.put(`${path}/resume`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  expect(await getCountOnHand(variant.id)).toBe(2);
  await admin.put(`${path}/cancel`);
  const other = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 3 }] });
  await admin.put(`/orders/${other.number}/cancel`);
  const both = await Promise.all([order, other].map(({ number }) => admin.put(`/orders/${number}/resume`)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await getCountOnHand(variant.id)).toBe(2);
  await expectNoViolations({ order_ids: [order.id, other.id] });
});
