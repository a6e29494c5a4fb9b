import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState, buildPaymentBody, showOrder } from '../../support/orders.factory';
import { aPaidOrder, getCountOnHand, getDefaultLocationId } from '../../support/shipments.factory';
import { unique } from '../../support/unique';

test('sums of decimal prices are exact: 0.1 + 0.2 is 0.3', async () => {
  const [tenth, fifth] = [await aSellableVariant({ price: '0.1' }), await aSellableVariant({ price: '0.2' })];
  const order = await orderInState('cart', { lines: [{ variant_id: tenth.id }, { variant_id: fifth.id }] });
  expect(order).toMatchObject({ item_total: '0.3', total: '0.3', display_total: '$0.30' });
});

test('no reply to a customer contains a cost price', async () => {
  const ann = await aCustomer();
  const variant = await aSellableVariant({ product: { cost_price: '7.77' } });
  const order = await orderInState('complete', { caller: ann, lines: [{ variant_id: variant.id }] });
  const cart = await orderInState('cart', { caller: ann, lines: [{ variant_id: variant.id }] });
  const [line] = cart.line_items;
  const shopper = api(ann);
  const replies = [
    await shopper.get(`/orders/${order.number}`),
    await shopper.get('/orders/mine'),
    await shopper.get('/orders/current'),
    await shopper.get('/shipments/mine'),
    await shopper.get(`/products/${variant.product_id}`),
    await shopper.get(`/products?ids=${variant.product_id}`),
    await shopper.get(`/variants/${variant.id}`),
    await shopper.get(`/products/${variant.product_id}/variants`),
    await shopper.post(`/orders/${cart.number}/line_items`, { variant_id: variant.id }),
    await shopper.put(`/orders/${cart.number}/line_items/${line.id}`, { line_item: { quantity: 3 } }),
    await shopper.put(`/orders/${cart.number}`, { order: { email: 'a@example.com' } }),
    await shopper.put(`/checkouts/${cart.number}/next`),
    await shopper.put(`/checkouts/${cart.number}/advance`),
    await shopper.put(`/checkouts/${cart.number}`, await buildPaymentBody()),
    await shopper.put(`/orders/${order.number}/cancel`),
  ];
  for (const reply of replies) {
    expect(reply.status).toBeLessThan(300);
    expect(reply.text).not.toMatch(/cost_price|cost_currency|"7\.77/);
  }
  expect((await (await asAdmin()).get(`/orders/${order.number}`)).text).toContain('7.77');
});

test('an order still shows a deleted product whose slug and SKU another product has taken', async () => {
  const [sku, slug] = [unique('SKU'), unique('tote')];
  const variant = await aSellableVariant({ price: '12.5', product: { name: 'Old Tote', sku, slug } });
  const order = await orderInState('complete', { lines: [{ variant_id: variant.id }] });
  const admin = await asAdmin();
  expect((await admin.delete(`/products/${slug}`)).status).toBe(204);
  const other = await aSellableVariant({ product: { name: 'New Tote', sku, slug } });

  const shown = await showOrder(order);
  expect(shown.line_items).toMatchObject([
    { price: '12.5', variant_id: variant.id, variant: { id: variant.id, name: 'Old Tote' } },
  ]);
  expect(shown.shipments[0].manifest).toMatchObject([{ variant_id: variant.id, quantity: 1 }]);
  expect((await admin.get(`/products/${slug}`)).body).toMatchObject({
    id: other.product_id,
    name: 'New Tote',
  });
  // The order can still be captured and shipped.
  await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
  expect((await admin.put(`/shipments/${order.shipments[0].number}/ship`)).body.state).toBe('shipped');
  await expectNoViolations({ order_ids: [order.id] });
});

describe('attributes that only the store may set are ignored in requests of customers', () => {
  const buildForgedAttributes = (line: { id: number }, user_id: number) => ({
    user_id,
    completed_at: '2020-01-01T00:00:00Z',
    payment_state: 'paid',
    shipment_state: 'shipped',
    total: '0.01',
    item_total: '0.01',
    adjustment_total: '-9',
    payment_total: '36.98',
    number: 'R1',
    currency: 'JPY',
    considered_risky: false,
    approver_id: 1,
    channel: 'x',
    token: 'mine',
    adjustments: [{ amount: '-9', label: 'mine' }],
    line_items: [{ id: line.id, price: '0.01', total: '0.01' }],
    shipments: [{ cost: '0', state: 'shipped', number: 'H1', tracking: 'mine' }],
  });

  test.each(['orders', 'checkouts'])('PUT /%s', async (path) => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const order = await orderInState('cart', { caller: ann });
    const body = { order: { ...buildForgedAttributes(order.line_items[0], bob.id), state: 'complete' } };
    const reply = await api(ann).put(`/${path}/${order.number}`, body);
    expect(reply.status).toBe(200);
    const moved = { state: reply.body.state, updated_at: reply.body.updated_at };
    expect(reply.body).toEqual({ ...order, caller: undefined, ...moved });
    expect(reply.body.state).toBe(path === 'orders' ? 'cart' : 'address');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('line items and payments', async () => {
    const order = await orderInState('payment');
    const shopper = api(order.caller);
    const variant = await aSellableVariant({ price: '8' });
    const added = await shopper.post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: variant.id, price: '0.01', total: '0.01', order_id: 1 },
    });
    expect(added.body).toMatchObject({ price: '8.0', total: '8.0' });
    const changed = await shopper.put(`/orders/${order.number}/line_items/${added.body.id}`, {
      line_item: { price: '0.01' },
    });
    expect(changed.body).toMatchObject({ price: '8.0', total: '8.0' });
    const method = await testDb()('payment_methods').where({ name: 'Check' }).first('id');
    const payment = await shopper.post(`/orders/${order.number}/payments`, {
      payment: {
        payment_method_id: method.id,
        amount: '0.01',
        state: 'completed',
        number: 'P1',
        response_code: '12345',
        order_id: 1,
        source_id: 1,
      },
    });
    // 2 x 15.99 + 8; the shipping cost is removed.
    expect(payment.body).toMatchObject({ amount: '39.98', state: 'checkout', source_id: null });
    expect(payment.body.number).not.toBe('P1');
    expect(await showOrder(order)).toMatchObject({
      total: '39.98',
      payment_total: '0.0',
      payment_state: null,
    });
  });
});

test.each(['delivery', 'payment', 'confirm'] as const)(
  'a new e-mail address in %s keeps the state, the shipments and the selected rate',
  async (state) => {
    const order = await orderInState(state);
    const [shipment] = order.shipments;
    const mostExpensive = shipment.shipping_rates.at(-1);
    const put = (attributes: object) =>
      api(order.caller).put(`/orders/${order.number}`, { order: attributes });
    const choice = { id: shipment.id, selected_shipping_rate_id: mostExpensive.id };
    const chosen = (await put({ shipments_attributes: [choice] })).body;
    expect(chosen).toMatchObject({ state, ship_total: mostExpensive.cost });
    const renamed = (await put({ email: 'another@example.com' })).body;
    expect(renamed).toEqual({ ...chosen, email: 'another@example.com', updated_at: renamed.updated_at });
    expect(renamed.shipments).toMatchObject([{ id: shipment.id, number: shipment.number }]);
  },
);

test('the stock of a variant without inventory tracking never changes', async () => {
  const variant = await aSellableVariant({ stock: 7 });
  const admin = await asAdmin();
  await admin.put(`/variants/${variant.id}`, { variant: { track_inventory: false } });
  const expectUnchanged = async (): Promise<void> => {
    expect(await getCountOnHand(variant.id)).toBe(7);
    expect((await api().get(`/variants/${variant.id}`)).body).toMatchObject({
      in_stock: true,
      total_on_hand: null,
    });
  };
  const lines = [{ variant_id: variant.id, quantity: 20 }];
  const order = await aPaidOrder({ lines });
  await expectUnchanged();
  const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
  expect((await admin.put(line, { line_item: { quantity: 25 } })).status).toBe(200);
  expect((await admin.put(line, { line_item: { quantity: 3 } })).status).toBe(200);
  await expectUnchanged();

  const canceled = await orderInState('complete', { lines });
  await api(canceled.caller).put(`/orders/${canceled.number}/cancel`);
  const emptied = await orderInState('complete', { lines });
  await api(emptied.caller).put(`/orders/${emptied.number}/empty`);
  await expectUnchanged();

  const { payments, shipments } = await showOrder(order);
  for (const { id, state } of payments) {
    if (state === 'pending') await admin.put(`/orders/${order.number}/payments/${id}/capture`);
  }
  expect((await admin.put(`/shipments/${shipments[0].number}/ship`)).status).toBe(200);
  const reason = await testDb()('return_authorization_reasons').where({ active: true }).first('id');
  const returns = `/orders/${order.number}/return_authorizations`;
  const opened = await admin.post(returns, {
    return_authorization: {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: reason.id,
    },
  });
  await admin.put(`${returns}/${opened.body.id}/add`, { variant_id: variant.id, quantity: 3 });
  expect((await admin.put(`${returns}/${opened.body.id}/receive`)).body.state).toBe('received');
  await expectUnchanged();
  await expectNoViolations({ order_ids: [order.id, canceled.id, emptied.id] });
});

test('a free order skips payment and confirm; it has them again when its total is positive', async () => {
  const order = await orderInState('cart');
  const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
  const setPrice = async (price: string): Promise<string[]> => {
    await api(await anAdmin()).put(line, { line_item: { price } });
    return (await showOrder(order)).checkout_steps;
  };
  expect(order.checkout_steps).toEqual(['address', 'delivery', 'payment', 'confirm', 'complete']);
  expect(await setPrice('0')).toEqual(['address', 'delivery', 'complete']);
  expect(await setPrice('0.01')).toEqual(['address', 'delivery', 'payment', 'confirm', 'complete']);
});
