import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { listQueries } from '../../support/queries';
import { aStockItem, aStockLocation } from '../../support/stock.factory';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  listHistory,
  readOrder,
} from '../../support/shipments.factory';

async function listUnitIds(order: { id: number }): Promise<number[]> {
  return testDb()('inventory_units').where({ order_id: order.id }).orderBy('id').pluck('id');
}

const buildRefusal = (event: string) => ({
  error: 'The order could not be transitioned. Please fix the errors and try again.',
  errors: { state: [`cannot transition via "${event}"`] },
});

test('shows one inventory unit', async () => {
  const order = await aPaidOrder();
  const [id] = await listUnitIds(order);
  const admin = await asAdmin();
  const reply = await admin.get(`/inventory_units/${id}`);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    id,
    lock_version: 0,
    state: 'on_hand',
    variant_id: order.line_items[0].variant_id,
    shipment_id: order.shipments[0].id,
    return_authorization_id: null,
  });
  const same = await admin.put(`/inventory_units/${id}`, {
    inventory_unit: { variant_id: 1, state: 'shipped' },
  });
  expect(same.status).toBe(200);
  expect(same.body).toEqual(reply.body);
});

test('ships a unit before the others; the last one ships the shipment', async () => {
  const order = await aPaidOrder();
  const [first, last] = await listUnitIds(order);
  const admin = await asAdmin();
  const reply = await admin.put(`/inventory_units/${first}?fire=ship`);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ state: 'shipped', lock_version: 1 });
  expect(await readOrder(order.number)).toMatchObject({
    shipment_state: 'ready',
    shipments: [{ state: 'ready', manifest: [{ states: { on_hand: 1, shipped: 1 } }] }],
  });
  // After that the order can neither be canceled nor emptied.
  expect((await admin.put(`/orders/${order.number}/cancel`)).status).toBe(422);

  await admin.put(`/inventory_units/${last}?fire=ship`);
  expect(await readOrder(order.number)).toMatchObject({
    shipment_state: 'shipped',
    shipments: [{ state: 'shipped', shipped_at: expect.stringMatching(/Z$/) }],
  });
  expect(await listHistory(order.id)).toContain('shipment: ready > shipped');
  await expectNoViolations({ order_ids: [order.id] });
});

test('filling a backordered unit makes it on_hand', async () => {
  const variant = await aSellableVariant({ stock: 0, backorderable: true });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
  const [id] = await listUnitIds(order);
  const reply = await (await asAdmin()).put(`/inventory_units/${id}`, { fire: 'fill_backorder' });
  expect(reply.body).toMatchObject({ state: 'on_hand' });
  expect((await readOrder(order.number)).shipments).toMatchObject([{ state: 'ready' }]);
  expect(await getCountOnHand(variant.id)).toBe(-1);
});

test('a unit cannot be returned without a return authorization', async () => {
  const order = await aShippedOrder();
  const [id] = await listUnitIds(order);
  const reply = await (await asAdmin()).put(`/inventory_units/${id}`, { fire: 'return' });
  expect([reply.status, reply.body]).toEqual([422, buildRefusal('return')]);
  expect(await testDb()('inventory_units').where({ id }).pluck('state')).toEqual(['shipped']);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a unit of a return authorization is returned through it only', async () => {
  const order = await aShippedOrder();
  const admin = await asAdmin();
  const [id] = await listUnitIds(order);
  const reason = await testDb()('return_authorization_reasons').first('id');
  const made = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: reason.id,
    },
  });
  await admin.put(`/orders/${order.number}/return_authorizations/${made.body.id}/add`, {
    variant_id: order.line_items[0].variant_id,
  });
  expect((await admin.get(`/inventory_units/${id}`)).body.return_authorization_id).toBe(made.body.id);
  const reply = await admin.put(`/inventory_units/${id}?fire=return`);
  expect(reply.status).toBe(422);
  expect(reply.body).toEqual(buildRefusal('return'));
});

test('events that the unit, its shipment or its order does not allow return 422', async () => {
  const admin = await asAdmin();
  const paid = await aPaidOrder();
  const unpaid = await orderInState('complete');
  const cart = await orderInState('delivery');
  const attempts: [any, string][] = [
    [paid, 'return'],
    [paid, 'fill_backorder'],
    [paid, 'explode'],
    [unpaid, 'ship'],
    [cart, 'ship'],
  ];
  for (const [order, event] of attempts) {
    const [id] = await listUnitIds(order);
    const reply = await admin.put(`/inventory_units/${id}`, { fire: event });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(buildRefusal(event));
    expect((await admin.get(`/inventory_units/${id}`)).body).toMatchObject({
      state: 'on_hand',
      lock_version: 0,
    });
  }
});

test('only admins may read and change units; unknown ids return 404', async () => {
  const order = await aPaidOrder();
  const [id] = await listUnitIds(order);
  for (const caller of [{}, await aCustomer(), { orderToken: order.token }]) {
    expect((await api(caller).get(`/inventory_units/${id}`)).status).toBe(401);
    expect((await api(caller).put(`/inventory_units/${id}?fire=ship`)).status).toBe(401);
  }
  const admin = await asAdmin();
  for (const missing of ['0', '2147483647', '99999999999', 'one']) {
    expect((await admin.get(`/inventory_units/${missing}`)).status).toBe(404);
    expect((await admin.put(`/inventory_units/${missing}?fire=ship`)).status).toBe(404);
  }
});

test('statements name the time of a change of units, so that no trigger runs for each unit', async () => {
  const admin = await asAdmin();
  const { id: variant_id } = await aSellableVariant({ stock: 9 });
  const buy = (): Promise<any> => orderInState('complete', { lines: [{ variant_id, quantity: 3 }] });
  const depot = await aStockLocation();
  await aStockItem({ stock_location_id: depot.id, variant_id, count_on_hand: 9 });
  const reason = await testDb()('return_authorization_reasons').first('id');
  const sent = await listQueries(async () => {
    const [order, other] = [await buy(), await buy()];
    await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
    const replies = [
      await admin.put(`/shipments/${order.shipments[0].number}/ship`),
      await admin.post(`/orders/${order.number}/return_authorizations`, {
        return_authorization: {
          stock_location_id: depot.id,
          return_authorization_reason_id: reason.id,
          receive: true,
          items: [{ variant_id, quantity: 2 }],
        },
      }),
      await admin.post('/shipments/transfer_to_location', {
        original_shipment_number: other.shipments[0].number,
        variant_id,
        quantity: 2,
        stock_location_id: depot.id,
      }),
      await admin.put(`/orders/${other.number}/cancel`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 201, 200]);
  });
  const updates = sent.filter((sql) => /^update "?inventory_units/i.test(sql.trim()));
  expect(updates.length).toBeGreaterThanOrEqual(4);
  expect(updates.filter((sql) => !/updated_at"? = /.test(sql))).toEqual([]);
});
