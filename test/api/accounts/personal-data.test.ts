import { insertEvents } from '../../../src/events/log/events.repository';
import { withTransaction } from '../../../src/platform/database/transaction';
import { aClerk, aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { readMailTo } from '../../support/mail';
import { buildMarylandAddress, orderInState } from '../../support/orders.factory';
import { aPaidOrder, aShippedOrder } from '../../support/shipments.factory';

test('export has the account, addresses, cards and orders; guest orders only for staff', async () => {
  const [ann, admin] = [await aCustomer(), await anAdmin()];
  const order = await orderInState('complete', { caller: ann });
  const guest = await orderInState('cart');
  await testDb()('orders').where({ number: guest.number }).update({ email: ann.email.toUpperCase() });
  const own = await api(ann).get(`/users/${ann.id}/export`);
  expect([own.status, own.body]).toMatchObject([
    200,
    { user: { id: ann.id }, orders: [{ number: order.number }] },
  ]);
  expect(own.body.credit_cards).toHaveLength(1);
  const shown = await api(admin).get(`/users/${ann.id}/export`);
  expect(shown.body.orders.map((one: any) => one.number).sort()).toEqual([order.number, guest.number].sort());
  expect((await api(await aCustomer()).get(`/users/${ann.id}/export`)).status).toBe(404);
  expect((await api(await aClerk(['customers:read'])).get(`/users/${ann.id}/export`)).status).toBe(401);
});

test('erase leaves orders and sums, and nothing of the person', async () => {
  const [ann, admin] = [await aCustomer(), await anAdmin()];
  await api(ann).post('/users/me/addresses', { address: await buildMarylandAddress() });
  const order = await orderInState('complete', { caller: ann });
  const guest = await orderInState('complete');
  await testDb()('orders').where({ number: guest.number }).update({ email: ann.email });
  await api(admin).put(`/orders/${order.number}`, {
    order: { bill_address: { ...(await buildMarylandAddress()), city: 'Rockville' } },
  });
  await api().post('/passwords', { email: ann.email });
  expect(await readMailTo(ann.email)).toHaveLength(1);

  expect((await api(ann).put(`/users/${ann.id}/erase`)).status).toBe(401);
  const reply = await api(admin).put(`/users/${ann.id}/erase`);
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { email: `erased-${ann.id}@erased.invalid`, bill_address: null },
  ]);
  expect((await api(ann).get('/users/me')).status).toBe(401);
  expect(await readMailTo(ann.email)).toEqual([]);
  for (const { number, total } of [order, guest]) {
    const { body, text } = await api(admin).get(`/orders/${number}`);
    expect(body).toMatchObject({
      total,
      ship_address: { city: 'erased' },
      bill_address: { country_id: order.bill_address.country_id },
    });
    for (const word of [ann.email, 'Bethesda', 'Rockville', 'Ann', '1111']) expect(text).not.toContain(word);
  }
  const changes = await testDb()('order_changes').where({ order_id: order.id });
  expect(JSON.stringify(changes)).not.toMatch(/Bethesda|Rockville/);
  expect((await api(admin).put(`/users/${ann.id}/erase`)).status).toBe(200);
});

test('erase reaches all events of a customer', async () => {
  const [ann, admin] = [await aCustomer(), await anAdmin()];
  const data = { email: ann.email, nested: [{ city: 'Bethesda', count: 2, none: null }], metadata: { a: 1 } };
  const event = {
    created_at: new Date(),
    type: 'customer.updated',
    subject_type: 'customer',
    subject_id: ann.id,
    subject_number: null,
    order_id: null,
    data,
  };
  const events = Array.from({ length: 205 }, () => event);
  await withTransaction({ db: testDb() }, (tx) => insertEvents(tx, events));
  expect((await api(admin).put(`/users/${ann.id}/erase`)).status).toBe(200);
  const left = await testDb()('events')
    .where({ subject_type: 'customer', subject_id: ann.id })
    .orderBy('id')
    .pluck('data');
  const erased = { email: 'erased', nested: [{ city: 'erased', count: 2, none: null }], metadata: {} };
  expect(left.slice(-205)).toEqual(Array.from({ length: 205 }, () => erased));
});

test('erase forgets which accounts were merged into it, and nothing of others', async () => {
  const [ann, bob, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const merged = [ann, bob].map(({ id, email }) => ({
    id: 1_000_000 + id,
    user_id: id,
    email: `old-${email}`,
  }));
  await testDb()('merged_users').insert(merged);
  expect((await api(admin).put(`/users/${ann.id}/erase`)).status).toBe(200);
  const kept = testDb()('merged_users').whereIn('user_id', [ann.id, bob.id]);
  expect(await kept.pluck('user_id')).toEqual([bob.id]);
});

test('a customer is not erased while a paid parcel is unshipped or a refund is owed, unless forced', async () => {
  const admin = api(await anAdmin());
  const unshipped = await aCustomer();
  const [paid] = (await aPaidOrder({ caller: unshipped })).shipments;
  const creditor = await aCustomer();
  const owed = await aShippedOrder({ caller: creditor });
  const { status } = await admin.post(`/orders/${owed.number}/adjustments`, {
    adjustment: { label: 'Apology', amount: '-1.00' },
  });
  expect(status).toBe(201);

  for (const person of [unshipped, creditor]) {
    const reply = await admin.put(`/users/${person.id}/erase`);
    const order = person === creditor ? owed.number : paid.order_id;
    const base = `Order ${order} has paid units to ship, or owes a refund. Finish it, or force the erasure`;
    expect([reply.status, reply.body.errors]).toEqual([422, { base: [base] }]);
    expect((await api(person).get('/users/me')).body.email).toBe(person.email);
  }

  expect((await admin.put(`/shipments/${paid.number}/ship`)).status).toBe(200);
  expect((await admin.put(`/users/${unshipped.id}/erase`)).status).toBe(200);
  expect((await admin.put(`/users/${creditor.id}/erase`, { force: true })).status).toBe(200);
});

test('nobody prevents an erasure by the e-mail address that it would give', async () => {
  const [ann, admin] = [await aCustomer(), await anAdmin()];
  await aCustomer({ email: `Erased-${ann.id}@erased.invalid` });
  const reply = await api(admin).put(`/users/${ann.id}/erase`);
  expect(reply.status).toBe(200);
  expect(reply.body.email).toMatch(new RegExp(`^erased-${ann.id}-\\w{12}@erased\\.invalid$`));
  expect((await api(admin).put(`/users/${ann.id}/erase`)).status).toBe(200);
});

test('the entries of an erasure in the audit log name its author and columns, but have no values', async () => {
  const [ann, admin] = [await aCustomer(), await anAdmin()];
  const order = await orderInState('complete', { caller: ann });
  const { status, headers } = await api(admin).put(`/users/${ann.id}/erase`);
  expect(status).toBe(200);
  const entries = await testDb()('audit_log').where({ request_id: headers['x-request-id'] });
  expect(entries).toContainEqual(
    expect.objectContaining({
      user_id: admin.id,
      subject_type: 'Store::User',
      subject_id: ann.id,
      changes: expect.objectContaining({ email: ['***', '***'] }),
    }),
  );
  expect(entries.map(({ subject_type }) => subject_type)).toContain('Store::Address');
  const text = JSON.stringify(entries.map(({ changes }) => changes));
  for (const word of [ann.email, 'Bethesda', 'Ann', order.bill_address.address1, '1111']) {
    expect(text).not.toContain(word);
  }
});

test('an export of many orders is complete and in order', async () => {
  const [ann, order] = [await aCustomer(), await orderInState('cart')];
  await testDb().raw(
    `INSERT INTO orders (number, token_seed, token_hash, user_id, currency)
     SELECT 'RX' || ?::text || '-' || n, token_seed, sha256(convert_to(?::text || '-' || n, 'UTF8')), ?, currency
       FROM orders, generate_series(1, 230) AS n WHERE id = ?`,
    [ann.id, ann.id, ann.id, order.id],
  );
  const { body, headers } = await api(ann).get(`/users/${ann.id}/export`);
  expect(body.orders.map(({ number }: any) => number)).toEqual(
    Array.from({ length: 230 }, (_, place) => `RX${ann.id}-${place + 1}`),
  );
  expect(headers['content-disposition']).toBe(`attachment; filename="user-${ann.id}.json"`);
});
