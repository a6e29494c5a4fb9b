import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import request from 'supertest';
import { buildErrorReply } from '../../../src/errors/error-handler';
import { Conflict, NotFound } from '../../../src/platform/errors';
import { withTransaction } from '../../../src/platform/database/transaction';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { runOnce } from '../../../src/platform/idempotency/run-once';
import { aClerk, aCustomer, anAdmin, type TestUser } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { anAddress } from '../../support/limits';
import { anImageOwner } from '../../support/images.factory';
import { orderInState } from '../../support/orders.factory';
import { aPicture } from '../../support/pictures';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

const HOUR_MS = 3_600_000;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

async function aTaxCategory(key: string, attributes: object = {}, caller: object = {}) {
  const admin = { ...(await anAdmin()), ...caller };
  const client = api({ ...admin, ...keyed(key) });
  const body = { tax_category: { name: unique('Books'), ...attributes } };
  return { admin, client, body, reply: await client.post('/tax_categories', body) };
}

test('a repeated request gets the first reply, marked as replayed', async () => {
  const { client, body, reply } = await aTaxCategory('k-1');
  const again = await client.post('/tax_categories', body);
  expect([reply.status, reply.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect([again.status, again.text, again.headers['content-type']]).toEqual([
    ...[reply.status, reply.text, reply.headers['content-type']],
  ]);
  expect(again.headers['idempotency-replayed']).toBe('true');
});

test.each(['', 'two words', 'a'.repeat(256), 'caf\u00e9'])('%j is no key', async (key) => {
  const admin = await anAdmin();
  const reply = await request(testApp().app)
    .post('/api/v1/tax_categories')
    .set({ 'X-Store-Token': admin.token, 'Idempotency-Key': key })
    .send({ tax_category: { name: unique('Books') } });
  expect(reply.status).toBe(400);
});

test('the same key with another body, path or method is refused', async () => {
  const { admin, client, reply } = await aTaxCategory('k-2');
  const error = { error: 'This Idempotency-Key was sent with another request.' };
  const path = `/tax_categories/${reply.body.id}`;
  for (const other of [
    await client.post('/tax_categories', { tax_category: { name: 'other' } }),
    await client.put(path, { tax_category: { name: 'other' } }),
    await client.delete(path),
    await client.delete(`${path}?really=yes`),
  ]) {
    expect([other.status, other.body]).toEqual([422, error]);
  }
  expect((await api(admin).get(path)).body.name).toBe(reply.body.name);
});

test('the order of keys in a body does not matter; another picture is another request', async () => {
  const admin = await anAdmin();
  const client = api({ ...admin, ...keyed('k-3') });
  const name = unique('Books');
  const first = await client.post('/tax_categories', { tax_category: { name, description: 'x' } });
  const second = await client.post('/tax_categories', { tax_category: { description: 'x', name } });
  expect([second.status, second.body]).toEqual([201, first.body]);

  const owner = await anImageOwner();
  const uploads = api({ ...admin, ...keyed('k-4') });
  const send = async (bytes: Buffer) =>
    uploads.multipart('post', `/products/${owner.id}/images`, {
      files: [{ part: 'image[attachment]', bytes, name: 'a.png' }],
    });
  const picture = await aPicture();
  expect((await send(picture)).status).toBe(201);
  expect((await send(picture)).headers['idempotency-replayed']).toBe('true');
  expect((await send(Buffer.concat([picture, Buffer.from('x')]))).status).toBe(422);
});

test('keys belong to a user, to an order token, or to an address', async () => {
  const { reply } = await aTaxCategory('k-5');
  const { reply: other } = await aTaxCategory('k-5');
  expect([reply.status, other.status]).toEqual([201, 201]);
  const [one, two] = [await orderInState('cart'), await orderInState('cart')];
  for (const order of [one, two]) {
    const client = api({ ...order.caller, ...keyed('k-5') });
    expect((await client.put(`/orders/${order.number}`, { order: {} })).status).toBe(200);
  }
  const key = randomUUID();
  const [first, second] = [await api(keyed(key)).post('/orders'), await api(keyed(key)).post('/orders')];
  expect(second.body).toEqual(first.body);
  expect((await api(keyed('too-short')).post('/orders')).status).toBe(400);
  expect((await api(keyed('sixteen-letters!')).post('/orders')).status).toBe(201);
});

test('sign-up and sign-in ignore a key', async () => {
  const user = { email: `${unique('ann')}@example.com`, password: 'secret12' };
  expect((await api(keyed('short')).post('/users', { user })).status).toBe(201);
  const [one, two] = [
    await api(keyed('short')).post('/sessions', user),
    await api(keyed('short')).post('/sessions', user),
  ];
  expect(one.body.token).not.toBe(two.body.token);
});

test('refusals are stored, except those that a retry may change', async () => {
  const { client, admin } = await aTaxCategory('k-6');
  const refusing = api({ ...admin, ...keyed('k-7') });
  const blank = await refusing.post('/tax_categories', { tax_category: { name: '' } });
  const again = await refusing.post('/tax_categories', { tax_category: { name: '' } });
  expect([blank.status, again.status, again.text]).toEqual([422, 422, blank.text]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(client).toBeDefined();

  const customer = await aCustomer();
  const outsider = api({ ...customer, ...keyed('k-8') });
  const order = await orderInState('cart');
  expect((await outsider.put(`/orders/${order.number}`, { order: {} })).status).toBe(401);
  await testDb()('orders').where({ number: order.number }).update({ user_id: customer.id });
  expect((await outsider.put(`/orders/${order.number}`, { order: {} })).status).toBe(200);
});

test('while the first request runs, the second waits and then gets 409', async () => {
  const { admin } = await aTaxCategory('k-9');
  const client = api({ ...admin, ...keyed('k-10') });
  const body = { tax_category: { name: unique('Books') } };
  const held = api({ ...admin, ...keyed('k-11') });
  const made = await held.post('/tax_categories', body);
  expect(made.status).toBe(201);
  // As if the first request were still at work, in another process that renews its claim.
  await testDb()('idempotency_keys').update({
    reply: null,
    claimed_until: testDb().raw(`now() + interval '20 seconds'`),
  });
  const started = performance.now();
  const second = await held.post('/tax_categories', body);
  expect([second.status, second.headers['retry-after']]).toEqual([409, '1']);
  expect(performance.now() - started).toBeGreaterThan(4_500);
  expect((await client.post('/tax_categories', { tax_category: { name: unique('x') } })).status).toBe(201);
});

test('stored replies cannot be read without the secret, nor after a day', async () => {
  const { client, body, reply } = await aTaxCategory('k-12');
  const { rows } = await testDb().raw<{ rows: { text: string }[] }>(
    `SELECT encode(reply, 'escape') AS text FROM idempotency_replies`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ text }) => text.includes('Books') || text.includes('tax_categor'))).toBe(false);
  expect((await client.post('/tax_categories', body)).body).toEqual(reply.body);
  const tomorrow = makeTestApp({ now: () => new Date(Date.now() + 25 * HOUR_MS) });
  const admin = await anAdmin();
  const key = keyed('k-13');
  const early = await api({ ...admin, ...key }).post('/tax_categories', {
    tax_category: { name: unique('a') },
  });
  const late = await api({ ...admin, ...key }, tomorrow).post('/tax_categories', {
    tax_category: { name: unique('b') },
  });
  expect([early.status, late.status, late.headers['idempotency-replayed']]).toEqual([201, 201, undefined]);
});

/** Builds a request that stores a tax category once, and then its reply; `before` runs first. */
function anInsertion(key: string) {
  const { db, log, now, secret } = testApp().deps;
  const quota = { check: () => Promise.resolve(), count: () => Promise.resolve() };
  const name = unique('Books');
  const deps = { db, log, now, secret, errorReply: buildErrorReply, quota };
  const scope = ['a client', unique(key)];
  const run = (
    buildReply: (row: { name: string }) => string,
    { path = '/countries', before = () => undefined }: { path?: string; before?: () => unknown } = {},
  ) =>
    runOnce(deps, { scope, request: ['POST', path] }, async (transactionHooks) => {
      await before();
      const row = await withTransaction({ db, transactionHooks }, async (tx) => {
        await tx('tax_categories').insert({ name });
        return { name };
      });
      return { status: 201, headers: {}, body: buildReply(row) };
    });
  return { name, run };
}

/** A process that is killed before its reply. */
const failing = () => {
  throw new TypeError('cannot read properties of undefined');
};

test('another request does not recall what a key has recorded', async () => {
  const { name, run } = anInsertion('k-other');
  await expect(run(failing)).rejects.toThrow(TypeError);
  const error: unknown = await run(() => 'stolen', { path: '/states' }).catch((thrown: unknown) => thrown);
  expect(buildErrorReply(error)).toMatchObject({ status: 422 });
  expect((await run((row) => row.name)).reply.body).toBe(name);
});

test('a refusal before the recorded results is not kept, because a retry reaches them', async () => {
  const { name, run } = anInsertion('k-behind');
  await expect(run(failing)).rejects.toThrow(TypeError);
  const refuse = () => {
    throw new NotFound();
  };
  await expect(run((row) => row.name, { before: refuse })).rejects.toThrow(NotFound);
  expect(await run((row) => row.name)).toMatchObject({ reply: { status: 201, body: name } });
  await expect(testDb()('tax_categories').where({ name })).resolves.toHaveLength(1);
});

test.each([
  ['a tax category', 'tax_categories'],
  ['a product, which is looked up before the transaction,', 'products'],
])('a repeated DELETE of %s whose reply was lost is done, not missing', async (_name, resource) => {
  const { admin, reply } = await aTaxCategory(`k-made-${resource}`);
  const path = `/${resource}/${resource === 'products' ? (await aProduct()).id : reply.body.id}`;
  await testDb().raw(`CREATE FUNCTION lose_reply() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'lost'; END $$;
    CREATE TRIGGER lose_reply BEFORE INSERT ON idempotency_replies FOR EACH ROW EXECUTE FUNCTION lose_reply()`);
  const client = api({ ...admin, ...keyed(`k-deleted-${resource}`) });
  try {
    expect((await client.delete(path)).status).toBe(204);
  } finally {
    await testDb().raw('DROP FUNCTION lose_reply CASCADE');
  }
  // The claim of the process that lost it expires by itself.
  await testDb()('idempotency_keys')
    .whereRaw("results <> '{}'")
    .update({ claimed_until: new Date(Date.now() - HOUR_MS) });
  expect((await client.delete(path)).status).toBe(204);
  // Nothing was recorded for another key.
  expect((await api({ ...admin, ...keyed(`k-missing-${resource}`) }).delete(path)).status).toBe(404);
});

test('a request that takes long keeps its key, and renews no other', async () => {
  const { name, run } = anInsertion('k-long');
  const past = new Date(Date.now() - HOUR_MS);
  const countRenewed = async () =>
    Number((await testDb()('idempotency_keys').where('claimed_until', '>', past).count())[0]?.['count']);
  await expect(anInsertion('k-idle').run(failing)).rejects.toThrow(TypeError);
  const { reply } = await run((row) => row.name, {
    before: async () => {
      await testDb()('idempotency_keys').update({ claimed_until: past });
      while ((await countRenewed()) === 0) await wait(50);
      expect(await countRenewed()).toBe(1);
    },
  });
  expect(reply.body).toBe(name);
});

function aSignal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

test('a request that waits for the first one takes over its results when that fails', async () => {
  const { name, run } = anInsertion('k-next');
  const { db } = testApp().deps;
  const [begun, ended, looked] = [aSignal(), aSignal(), aSignal()];
  const first = run(failing, {
    before: async () => {
      begun.give();
      await ended.given;
    },
  });
  await begun.given;
  const look = ({ sql }: { sql: string }) => {
    if (sql.includes('is_claimed')) looked.give();
  };
  db.on('query', look);
  try {
    const second = run((row) => row.name);
    await looked.given;
    ended.give();
    await expect(first).rejects.toThrow(TypeError);
    expect(await second).toMatchObject({ reply: { status: 201, body: name }, isReplayed: false });
    expect(await db('tax_categories').where({ name })).toHaveLength(1);
  } finally {
    db.off('query', look);
  }
});

test('the renewal of a claim ends with its request', async () => {
  const { run } = anInsertion('k-renewal');
  const [started, ended] = [jest.spyOn(globalThis, 'setInterval'), jest.spyOn(globalThis, 'clearInterval')];
  const renewals: NodeJS.Timeout[] = [];
  try {
    await run((row) => row.name, {
      before: () => {
        // Timers that keep no process alive; the pool has others.
        for (const { value } of started.mock.results as { value: NodeJS.Timeout }[]) {
          if (!value.hasRef()) renewals.push(value);
        }
      },
    });
    const cleared = new Set<unknown>(ended.mock.calls.map(([timer]) => timer));
    expect(renewals.filter((timer) => cleared.has(timer)).length).toBeGreaterThan(0);
  } finally {
    started.mockRestore();
    ended.mockRestore();
  }
});

test('a key that the quota refuses is free again, and one with recorded results needs no quota', async () => {
  const { db, log, now, secret } = testApp().deps;
  const check = jest.fn().mockRejectedValueOnce(new NotFound()).mockResolvedValueOnce(undefined);
  const quota = { check, count: () => Promise.resolve() };
  const deps = { db, log, now, secret, errorReply: buildErrorReply, quota };
  const key = { scope: ['a client', unique('k-refused')], request: ['POST', '/countries'] };
  const name = unique('Books');
  const send = (finish: () => undefined) =>
    runOnce(deps, key, async (transactionHooks) => {
      await withTransaction({ db, transactionHooks }, async (tx) => {
        await tx('tax_categories').insert({ name });
      });
      finish();
      return { status: 201, headers: {}, body: '{}' };
    });
  const countKeys = async () => Number((await testDb()('idempotency_keys').count())[0]?.['count']);
  const before = await countKeys();
  await expect(send(() => undefined)).rejects.toThrow(NotFound);
  expect(await countKeys()).toBe(before);
  await expect(send(failing)).rejects.toThrow(TypeError);
  check.mockRejectedValue(new NotFound());
  expect(await send(() => undefined)).toMatchObject({ reply: { status: 201 }, isReplayed: false });
  expect(await testDb()('tax_categories').where({ name })).toHaveLength(1);
});

test('a reply that cannot be rebuilt from recorded results is lost: 409 each time, and no second effect', async () => {
  // A version of the store that was killed before its reply recorded another result.
  const { name, run: runs } = anInsertion('k-lost');
  await expect(runs(failing)).rejects.toThrow(TypeError);
  for (let time = 0; time < 2; time += 1) {
    const error: unknown = await runs(failing).catch((thrown: unknown) => thrown);
    expect(buildErrorReply(error)).toMatchObject({ status: 409, headers: { 'X-Error-Code': 'reply_lost' } });
  }
  expect((await runs((row) => JSON.stringify(row))).reply.body).toBe(JSON.stringify({ name }));
  expect(await testDb()('tax_categories').where({ name })).toHaveLength(1);
});

test('kept replies are compressed', async () => {
  const { admin } = await aTaxCategory('k-20');
  const name = unique('Books');
  const body = { tax_category: { name, description: 'long '.repeat(400) } };
  const client = api({ ...admin, ...keyed('k-21') });
  await testDb()('idempotency_replies').delete();
  const first = await client.post('/tax_categories', body);
  expect(first.text.length).toBeGreaterThan(2_000);
  const [row] = await testDb()('idempotency_replies').select<{ reply: Buffer }[]>('reply');
  expect(row!.reply.length).toBeLessThan(500);
  expect((await client.post('/tax_categories', body)).text).toBe(first.text);
});

describe('the space for kept replies', () => {
  // At this scale an address has 168 bytes, an order 84, the shoppers of an address 671 and a user 2013.
  const scale = 0.000_01;
  const createStore = () => {
    const [wide, narrow] = [createRateLimits(testDb(), 100), createRateLimits(testDb(), scale)];
    const spend: typeof wide.spend = (key, cost) =>
      (key.limit.name.startsWith('replies') ? narrow : wide).spend(key, cost);
    return makeTestApp({ limits: { ...wide, spend } }, { trustProxy: 1 });
  };

  test('of a user is limited; kept replies are still given, and requests without a key work', async () => {
    const admin = await anAdmin();
    const { app } = createStore();
    const body = (n: number) => ({ tax_category: { name: `${n} ${admin.email}` } });
    const send = (n: number) =>
      request(app)
        .post('/api/v1/tax_categories')
        .set({ 'X-Store-Token': admin.token, 'Idempotency-Key': `n-${n}` })
        .send(body(n));
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await send(n)).status);
    expect(statuses[0]).toBe(201);
    expect(statuses.at(-1)).toBe(429);
    expect((await send(0)).headers['idempotency-replayed']).toBe('true');
    expect((await api(admin).post('/tax_categories', body(10))).status).toBe(201);
    const refused = await send(11);
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([429, '2013;w=86400']);
    expect(await testDb()('tax_categories').where({ name: body(11).tax_category.name })).toEqual([]);
    // A refused key is free: it is not claimed by the refused request.
    const again = await api({ ...admin, ...keyed('n-11') }).post('/tax_categories', body(11));
    expect(again.status).toBe(201);
  });

  test('of an address is shared by all order tokens that are sent from it', async () => {
    const store = createStore();
    const address = anAddress();
    const statuses = [];
    for (let n = 0; n < 12; n += 1) {
      const headers = { 'Idempotency-Key': unique('key'), 'X-Forwarded-For': address };
      const guest = api({ orderToken: unique('any-token'), headers }, store);
      statuses.push((await guest.put('/orders/R000', { order: {} })).status);
    }
    expect(statuses).toContain(404);
    expect(statuses.at(-1)).toBe(429);
  });

  test('of an address is shared by the customers who sign up there, but not by staff', async () => {
    const store = createStore();
    const address = anAddress();
    const send = async (user: TestUser) => {
      const headers = { 'Idempotency-Key': unique('key'), 'X-Forwarded-For': address };
      return (await api({ ...user, headers }, store).put('/orders/R000', { order: {} })).status;
    };
    const statuses = [];
    for (let n = 0; n < 8; n += 1) statuses.push(await send(await aCustomer()));
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(429);
    expect(await send(await anAdmin())).toBe(404);
  });

  test('is taken by results without a reply, too', async () => {
    const counted: number[] = [];
    const quota = {
      check: () => Promise.resolve(),
      count: (bytes: number) => Promise.resolve(void counted.push(bytes)),
    };
    const { db, log, now, secret } = testApp().deps;
    const deps = { db, log, now, secret, errorReply: buildErrorReply, quota };
    const key = { scope: ['a client', unique('k-not-now')], request: ['POST', '/countries'] };
    const send = () =>
      runOnce(deps, key, async (transactionHooks) => {
        await withTransaction({ db, transactionHooks }, () => Promise.resolve('x'.repeat(200)));
        throw new Conflict('not now');
      });
    for (let times = 0; times < 2; times += 1) await expect(send()).rejects.toThrow('not now');
    // The second attempt recalls the result.
    expect(counted).toEqual([expect.any(Number)]);
    expect(counted[0]).toBeGreaterThan(600);
  });
});

describe('a kept reply', () => {
  test('is given only to who may still use the order', async () => {
    const order = await orderInState('cart');
    const guest = api({ ...order.caller, ...keyed('k-30') });
    const path = `/orders/${order.number}`;
    const body = { order: { special_instructions: 'ring' } };
    expect((await guest.put(path, body)).status).toBe(200);
    expect((await guest.put(path, body)).headers['idempotency-replayed']).toBe('true');
    // As when the order gets an owner.
    await testDb()('orders')
      .where({ id: order.id })
      .update({ token_hash: Buffer.alloc(32) });
    const refused = await guest.put(path, body);
    expect([refused.status, refused.text.includes('ring')]).toEqual([401, false]);
  });

  test('about an account is given only to who may still see it', async () => {
    const [clerk, customer] = [await aClerk(['customers:write']), await aCustomer()];
    const client = api({ ...clerk, ...keyed('k-32') });
    const body = { user: { vat_id: 'DE123456789' } };
    const path = `/users/${customer.id}`;
    expect((await client.put(path, body)).body).toMatchObject({ vat_id: 'DE123456789' });
    expect((await client.put(path, body)).headers['idempotency-replayed']).toBe('true');
    await testDb()('user_roles').where({ user_id: clerk.id }).delete();
    const refused = await client.put(path, body);
    expect([refused.status, refused.text.includes('DE123456789')]).toEqual([401, false]);
  });

  test('about a payment is given only to who may still use its order', async () => {
    const [clerk, order] = [await aClerk(['payments:write']), await orderInState('complete')];
    const path = `/payments/${order.payments[0].id}/confirm_action`;
    const client = api({ ...clerk, ...keyed('k-33') });
    expect((await client.put(path)).status).toBe(200);
    expect((await client.put(path)).headers['idempotency-replayed']).toBe('true');
    await testDb()('user_roles').where({ user_id: clerk.id }).delete();
    const refused = await client.put(path);
    expect([refused.status, refused.text.includes(order.payments[0].number)]).toEqual([401, false]);
  });

  test('of the creation of an order is given as long as its token opens the order', async () => {
    const client = api(keyed(randomUUID()));
    const first = await client.post('/orders', {});
    expect((await client.post('/orders', {})).text).toBe(first.text);
    await testDb()('orders')
      .where({ id: first.body.id })
      .update({ token_hash: Buffer.alloc(32, 1) });
    const refused = await client.post('/orders', {});
    expect([refused.status, refused.body.token]).toEqual([401, undefined]);
  });

  test('of an order that changed hands is not given to the former owner', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const client = api({ ...ann, ...keyed('k-31') });
    const first = await client.post('/orders', {});
    expect((await client.post('/orders', {})).text).toBe(first.text);
    await testDb()('orders').where({ id: first.body.id }).update({ user_id: bob.id });
    expect((await client.post('/orders', {})).status).toBe(401);
    await testDb()('orders').where({ id: first.body.id }).delete();
    expect((await client.post('/orders', {})).status).toBe(401);
  });
});
