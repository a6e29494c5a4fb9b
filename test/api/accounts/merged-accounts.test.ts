import { aClerk, aCustomer, anAdmin, aSignedUpCustomer, type TestUser } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, buildMarylandAddress, orderInState } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { unique } from '../../support/unique';

type Lines = { variant_id: number; quantity: number }[];

const mergeInto = async (kept: TestUser, ended: { id: number }, caller?: any, body?: object) =>
  api(caller ?? (await anAdmin())).put(`/users/${kept.id}/merge`, body ?? { user_id: ended.id });

const aCart = async (caller: TestUser, line_items: Lines): Promise<any> =>
  (await api(caller).post('/orders', { order: { line_items } })).body;

const listOwnOrders = async (caller: TestUser): Promise<any[]> =>
  (await api(caller).get('/orders/mine')).body.orders;

const linesOf = (order: any): [number, number][] =>
  order.line_items.map((line: any) => [line.variant_id, line.quantity]);

test('orders, addresses, cards and promotions become those of the kept account, and the other one ends', async () => {
  const [ann, old] = [await aCustomer(), await aSignedUpCustomer()];
  const first = await orderInState('complete', { caller: ann });
  const second = await orderInState('complete', { caller: old });
  const saved = await api(old).post('/users/me/addresses', { address: await buildMarylandAddress() });
  const promotion = await aPromotion({ rules: [{ type: 'user', user_ids: [old.id] }] });

  const reply = await mergeInto(ann, old);
  expect([reply.status, reply.body]).toMatchObject([200, { id: ann.id, email: ann.email }]);

  expect((await listOwnOrders(ann)).map(({ number }) => number).sort()).toEqual(
    [first.number, second.number].sort(),
  );
  const moved = await api(ann).get(`/orders/${second.number}`);
  expect(moved.body).toMatchObject({ email: second.email, total: second.total, state: 'complete' });
  const { body: book } = await api(ann).get('/users/me/addresses');
  expect(book.addresses.map(({ id }: any) => id)).toContain(saved.body.id);
  expect(book.addresses.filter((one: any) => one.default_bill)).toHaveLength(1);
  const { body: cards } = await api(ann).get('/users/me/credit_cards');
  expect(cards.credit_cards.map((card: any) => card.id).sort()).toEqual(
    [first.payments[0].source.id, second.payments[0].source.id].sort(),
  );
  expect(cards.credit_cards.filter((card: any) => card.default)).toMatchObject([
    { id: first.payments[0].source.id },
  ]);
  const shown = await api(await anAdmin()).get(`/promotions/${promotion.id}`);
  expect(JSON.stringify(shown.body)).toContain(`"user_ids":[${ann.id}]`);

  expect((await api(old).get('/users/me')).status).toBe(401);
  expect((await api().post('/sessions', { email: old.email, password: old.password })).status).toBe(401);
  expect((await api(await anAdmin()).get(`/users/${old.id}`)).status).toBe(404);
  await expectNoViolations({ order_ids: [first.id, second.id] });
});

test('the addresses of other accounts stay theirs', async () => {
  const [ann, old, bob] = [await aCustomer(), await aCustomer(), await aCustomer()];
  const address = await buildMarylandAddress();
  const saved = await api(bob).post('/users/me/addresses', { address });
  await api(old).post('/users/me/addresses', { address });
  expect((await mergeInto(ann, old)).status).toBe(200);
  const listIds = async (user: TestUser) =>
    (await api(user).get('/users/me/addresses')).body.addresses.map(({ id }: any) => id);
  expect(await listIds(bob)).toEqual([saved.body.id]);
  expect(await listIds(ann)).toHaveLength(1);
});

test('an account without addresses and cards gets the default ones of the other', async () => {
  const [ann, old] = [await aCustomer(), await aCustomer()];
  const order = await orderInState('complete', { caller: old });
  const before = (await api(old).get('/users/me')).body;
  const { body } = await mergeInto(ann, old);
  expect([body.bill_address, body.ship_address]).toEqual([before.bill_address, before.ship_address]);
  const { body: cards } = await api(ann).get('/users/me/credit_cards');
  expect(cards.credit_cards).toMatchObject([{ id: order.payments[0].source.id, default: true }]);
});

test.each(['kept', 'other'] as const)(
  'the older cart is merged into that of the %s account line by line',
  async (owner) => {
    const [ann, old] = [await aCustomer(), await aCustomer()];
    const [shared, other] = [await aSellableVariant(), await aSellableVariant()];
    const holders = owner === 'kept' ? ([old, ann] as const) : ([ann, old] as const);
    const older = await aCart(holders[0], [
      { variant_id: shared.id, quantity: 2 },
      { variant_id: other.id, quantity: 3 },
    ]);
    const newer = await aCart(holders[1], [{ variant_id: shared.id, quantity: 1 }]);
    expect((await mergeInto(ann, old)).status).toBe(200);
    const { body } = await api(ann).get('/orders/current');
    expect(body).toMatchObject({ number: newer.number, user_id: ann.id, email: ann.email, total: '95.94' });
    expect(linesOf(body)).toEqual([
      [shared.id, 3],
      [other.id, 3],
    ]);
    expect((await api(ann).get(`/orders/${older.number}`)).status).toBe(404);
  },
);

test('older carts and lines that cannot be added are kept', async () => {
  const [ann, old] = [await aCustomer(), await aCustomer()];
  const gone = await aSellableVariant();
  const first = await aCart(old, [{ variant_id: gone.id, quantity: 1 }]);
  const second = await aCart(old, [{ variant_id: gone.id, quantity: 2 }]);
  const newer = await aCart(ann, []);
  await testDb()('products').where({ id: gone.product_id }).update({ available_on: null });
  expect((await mergeInto(ann, old)).status).toBe(200);
  const carts = await listOwnOrders(ann);
  expect(new Map(carts.map((cart) => [cart.number, linesOf(cart)]))).toEqual(
    new Map([
      [first.number, [[gone.id, 1]]],
      [second.number, [[gone.id, 2]]],
      [newer.number, []],
    ]),
  );
  for (const cart of carts) expect(cart.email).toBe(ann.email);
});

test('the history of an order and the audit log name both accounts', async () => {
  const [ann, old, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const order = await orderInState('complete', { caller: old });
  const reply = await mergeInto(ann, old, admin);
  const changes = await testDb()('order_changes').where({ order_id: order.id });
  expect(changes).toMatchObject([
    { changes: { user_id: [old.id, ann.id] }, user_id: admin.id, reason: 'accounts merged' },
  ]);
  const { body } = await api(admin).get(
    `/audit_log?q[request_id_eq]=${reply.headers['x-request-id']}&q[subject_type_eq]=Store::User&q[subject_id_eq]=${ann.id}`,
  );
  expect(body.audit_log).toContainEqual(
    expect.objectContaining({
      user_email: admin.email,
      changes: expect.objectContaining({
        id: [null, old.id],
        user_id: [null, ann.id],
        email: [null, old.email],
      }),
    }),
  );
});

test('what the account did is kept under the remaining one', async () => {
  const [ann, old] = [await aCustomer(), await aCustomer()];
  const order = await orderInState('complete', { caller: old });
  await mergeInto(ann, old);
  const authors = await testDb()('state_changes').where({ order_id: order.id }).pluck('user_id');
  expect(new Set(authors)).toEqual(new Set([ann.id]));
});

test('keys of metadata are added to those of the kept account, unless it would be too large', async () => {
  const [ann, old, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const store = (user: TestUser, values: object) => testDb()('users').where({ id: user.id }).update(values);
  await store(ann, { metadata: { erp_id: 'A', note: 1 }, public_metadata: { large: 'x'.repeat(10_000) } });
  await store(old, { metadata: { erp_id: 'B', legacy: 2 }, public_metadata: { other: 'y'.repeat(10_000) } });
  const { body } = await mergeInto(ann, old, admin);
  expect(body.metadata).toEqual({ erp_id: 'A', note: 1, legacy: 2 });
  expect(Object.keys(body.public_metadata)).toEqual(['large']);
});

test('every reference to an account is handed over or ends', async () => {
  const { rows } = await testDb().raw<{ rows: { name: string }[] }>(
    `SELECT conrelid::regclass || '.' || attname AS name FROM pg_constraint
       JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'f' AND confrelid = 'users'::regclass ORDER BY 1`,
  );
  const ENDS = ['api_tokens.user_id', 'password_resets.user_id', 'two_factors.user_id', 'user_roles.user_id'];
  const HANDED_OVER = [
    ...['credit_cards.user_id', 'imports.user_id', 'merged_users.user_id', 'order_changes.user_id'],
    ...['orders.approver_id', 'orders.canceler_id', 'orders.user_id', 'payment_operations.user_id'],
    ...[
      'promotion_rule_users.user_id',
      'refunds.user_id',
      'state_changes.user_id',
      'stock_movements.user_id',
    ],
    'user_addresses.user_id',
  ];
  expect(rows.map(({ name }) => name)).toEqual([...ENDS, ...HANDED_OVER].sort());
});

test('repeating it changes nothing, with and without an Idempotency-Key', async () => {
  const [ann, old, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const headers = { 'Idempotency-Key': unique('merge') };
  const replies = [
    await mergeInto(ann, old, { ...admin, headers }),
    await mergeInto(ann, old, { ...admin, headers }),
    await mergeInto(ann, old, admin),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(replies[1]?.headers['idempotency-replayed']).toBe('true');
  expect(await testDb()('merged_users').where({ user_id: ann.id })).toHaveLength(1);
});

test('accounts that were merged before go on with it, for exports and erasure too', async () => {
  const [ann, middle, oldest, admin] = [
    await aCustomer(),
    await aCustomer(),
    await aCustomer(),
    await anAdmin(),
  ];
  const guest = await orderInState('complete');
  await testDb()('orders').where({ id: guest.id }).update({ email: oldest.email.toUpperCase() });
  await mergeInto(middle, oldest);
  await mergeInto(ann, middle);
  const { body } = await api(admin).get(`/users/${ann.id}/export`);
  expect(body).toMatchObject({
    merged_accounts: [
      { id: middle.id, email: middle.email },
      { id: oldest.id, email: oldest.email },
    ],
    orders: [{ number: guest.number }],
  });
  expect((await api(admin).put(`/users/${ann.id}/erase`)).status).toBe(200);
  const erased = await api(admin).get(`/orders/${guest.number}`);
  expect(erased.body).toMatchObject({ email: `erased-${ann.id}@erased.invalid`, total: guest.total });
  expect((await api(admin).get(`/users/${ann.id}/export`)).body.merged_accounts).toEqual([]);
});

test('is refused for staff, unknown accounts and the account itself, and changes nothing', async () => {
  const [ann, clerk, admin] = [await aCustomer(), await aClerk(['orders:read']), await anAdmin()];
  const staff = { base: ['Staff accounts cannot be merged'] };
  for (const [kept, ended, errors] of [
    [ann, ann, { user_id: ['is invalid'] }],
    [ann, { id: 2_147_483_647 }, { user_id: ['is invalid'] }],
    [ann, clerk, staff],
    [clerk, ann, staff],
    [ann, admin, staff],
  ] as const) {
    const reply = await mergeInto(kept, ended, admin);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  }
  expect((await mergeInto(ann, ann, admin, {})).body.errors).toEqual({ user_id: ["can't be blank"] });
  expect((await api(admin).put('/users/2147483647/merge', { user_id: ann.id })).status).toBe(404);
  for (const { id } of [ann, clerk]) expect((await api(admin).get(`/users/${id}`)).status).toBe(200);
});

test('only administrators with a token without limits may do it', async () => {
  const [ann, old] = [await aCustomer(), await aCustomer()];
  const admin = await anAdmin();
  const limited = await api(admin).post(`/users/${admin.id}/tokens`, {
    api_token: { scopes: ['customers:write'] },
  });
  for (const caller of [{}, ann, old, await aClerk(['customers:write']), { token: limited.body.token }]) {
    expect((await mergeInto(ann, old, caller)).status).toBe(401);
  }
  expect((await api(old).get('/users/me')).status).toBe(200);
});
