import { api } from '../../support/api';
import { aSellableVariant, orderInState, getPaymentMethodId } from '../../support/orders.factory';
import { aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';
import { asAdmin } from '../../support/accounts.factory';

/**
 * The nested resources of an order have the same endpoints under /checkouts/:number as under /orders/:number.
 */

test('reads return the same under both paths', async () => {
  const order = await aShippedOrder();
  const admin = await asAdmin();
  const returns = await admin.post(`/checkouts/${order.number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: 1,
    },
  });
  expect(returns.status).toBe(201);
  const parts = [
    'history',
    'line_items/new',
    `addresses/${order.bill_address.id}`,
    ...['payments', 'payments/new', `payments/${order.payments[0].id}`],
    ...['return_authorizations', 'return_authorizations/new', `return_authorizations/${returns.body.id}`],
  ];
  for (const part of parts) {
    const [underOrders, underCheckouts] = [
      await admin.get(`/orders/${order.number}/${part}`),
      await admin.get(`/checkouts/${order.number}/${part}.json`),
    ];
    expect([part, underCheckouts.status, underCheckouts.body]).toEqual([part, 200, underOrders.body]);
  }
});

test('a shopper adds lines, pays, empties and cancels under /checkouts', async () => {
  const { id } = await aSellableVariant();
  const opened = (await api().post('/orders')).body;
  const shopper = api({ orderToken: opened.token });
  const path = `/checkouts/${opened.number}`;
  const line = await shopper.post(`${path}/line_items`, { line_item: { variant_id: id, quantity: 1 } });
  expect([line.status, line.body.quantity]).toEqual([201, 1]);
  const more = await shopper.put(`${path}/line_items/${line.body.id}`, { line_item: { quantity: 3 } });
  expect([more.status, more.body.quantity]).toEqual([200, 3]);
  const payment = { payment_method_id: await getPaymentMethodId('Check') };
  expect((await shopper.post(`${path}/payments`, { payment })).status).toBe(201);
  expect((await shopper.delete(`${path}/line_items/${line.body.id}`)).status).toBe(204);
  expect((await shopper.put(`${path}/empty`)).status).toBe(204);

  const cart = await orderInState('payment');
  const address = await api(cart.caller).put(`/checkouts/${cart.number}/addresses/${cart.bill_address.id}`, {
    address: { city: 'Rockville' },
  });
  expect([address.status, address.body.city]).toEqual([200, 'Rockville']);
  const order = await orderInState('complete', { method: 'Check' });
  const canceled = await api(order.caller).put(`/checkouts/${order.number}/cancel`);
  expect([canceled.status, canceled.body.state]).toEqual([200, 'canceled']);
});

test('an admin approves, captures, refunds and receives returns under /checkouts', async () => {
  const admin = await asAdmin();
  const order = await orderInState('complete');
  const path = `/checkouts/${order.number}`;
  const payment = `${path}/payments/${order.payments[0].id}`;
  expect((await admin.put(`${path}/approve`)).body.considered_risky).toBe(false);
  expect((await admin.put(`${payment}/capture`)).body.state).toBe('completed');
  expect((await admin.put(`${payment}/credit`, { amount: '1' })).status).toBe(200);
  expect((await admin.put(payment, { payment: { amount: '1' } })).status).toBe(403);

  const shipped = await aShippedOrder();
  const returns = `/checkouts/${shipped.number}/return_authorizations`;
  const made = await admin.post(returns, {
    return_authorization: {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: 1,
    },
  });
  const one = `${returns}/${made.body.id}`;
  const units = { variant_id: shipped.line_items[0].variant_id, quantity: 1 };
  expect((await admin.put(one, { return_authorization: { memo: 'torn' } })).body.memo).toBe('torn');
  expect((await admin.put(`${one}/add`, units)).status).toBe(200);
  expect((await admin.put(`${one}/receive`)).body.state).toBe('received');
});
