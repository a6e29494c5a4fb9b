import { asAdmin, aClerk } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, getTotalOnHand, orderInState } from '../../support/orders.factory';
import { aShippedOrder, listHistory, readOrder, withStoreSetting } from '../../support/shipments.factory';

/** Customers ask for returns of what they received; staff decide. */

const withReturns = (work: () => Promise<void>) => withStoreSetting({ return_days: 14 }, work);

async function aReason(): Promise<number> {
  return (await testDb()('return_authorization_reasons').where({ active: true }).orderBy('id').first('id'))
    .id;
}

async function aDelivery(quantity = 3) {
  const variant = await aSellableVariant({ stock: 10, price: '10' });
  const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity }] });
  const line_item_id = order.line_items[0].id;
  const path = `/orders/${order.number}/return_requests`;
  const items = async (count = 1) => [{ line_item_id, quantity: count, reason_id: await aReason() }];
  return { variant, order, path, line_item_id, items, customer: api(order.caller), admin: await asAdmin() };
}

test('a customer requests a return, staff approve it, and it goes on as any return', async () => {
  const { order, path, line_item_id, items, customer, admin, variant } = await aDelivery();
  await withReturns(async () => {
    const offer = await customer.get(`${path}/new`);
    expect(offer.body.items).toEqual([{ line_item_id, variant_id: variant.id, quantity: 3 }]);
    expect(offer.body.return_authorization_reasons[0]).toEqual({
      id: await aReason(),
      name: expect.any(String),
    });
    const made = await customer.post(path, { items: await items(2), memo: 'Too small' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ state: 'requested', memo: 'Too small', items: await items(2) });
    expect((await readOrder(order.number)).state).toBe('complete');
    expect((await customer.get(`${path}/new`)).body.items).toMatchObject([{ quantity: 1 }]);

    const found = await admin.get(
      `/return_authorizations?q[state_eq]=requested&q[order_number_eq]=${order.number}`,
    );
    expect(found.body.return_authorizations).toMatchObject([
      { id: made.body.id, customer_memo: 'Too small', requested_items: await items(2) },
    ]);
    const member = `/orders/${order.number}/return_authorizations/${made.body.number}`;
    await admin.put(member, { return_authorization: { memo: 'A regular' } });
    expect((await admin.put(`${member}/receive`)).status).toBe(422);
    expect((await admin.put(`${member}/approve`)).body).toMatchObject({ state: 'authorized' });
    expect((await admin.put(`${member}/approve`)).status).toBe(422);
    expect((await readOrder(order.number)).state).toBe('awaiting_return');
    expect((await customer.get(path)).body.return_requests).toMatchObject([
      { state: 'authorized', memo: 'Too small', decline_reason: null },
    ]);
    expect((await admin.put(`${member}/receive`)).body).toMatchObject({ state: 'received', amount: '20.0' });
    // What was requested goes back into stock.
    expect(await getTotalOnHand(variant.id)).toBe(9);
  });
  expect(await listHistory(order.id)).toEqual(
    expect.arrayContaining([
      'return_authorization:  > requested',
      'return_authorization: requested > authorized',
    ]),
  );
  await expectNoViolations({ order_ids: [order.id] });
});

test('staff decline with a reason, and the units may be requested again', async () => {
  const { order, path, items, customer, admin } = await aDelivery(1);
  await withReturns(async () => {
    const made = await customer.post(path, { items: await items() });
    const member = `/orders/${order.number}/return_authorizations/${made.body.id}`;
    const declined = await admin.put(`${member}/decline`, { reason: 'The seal is broken' });
    expect(declined.body).toMatchObject({ state: 'declined', decline_reason: 'The seal is broken' });
    expect((await customer.get(path)).body.return_requests).toMatchObject([
      { state: 'declined', decline_reason: 'The seal is broken' },
    ]);
    expect((await admin.put(`${member}/approve`)).status).toBe(422);
    expect((await customer.post(path, { items: await items() })).status).toBe(201);
    expect((await admin.delete(member)).status).toBe(204);
  });
  expect((await readOrder(order.number)).state).toBe('complete');
  await expectNoViolations({ order_ids: [order.id] });
});

test('requests are off by default, and end after the days of the store', async () => {
  const { path, items, customer, order } = await aDelivery();
  const off = await customer.post(path, { items: await items() });
  expect([off.status, off.body]).toEqual([422, { error: 'The store takes no requests for returns.' }]);
  expect((await customer.get(`${path}/new`)).body.items).toEqual([]);
  const inDays = (days: number) => makeTestApp({ now: () => new Date(Date.now() + days * 86_400_000) });
  await withReturns(async () => {
    const late = await api(order.caller, inDays(14.1)).post(path, { items: await items() });
    expect(late.body.errors).toEqual({ base: ['nothing of the order can be returned'] });
    expect((await api(order.caller, inDays(13.9)).post(path, { items: await items() })).status).toBe(201);
  });
});

test('only shipped units that are on no other return may be requested', async () => {
  const { path, items, customer, order, variant, admin } = await aDelivery();
  const unshipped = await orderInState('complete');
  await withReturns(async () => {
    const errorsOf = async (body: object) => (await customer.post(path, body)).body.errors;
    const [one] = await items();
    expect(await errorsOf({ items: [] })).toEqual({ items: ["can't be blank"] });
    expect(await errorsOf({ items: await items(4) })).toEqual({
      'items.quantity': ['must be less than or equal to 3'],
    });
    expect(await errorsOf({ items: [one, one] })).toEqual({ 'items.line_item_id': ['is listed twice'] });
    const foreign = { ...one, line_item_id: unshipped.line_items[0].id };
    expect(await errorsOf({ items: [foreign] })).toEqual({ 'items.line_item_id': ['cannot be returned'] });
    expect(await errorsOf({ items: [{ ...one, reason_id: 999_999 }] })).toEqual({
      'items.reason_id': ['is invalid'],
    });
    const early = await api(unshipped.caller).post(`/orders/${unshipped.number}/return_requests`, {
      items: [foreign],
    });
    expect(early.body.errors).toEqual({ base: ['nothing of the order can be returned'] });

    const made = await customer.post(path, { items: await items(2) });
    const { stock_location_id } = (
      await admin.get(`/orders/${order.number}/return_authorizations/${made.body.id}`)
    ).body;
    const other = await admin.post(`/orders/${order.number}/return_authorizations`, {
      return_authorization: { stock_location_id, return_authorization_reason_id: await aReason() },
      items: [{ variant_id: variant.id, quantity: 2 }],
    });
    expect(other.status).toBe(201);
    const taken = await admin.put(`/orders/${order.number}/return_authorizations/${made.body.id}/approve`);
    expect([taken.status, taken.body.errors]).toEqual([
      422,
      { quantity: ['must be less than or equal to 1'] },
    ]);
  });
  await expectNoViolations({ order_ids: [order.id] });
});

test('guests need the order token, strangers get nothing, and only staff decide', async () => {
  const { path, items, order, customer } = await aDelivery();
  await withReturns(async () => {
    const body = { items: await items() };
    expect((await api().post(path, body)).status).toBe(401);
    const clerk = api(await aClerk(['catalog:write']));
    expect((await clerk.post(path, body)).status).toBe(401);
    const token = (await (await asAdmin()).get(`/orders/${order.number}`)).body.token;
    const made = await api({ orderToken: token }).post(path, body);
    expect(made.status).toBe(201);
    const approve = `/orders/${order.number}/return_authorizations/${made.body.id}/approve`;
    for (const caller of [customer, api({ orderToken: token }), clerk]) {
      expect((await caller.put(approve)).status).toBe(401);
    }
  });
});

test('erasing a customer removes what they wrote', async () => {
  const { path, items, order, customer, admin } = await aDelivery(1);
  await withReturns(async () => {
    await customer.post(path, { items: await items(), memo: 'Ring me at 555 1234' });
  });
  const { body } = await admin.post('/users', {
    user: { email: `erase-${order.id}@example.com`, password: 'brand-new-1' },
  });
  await testDb()('orders').where({ id: order.id }).update({ user_id: body.id });
  expect((await admin.put(`/users/${body.id}/erase`)).status).toBe(200);
  expect(
    await testDb()('return_authorizations').where({ order_id: order.id }).first('memo', 'customer_memo'),
  ).toEqual({ memo: null, customer_memo: null });
});
