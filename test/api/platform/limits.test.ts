import request from 'supertest';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { aCustomer, anAdmin, aSignedUpCustomer } from '../../support/accounts.factory';
import { api, makeTestApp, type Caller } from '../../support/api';
import { testDb } from '../../support/database';
import { anAddress, passTime } from '../../support/limits';
import { aPromotion } from '../../support/promotions.factory';
import { listQueries } from '../../support/queries';
import { unique } from '../../support/unique';

/** Returns a client of a store with the limits at `scale`; each caller has its own address unless they name one. */
function limited(caller: Caller = {}, { scale = 1, address = anAddress() } = {}) {
  const store = makeTestApp({ limits: createRateLimits(testDb(), scale) }, { trustProxy: 1 });
  return api({ ...caller, headers: { 'X-Forwarded-For': address } }, store);
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

async function statuses(count: number, send: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const found = [];
  for (let n = 0; n < count; n += 1) found.push((await send(n)).status);
  return found;
}

describe('coupon codes', () => {
  test('20 refused codes for an order; then valid ones are refused too', async () => {
    const order = await api().post('/orders', {});
    const guest = limited({ orderToken: order.body.token });
    const path = `/orders/${order.body.number}`;
    const enter = (n: number) =>
      n % 2 === 0
        ? guest.put(`${path}/apply_coupon_code`, { coupon_code: unique('no') })
        : guest.put(path, { order: { coupon_code: unique('no') } });
    expect(await statuses(22, enter)).toEqual([...times(20, 422), 429, 429]);
    const promotion = await aPromotion({});
    const valid = await guest.put(`${path}/apply_coupon_code`, { coupon_code: promotion.code });
    expect([valid.status, valid.headers['ratelimit-policy']]).toEqual([429, '20;w=3600']);
    expect((await guest.put(`/checkouts/${order.body.number}`, { coupon_code: promotion.code })).status).toBe(
      429,
    );
    expect((await guest.put(path, { order: { special_instructions: 'ring twice' } })).status).toBe(200);
  });

  test('requests that may not use the order do not count', async () => {
    const order = await api().post('/orders', {});
    const path = `/orders/${order.body.number}/apply_coupon_code`;
    await statuses(25, () => limited().put(path, { coupon_code: unique('no') }));
    const owner = limited({ orderToken: order.body.token });
    expect((await owner.put(path, { coupon_code: unique('no') })).status).toBe(422);
  });

  test('codes that the limit refuses write nothing and begin no transaction, until its time is over', async () => {
    const order = await api().post('/orders', {});
    const guest = limited({ orderToken: order.body.token }, { scale: 0.1 });
    const enter = () =>
      guest.put(`/orders/${order.body.number}/apply_coupon_code`, { coupon_code: unique('no') });
    expect(await statuses(3, enter)).toEqual([422, 422, 429]);
    const sent = await listQueries(async () => expect(await statuses(3, enter)).toEqual(times(3, 429)));
    expect(sent.filter((sql) => !/^\s*select/i.test(sql) || /for (no key )?update/i.test(sql))).toEqual([]);
    await passTime();
    expect(await statuses(3, enter)).toEqual([422, 422, 429]);
  });

  test('150 refused codes from an address', async () => {
    const guest = limited({}, { scale: 0.1 });
    const replies = await statuses(17, async () => {
      const { body } = await api().post('/orders', {});
      return guest.put(`/orders/${body.number}/apply_coupon_code?order_token=${body.token}`, {
        coupon_code: 'no',
      });
    });
    expect(replies).toEqual([...times(15, 422), 429, 429]);
  });
});

describe('order tokens', () => {
  test('250 wrong ones from an address; right ones still work', async () => {
    const order = await api().post('/orders', {});
    const address = anAddress();
    const guest = (orderToken: string) => limited({ orderToken }, { scale: 0.1, address });
    const path = `/orders/${order.body.number}`;
    expect(await statuses(27, () => guest('wrong').get(path))).toEqual([...times(25, 401), 429, 429]);
    expect((await guest(order.body.token).get(path)).status).toBe(200);
    expect((await limited({ orderToken: 'wrong' }).get(path)).status).toBe(401);
    expect((await limited({}, { scale: 0.1, address }).get(path)).status).toBe(429);
    expect((await limited({}, { scale: 0.1, address }).get('/orders/R000')).status).toBe(429);
  });

  test('missing ones count too, on orders that exist or not; records that the order does not have do not', async () => {
    const { body } = await api().post('/orders', {});
    const address = anAddress();
    const guest = limited({}, { scale: 0.1, address });
    const owner = limited({ orderToken: body.token }, { scale: 0.1, address });
    const customer = limited(await aCustomer(), { scale: 0.1, address });
    const admin = limited(await anAdmin(), { scale: 0.1, address });
    const missing = `/orders/${body.number}/line_items/2000000000`;
    expect(await statuses(30, () => owner.put(missing, { line_item: { quantity: 1 } }))).toEqual(
      times(30, 404),
    );
    expect(await statuses(30, () => admin.get('/orders/R000'))).toEqual(times(30, 404));
    const search = (n: number) =>
      n % 2 === 0
        ? guest.get(`/orders/${body.number}`)
        : (n % 3 === 0 ? customer : guest).put('/checkouts/R000/next');
    const found = await statuses(27, search);
    expect(found.slice(0, 25).every((status) => status === 401 || status === 404)).toBe(true);
    expect(found.slice(25)).toEqual([429, 429]);
    expect((await owner.get(`/orders/${body.number}`)).status).toBe(200);
    expect((await guest.get('/orders/a%00b')).status).toBe(429);
  });

  test('those sent with an invalid API token count too', async () => {
    const { body } = await api().post('/orders', {});
    const guest = limited({ token: 'gone', orderToken: 'wrong' }, { scale: 0.1 });
    expect(await statuses(26, () => guest.get(`/orders/${body.number}`))).toEqual([...times(25, 401), 429]);
  });
});

describe('sign-ups', () => {
  const body = () => ({ user: { email: `${unique('new')}@example.com`, password: 'secret12' } });

  test('200 from an address, successful or not; not those by admins', async () => {
    const address = anAddress();
    const guest = limited({}, { scale: 0.02, address });
    const { email } = await aSignedUpCustomer();
    expect((await guest.post('/users', { user: { email, password: 'secret12' } })).status).toBe(422);
    expect(await statuses(4, () => guest.post('/users', body()))).toEqual([201, 201, 201, 429]);
    const admin = limited(await anAdmin(), { scale: 0.02, address });
    expect((await admin.post('/users', body())).status).toBe(201);
  });
});

describe('carts of guests', () => {
  test('300 from an address; refused ones, those of customers and repeated requests do not count', async () => {
    const address = anAddress();
    const options = { scale: 0.02, address };
    const guest = limited({}, options);
    const refused = { order: { line_items: [{ variant_id: 2_000_000_000, quantity: 1 }] } };
    expect(await statuses(7, () => guest.post('/orders', refused))).toEqual(times(7, 422));
    const store = makeTestApp({ limits: createRateLimits(testDb(), 0.02) }, { trustProxy: 1 });
    const key = { 'X-Forwarded-For': address, 'Idempotency-Key': unique('a-long-key-of-a-guest') };
    const keyed = api({ headers: key }, store);
    expect(await statuses(4, () => keyed.post('/orders', {}))).toEqual(times(4, 201));
    expect(await statuses(7, () => guest.post('/orders', {}))).toEqual([...times(5, 201), 429, 429]);
    expect((await limited(await aCustomer(), options).post('/orders', {})).status).toBe(201);
    expect((await limited({}, { scale: 0.02 }).post('/orders', {})).status).toBe(201);
  });
});

describe('what requests of guests cost', () => {
  // At this scale the budget of a minute is 100 points.
  const scale = 0.001;

  test('an address has a budget for each minute, which a write uses more of than a read', async () => {
    const address = anAddress();
    const order = await api().post('/orders', {});
    const guest = limited({ orderToken: order.body.token }, { scale, address });
    const write = () =>
      guest.put(`/orders/${order.body.number}`, { order: { special_instructions: 'ring' } });
    expect(await statuses(11, write)).toEqual([...times(10, 200), 429]);
    const reader = limited({}, { scale });
    const found = await statuses(22, (n) => reader.get(`/products?q[name_cont]=${n}`));
    expect(found).toEqual([...times(20, 200), 429, 429]);
    const refused = await reader.get('/products?q[name_cont]=x');
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await limited({}, { scale }).get('/products?q[name_cont]=y')).status).toBe(200);
    expect(
      (await limited(await aCustomer(), { scale, address }).get('/products?q[name_cont]=z')).status,
    ).toBe(200);
  });

  test.each([
    ['its records', 'per_page=125'],
    ['its facets', 'per_page=1&facets=taxons,price,options,properties,available'],
    ['the length of its URL', `fields=${'name,'.repeat(1_250)}`],
  ])('a list costs more by %s', async (_what, parameters) => {
    const reader = limited({}, { scale });
    const found = await statuses(4, (n) => reader.get(`/products?${parameters}&q[name_cont]=${n}`));
    expect(found).toEqual([...times(3, 200), 429]);
  });

  test('replies from the cache are free, also while the budget is spent', async () => {
    const address = anAddress();
    const store = makeTestApp({ limits: createRateLimits(testDb(), scale) }, { trustProxy: 1 });
    const reader = api({ headers: { 'X-Forwarded-For': address } }, store);
    expect(await statuses(40, () => reader.get('/products?per_page=3'))).toEqual(times(40, 200));
    await statuses(25, (n) => reader.get(`/products?q[name_cont]=${n}`));
    expect((await reader.get('/products?q[name_cont]=more')).status).toBe(429);
    expect((await reader.get('/products?per_page=3')).status).toBe(200);
  });

  test('instances share it', async () => {
    const address = anAddress();
    const instances = [limited({}, { scale, address }), limited({}, { scale, address })];
    const found = await statuses(24, (n) => instances[n % 2]!.get(`/products?q[name_cont]=shared${n}`));
    expect(found.filter((status) => status === 200)).toHaveLength(20);
  });
});

test('RATE_LIMIT_SCALE 0 switches limits off', async () => {
  const { app } = makeTestApp({ limits: createRateLimits(testDb(), 0) });
  const guess = () => request(app).post('/api/v1/sessions').send({ email: 'a@example.com', password: 'no' });
  expect(await statuses(31, guess)).toEqual(times(31, 401));
});
