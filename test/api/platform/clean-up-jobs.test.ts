import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { removeUnusedSignIns } from '../../../src/accounts/remove-unused-sign-ins.job';
import { buildProgramAuthor } from '../../../src/access/authors';
import type { Deps } from '../../../src/sales/context';
import { hashToken } from '../../../src/access/tokens';
import { removeExpiredKeys } from '../../../src/platform/idempotency/delete-expired-keys.job';
import { deleteAbandonedCarts } from '../../../src/sales/orders/delete-abandoned-carts.job';
import { voidAbandonedAuthorizations } from '../../../src/sales/orders/void-abandoned-authorizations.job';
import { voidFreeAuthorizations } from '../../../src/sales/orders/void-free-authorizations.job';
import { aCustomer, anAdmin, aSignedUpCustomer } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { orderInState } from '../../support/orders.factory';
import { bogusGateway } from '../../../src/sales/payment-processing/gateways/bogus';
import { buildBogusGateway } from '../../support/gateways';
import { anOrderOf, aPaymentIn } from '../../support/payments.factory';
import { unique } from '../../support/unique';

const DAY_MS = 24 * 3_600_000;

/** The application's parts, and the figures that jobs have logged. */
function logging() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { deps: { ...testApp().deps, log }, lines };
}

const countOf = async (table: string): Promise<number> => {
  const row = await testDb()(table).count({ count: '*' }).first();
  return Number(row?.['count']);
};

/** Backdates the last change of an order. */
async function leave(number: string, days: number): Promise<void> {
  const long = new Date(Date.now() - days * DAY_MS);
  await testDb().raw('ALTER TABLE orders DISABLE TRIGGER USER');
  await testDb()('orders').where({ number }).update({ created_at: long, updated_at: long });
  await testDb()('orders').where({ number }).whereNotNull('feed_at').update({ feed_at: long });
  await testDb().raw('ALTER TABLE orders ENABLE TRIGGER USER');
}

describe('authorizations of sold orders', () => {
  /** A complete order with an authorized payment, and what its gateway was asked to void. */
  async function anAuthorizedOrder() {
    const order = await orderInState('complete');
    const path = `/orders/${order.number}`;
    const voids: string[] = [];
    const { deps } = logging();
    const gateways = buildBogusGateway({
      void: (request) => {
        voids.push(String(request.response_code));
        return bogusGateway.connect({}).void(request);
      },
    });
    const admin = api(await anAdmin());
    const [line] = order.line_items;
    const makeFree = async (): Promise<void> => {
      const changes = [
        admin.put(`${path}/line_items/${line.id}`, { line_item: { price: '0' } }),
        admin.put(`/shipments/${order.shipments[0].number}`, { shipment: { cost: '0' } }),
      ];
      for (const change of changes) expect((await change).status).toBe(200);
    };
    const readPayment = async () => (await admin.get(`${path}/payments/${order.payments[0].id}`)).body;
    return { order, admin, path, makeFree, readPayment, voids, deps: { ...deps, gateways } };
  }

  test('that became free are given back, once they are unchanged for a minute', async () => {
    const { order, admin, path, makeFree, readPayment, voids, deps } = await anAuthorizedOrder();
    expect((await readPayment()).state).toBe('pending');
    await makeFree();
    await voidFreeAuthorizations(deps);
    expect(voids).toEqual([]);
    await leave(order.number, 1);
    expect(await voidFreeAuthorizations(deps)).toBe(1);
    expect(voids).toHaveLength(1);
    expect(await voidFreeAuthorizations(deps)).toBe(0);
    expect((await readPayment()).state).toBe('void');
    const shown = (await admin.get(path)).body;
    expect(shown).toMatchObject({ total: '0.0', payment_state: 'paid', shipment_state: 'ready' });
    const { state_changes } = (await admin.get(`${path}/history`)).body;
    expect(state_changes).toContainEqual(
      expect.objectContaining({ subject_type: 'payment', to_state: 'processing', reason: 'order is free' }),
    );
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('that still cost something stay', async () => {
    const { order, readPayment, deps } = await anAuthorizedOrder();
    await leave(order.number, 1);
    await voidFreeAuthorizations(deps);
    expect((await readPayment()).state).toBe('pending');
  });
});

const isThere = async (number: string): Promise<boolean> =>
  (await testDb()('orders').where({ number }).first('id')) !== undefined;

test('the audit log names the job that deletes sign-ins and carts or voids authorizations', async () => {
  const jobs = {
    'Store::ApiToken': (deps: Deps) => removeUnusedSignIns(deps),
    'Store::Order': (deps: Deps) => deleteAbandonedCarts(deps, 90),
    'Store::Payment': (deps: Deps) => voidAbandonedAuthorizations(deps, 90),
  };
  const ann = await aSignedUpCustomer();
  const long = new Date(Date.now() - 31 * DAY_MS);
  await testDb()('api_tokens').where({ user_id: ann.id }).update({ created_at: long, last_used_at: null });
  await leave((await orderInState('confirm')).number, 91);
  const cart = await anOrderOf('30');
  await aPaymentIn('pending', cart);
  await leave(cart.number, 91);
  for (const [subject_type, run] of Object.entries(jobs)) {
    const name = unique('job');
    await run({ ...testApp().deps, author: buildProgramAuthor(name) });
    const entries = await testDb()('audit_log').where({ user_email: name, subject_type });
    expect([subject_type, entries.length > 0]).toEqual([subject_type, true]);
  }
});

describe('abandoned carts', () => {
  test('are deleted with their parts; recent, complete and paid orders are kept', async () => {
    const tables = ['addresses', 'line_items', 'shipments', 'inventory_units', 'payments', 'credit_cards'];
    const before = await Promise.all(tables.map(countOf));
    const old = await orderInState('confirm');
    await leave(old.number, 91);
    const { deps, lines } = logging();
    expect(await deleteAbandonedCarts(deps, 90)).toBe(1);
    expect(await Promise.all(tables.map(countOf))).toEqual(before);
    expect(lines).toMatchObject([{ msg: 'abandoned carts were deleted', deleted: 1, max_age_days: 90 }]);

    const young = await orderInState('cart');
    await leave(young.number, 89);
    const sold = await orderInState('complete');
    await leave(sold.number, 400);
    const authorized = await orderInState('confirm');
    await testDb()('payments').where({ order_id: authorized.id }).update({ state: 'pending' });
    await leave(authorized.number, 400);
    const running = await orderInState('confirm');
    await testDb()('payments').where({ order_id: running.id }).update({ state: 'processing' });
    await leave(running.number, 400);
    expect(await deleteAbandonedCarts(deps, 90)).toBe(0);
    for (const { number } of [young, sold, authorized, running]) expect(await isThere(number)).toBe(true);
    await expectNoViolations({ order_ids: [young.id, sold.id] });
  });

  test('with an authorized payment give the authorization back, and are kept', async () => {
    const [old, young] = [await anOrderOf('30'), await anOrderOf('30')];
    const paths = [await aPaymentIn('pending', old), await aPaymentIn('pending', young)];
    await aPaymentIn('completed', old);
    await leave(old.number, 91);
    await leave(young.number, 89);
    const { deps, lines } = logging();
    const voided = await voidAbandonedAuthorizations(deps, 90);
    expect(voided).toBeGreaterThan(0);
    expect(lines).toMatchObject([{ voided, max_age_days: 90 }]);
    const admin = api(await anAdmin());
    const states = await Promise.all(paths.map(async (path) => (await admin.get(path)).body.state));
    expect(states).toEqual(['void', 'pending']);
    const { state_changes } = (await admin.get(`/orders/${old.number}/history`)).body;
    expect(state_changes).toContainEqual(
      expect.objectContaining({ subject_type: 'payment', to_state: 'processing', reason: 'cart abandoned' }),
    );
  });

  test('whose gateway declines the void are tried again after a day', async () => {
    const cart = await anOrderOf('30');
    await aPaymentIn('pending', cart);
    const declined = { approved: false, message: 'No' } as const;
    const codes = { response_code: null, avs_response: null, cvv_response: null };
    const gateways = buildBogusGateway({ void: () => Promise.resolve({ ...declined, ...codes }) });
    const deps = { ...logging().deps, gateways };
    const listVoids = () =>
      testDb()('payment_operations')
        .join('payments', 'payments.id', 'payment_operations.payment_id')
        .where({ order_id: cart.id, kind: 'void' });
    const run = async (): Promise<number> => {
      await leave(cart.number, 91);
      await voidAbandonedAuthorizations(deps, 90);
      return (await listVoids()).length;
    };
    expect([await run(), await run()]).toEqual([1, 1]);
    const yesterday = testDb().raw("now() - interval '25 hours'");
    await testDb()('payment_operations').where({ kind: 'void' }).update({ started_at: yesterday });
    expect(await run()).toBe(2);
  });

  test('are deleted in batches, unless they are locked', async () => {
    const long = new Date(Date.now() - 200 * DAY_MS);
    await testDb()('orders').insert(
      Array.from({ length: 450 }, (_, index) => ({
        number: `OLD${index}`,
        currency: 'USD',
        created_at: long,
        updated_at: long,
        token_seed: randomBytes(16),
        token_hash: randomBytes(32),
      })),
    );
    const { deps } = logging();
    let batches = 0;
    const isRunning = () => ++batches <= 2;
    expect(await deleteAbandonedCarts(deps, 90, isRunning)).toBe(200);
    await testDb().transaction(async (tx) => {
      await tx('orders').where({ number: 'OLD449' }).forUpdate().first('id');
      expect(await deleteAbandonedCarts(deps, 90)).toBe(249);
    });
    expect(await isThere('OLD449')).toBe(true);
    expect(await deleteAbandonedCarts(deps, 90)).toBe(1);
  });
});

describe('tokens of sign-ins', () => {
  test('are deleted after 30 days without use; other tokens are kept', async () => {
    const customer = await aSignedUpCustomer();
    const own = api(customer);
    const [shown] = (await own.get(`/users/${customer.id}/tokens`)).body.tokens;
    expect(shown.last_used_at).not.toBeNull();
    const lifetime = Date.parse(shown.expires_at) - Date.parse(shown.last_used_at);
    expect(lifetime).toBe(30 * DAY_MS);
    const made = await own.post(`/users/${customer.id}/tokens`, { api_token: { name: 'till' } });
    expect([made.body.last_used_at, made.body.expires_at]).toEqual([null, null]);

    const long = new Date(Date.now() - 31 * DAY_MS);
    await testDb()('api_tokens')
      .where({ user_id: customer.id })
      .update({ created_at: long, last_used_at: long });
    expect((await own.get('/users/me')).status).toBe(401);
    expect((await api({ token: made.body.token }).get('/users/me')).status).toBe(200);
    const { deps, lines } = logging();
    expect((await removeUnusedSignIns(deps)).tokens).toBe(1);
    expect(lines).toMatchObject([{ msg: 'unused sign-ins were deleted', tokens: 1 }]);
    expect((await api({ token: made.body.token }).get('/users/me')).status).toBe(200);
  });

  test('end 90 days after they were made, however often they are used; other tokens do not', async () => {
    const customer = await aSignedUpCustomer();
    const made = await api(customer).post(`/users/${customer.id}/tokens`, { api_token: { name: 'till' } });
    const own = testDb()('api_tokens').where({ user_id: customer.id });
    const madeBefore = (days: number) =>
      own.clone().update({ created_at: new Date(Date.now() - days * DAY_MS), last_used_at: new Date() });
    await madeBefore(89);
    const [shown] = (await api(customer).get(`/users/${customer.id}/tokens?q[name_eq]=sign-up`)).body.tokens;
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(90 * DAY_MS);
    await madeBefore(91);
    expect((await api(customer).get('/users/me')).status).toBe(401);
    expect((await api({ token: made.body.token }).get('/users/me')).status).toBe(200);
  });

  test('of one account are at most 100: another one ends the one that is unused for longest', async () => {
    const customer = await aSignedUpCustomer();
    const hashOf = (age: number) => hashToken(`${customer.id}/${age}`);
    const signIns = Array.from({ length: 99 }, (_, age) => ({
      user_id: customer.id,
      name: 'sign-in',
      is_session: true,
      token_hash: hashOf(age),
      last_used_at: new Date(Date.now() - (age + 1) * 60_000),
    }));
    await testDb()('api_tokens').insert(signIns);
    const made = await api(customer).post(`/users/${customer.id}/tokens`, { api_token: { name: 'till' } });
    const { email, password } = customer;
    const { status, body } = await api().post('/sessions', { email, password });
    expect(status).toBe(201);
    const left = testDb()('api_tokens').where({ user_id: customer.id, is_session: true });
    expect(await left.clone().pluck('id')).toHaveLength(100);
    const oldest = left.clone().whereIn('token_hash', [hashOf(97), hashOf(98)]);
    expect(await oldest.pluck('token_hash')).toEqual([hashOf(97)]);
    for (const { token } of [customer, made.body, body])
      expect((await api({ token }).get('/users/me')).status).toBe(200);
  });

  test('last_used_at is updated once an hour', async () => {
    const customer = await aCustomer();
    const used = async (): Promise<Date> =>
      (await testDb()('api_tokens').where({ user_id: customer.id }).first('last_used_at')).last_used_at;
    const [recent, past] = [new Date(Date.now() - 50 * 60_000), new Date(Date.now() - 70 * 60_000)];
    await testDb()('api_tokens').where({ user_id: customer.id }).update({ last_used_at: recent });
    await api(customer).get('/users/me');
    expect(await used()).toEqual(recent);
    await testDb()('api_tokens').where({ user_id: customer.id }).update({ last_used_at: past });
    await Promise.all(Array.from({ length: 5 }, () => api(customer).get('/users/me')));
    expect((await used()).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('and expired counts of attempts are deleted in batches', async () => {
    const { id: user_id } = await anAdmin();
    const long = new Date(Date.now() - 31 * DAY_MS);
    await testDb().batchInsert(
      'api_tokens',
      Array.from({ length: 2_500 }, () => ({
        user_id,
        is_session: true,
        created_at: long,
        token_hash: hashToken(unique('token')),
      })),
      500,
    );
    await testDb().batchInsert(
      'rate_limits',
      Array.from({ length: 2_300 }, () => ({ key: unique('limit'), points: 1, expire: long.getTime() })),
      500,
    );
    const { deps } = logging();
    let batches = 0;
    expect(await removeUnusedSignIns(deps, () => ++batches <= 1)).toEqual({ tokens: 1_000, attempts: 0 });
    const { tokens, attempts } = await removeUnusedSignIns(deps);
    expect(tokens).toBe(1_500);
    expect(attempts).toBeGreaterThanOrEqual(2_300);
    expect((await testDb()('api_tokens').where({ user_id })).length).toBe(1);
  });
});

test('idempotency keys are deleted after a day, in batches, unless a request holds them', async () => {
  const aKey = (hours: number, claimed_until: Date) => ({
    digest: randomBytes(32),
    fingerprint: randomBytes(32),
    claim: randomUUID(),
    claimed_until,
    created_at: new Date(Date.now() - hours * 3_600_000),
  });
  const past = new Date(Date.now() - 60_000);
  await testDb().batchInsert(
    'idempotency_keys',
    [
      ...Array.from({ length: 2_600 }, () => aKey(25, past)),
      ...Array.from({ length: 10 }, () => aKey(23, past)),
      aKey(25, new Date(Date.now() + 60_000)),
    ],
    500,
  );
  const { deps, lines } = logging();
  expect(await removeExpiredKeys(deps)).toBe(2_600);
  expect(lines).toMatchObject([{ msg: 'expired idempotency keys were deleted', deleted: 2_600 }]);
  expect(await countOf('idempotency_keys')).toBe(11);
});
