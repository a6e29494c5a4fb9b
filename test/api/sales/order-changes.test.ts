import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, buildMarylandAddress, orderInState } from '../../support/orders.factory';
import { unique } from '../../support/unique';
import { aPaidOrder, aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';

let staff: { id: number; email: string };
let admin: ReturnType<typeof api>;

beforeAll(async () => {
  const caller = await anAdmin();
  staff = caller;
  admin = api(caller);
});

/** Returns the changes of an order without ids and times. */
async function listChanges(order: { number: string }, caller = admin): Promise<any[]> {
  const { body } = await caller.get(`/orders/${order.number}/history`);
  expect(body.changes_count).toBe(body.changes.length);
  return body.changes.map(({ id, created_at, ...change }: any) => {
    expect([id, created_at]).toEqual([expect.any(Number), expect.stringMatching(/Z$/)]);
    return change;
  });
}

const byStaff = (reason: string) => ({ reason, user: { id: staff.id, email: staff.email } });

describe('the history of a sold order has what was changed, by whom and why', () => {
  test('lines: quantity, price, added and removed', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 9 }), await aSellableVariant({ stock: 9 })];
    const sku = unique('TOTE');
    await testDb()('variants').where({ id: tote.id }).update({ sku });
    const order = await orderInState('complete', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const [line] = order.line_items;
    const [shipment] = order.shipments;
    const path = `/orders/${order.number}/line_items`;
    const body = { line_item: { quantity: 3, price: '5' } };
    expect((await admin.put(`${path}/${line.id}`, body)).status).toBe(200);
    const changes = await listChanges(order);
    expect(changes).toHaveLength(2);
    expect(changes[0]).toEqual({
      subject_type: 'line_item',
      subject_id: line.id,
      label: sku,
      changes: { quantity: [2, 3], price: [line.price, '5.0'] },
      ...byStaff('line items changed'),
    });
    expect(changes[1]).toMatchObject({
      subject_type: 'shipment',
      label: shipment.number,
      changes: {
        contents: [[{ variant_id: tote.id, quantity: 2 }], [{ variant_id: tote.id, quantity: 3 }]],
      },
    });

    const added = await admin.post(path, { line_item: { variant_id: mug.id } });
    await admin.delete(`${path}/${added.body.id}`);
    const [creation, removal] = (await listChanges(order)).filter(
      ({ subject_id, subject_type }) => subject_type === 'line_item' && subject_id === added.body.id,
    );
    const { price } = added.body;
    expect(creation.changes).toEqual({
      variant_id: [null, mug.id],
      quantity: [null, 1],
      price: [null, price],
    });
    expect(removal.changes).toEqual({
      variant_id: [mug.id, null],
      quantity: [1, null],
      price: [price, null],
    });
  });

  test('addresses, e-mail and instructions', async () => {
    const order = await orderInState('complete');
    const address = { ...(await buildMarylandAddress()), city: 'Towson' };
    const before = order.ship_address.city;
    const path = `/orders/${order.number}`;
    await admin.put(path, { order: { email: 'new@example.com', special_instructions: 'Ring twice' } });
    await admin.put(path, { order: { ship_address_attributes: address } });
    const { id } = (await admin.get(path)).body.ship_address;
    await admin.put(`${path}/addresses/${id}`, { address: { city: 'Essex' } });
    const changes = (await listChanges(order)).filter(({ subject_type }) => subject_type === 'order');
    expect(changes).toMatchObject([
      {
        subject_id: order.id,
        label: order.number,
        user: { id: staff.id },
        changes: {
          email: ['ann@example.com', 'new@example.com'],
          special_instructions: [null, 'Ring twice'],
        },
      },
      { changes: { ship_address: [{ city: before }, { city: 'Towson', country: expect.any(String) }] } },
      { changes: { ship_address: [{ city: 'Towson' }, { city: 'Essex' }] } },
    ]);
  });

  test('shipments: tracking and contents', async () => {
    const variant = await aSellableVariant({ stock: 9 });
    const order = await aPaidOrder();
    const { number } = order.shipments[0];
    await admin.put(`/shipments/${number}`, { shipment: { tracking: 'X1' } });
    await admin.put(`/shipments/${number}/add`, { variant_id: variant.id, quantity: 1 });
    const changes = await listChanges(order);
    expect(changes[0]).toMatchObject({
      subject_type: 'shipment',
      label: number,
      user: { id: staff.id },
      changes: { tracking: [null, 'X1'] },
    });
    expect(changes.slice(1)).toMatchObject([
      { subject_type: 'line_item', changes: { variant_id: [null, variant.id] } },
      { subject_type: 'shipment', changes: { contents: [expect.any(Array), expect.any(Array)] } },
    ]);
  });

  test('refunds, and the amounts of payments', async () => {
    const order = await orderInState('complete');
    const [{ id, number, amount }] = order.payments;
    const path = `/orders/${order.number}/payments/${id}`;
    await admin.put(path, { payment: { amount: '30' } });
    await admin.put(`${path}/capture?amount=20`);
    await admin.put(`${path}/credit?amount=5&reason=Late`);
    const payment = { subject_type: 'payment', subject_id: id, label: number };
    expect(await listChanges(order)).toEqual([
      { ...payment, changes: { amount: [amount, '30.0'] }, ...byStaff('payment update') },
      { ...payment, changes: { amount: ['30.0', '20.0'] }, ...byStaff('payment capture') },
      {
        subject_type: 'refund',
        subject_id: expect.any(Number),
        label: number,
        changes: { amount: [null, '5.0'], reason: [null, 'Late'] },
        ...byStaff('payment credit'),
      },
    ]);
  });

  test('the credit of a return', async () => {
    const order = await aShippedOrder();
    const reason = await testDb()('return_authorization_reasons').where({ active: true }).first('id');
    const returns = `/orders/${order.number}/return_authorizations`;
    const { body } = await admin.post(returns, {
      return_authorization: {
        stock_location_id: await getDefaultLocationId(),
        return_authorization_reason_id: reason.id,
        amount: '3',
      },
    });
    const { variant_id } = order.line_items[0];
    await admin.put(`${returns}/${body.id}/add`, { variant_id, quantity: 1 });
    const before = await listChanges(order);
    await admin.put(`${returns}/${body.id}/receive`);
    const added = (await listChanges(order)).slice(before.length);
    expect(added).toMatchObject([
      { subject_type: 'adjustment', changes: { amount: [null, '-3.0'] }, user: { id: staff.id } },
    ]);
  });

  test('emptying by its owner', async () => {
    const owner = await aCustomer();
    const order = await orderInState('complete', { caller: owner });
    expect((await api(owner).put(`/orders/${order.number}/empty`)).status).toBe(204);
    expect(await listChanges(order)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          subject_type: 'line_item',
          changes: expect.objectContaining({ quantity: [2, null] }),
          reason: 'order empty',
          user: { id: owner.id, email: expect.any(String) },
        }),
      ]),
    );
  });
});

test('carts, completion, repeated and refused changes leave no changes; only admins see who', async () => {
  const owner = await aCustomer();
  const cart = await orderInState('payment', { caller: owner });
  expect(await listChanges(cart)).toEqual([]);
  const order = await orderInState('complete', { caller: owner });
  const [line] = order.line_items;
  const path = `/orders/${order.number}/line_items/${line.id}`;
  expect((await admin.put(path, { line_item: { quantity: 2 } })).status).toBe(200);
  expect((await admin.put(path, { line_item: { quantity: 100_000 } })).status).toBe(422);
  expect((await api(owner).put(path, { line_item: { quantity: 1 } })).status).toBe(422);
  expect(await listChanges(order)).toEqual([]);

  await admin.put(path, { line_item: { quantity: 1 } });
  const [shown] = await listChanges(order, api(owner));
  expect(shown).toMatchObject({ subject_type: 'line_item', changes: { quantity: [2, 1] } });
  expect(shown).not.toHaveProperty('user');
  expect((await api(await aCustomer()).get(`/orders/${order.number}/history`)).status).toBe(401);
});

test('the history is paged, and is deleted with no sold order', async () => {
  const order = await orderInState('complete');
  for (const tracking of ['A', 'B', 'C'])
    await admin.put(`/shipments/${order.shipments[0].number}`, { shipment: { tracking } });
  const { body } = await admin.get(`/orders/${order.number}/history?per_page=2&page=2`);
  expect(body).toMatchObject({ changes_count: 3, changes: [{ changes: { tracking: ['B', 'C'] } }] });
  expect(body.state_changes).toHaveLength(2);
  const removal = testDb()('order_changes').where({ order_id: order.id }).delete();
  await expect(removal).rejects.toMatchObject({ code: '23001' });
});
