import request from 'supertest';
import { createRateLimits } from '../../src/platform/rate-limits';
import { anAdmin, aSignedUpCustomer } from '../support/accounts.factory';
import { api, makeTestApp, type Caller } from '../support/api';
import { testDb } from '../support/database';
import { anAddress } from '../support/limits';
import { aPromotion } from '../support/promotions.factory';
import { unique } from '../support/unique';

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
    expect((await limited({}, { scale: 0.1, address }).get(path)).status).toBe(401);
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

test('RATE_LIMIT_SCALE 0 switches limits off', async () => {
  const { app } = makeTestApp({ limits: createRateLimits(testDb(), 0) });
  const guess = () => request(app).post('/api/v1/sessions').send({ email: 'a@example.com', password: 'no' });
  expect(await statuses(31, guess)).toEqual(times(31, 401));
});
