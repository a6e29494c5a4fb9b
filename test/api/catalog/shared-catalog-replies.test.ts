import request from 'supertest';
import { anAdmin, aCustomer } from '../../support/accounts.factory';
import { makeTestApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';

const get = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
  request(app.app).get(`/api/v1${path}`).set(headers);

describe('CATALOG_MAX_AGE', () => {
  const SHARED = 'public, max-age=0, s-maxage=60, stale-if-error=86400';

  test('lets proxies keep the catalog of guests, made and cached alike', async () => {
    const app = makeTestApp({}, { catalogMaxAge: 60 });
    const { slug } = await aProduct();
    for (const path of [`/products/${slug}`, '/products', '/taxonomies', `/products/${slug}`]) {
      const { headers } = await get(app, path);
      expect([path, headers['cache-control']]).toEqual([path, SHARED]);
      expect(headers['vary']).toContain('X-Store-Token');
    }
  });

  test('leaves replies to callers with a token, other replies and errors as they are', async () => {
    const app = makeTestApp({}, { catalogMaxAge: 60 });
    const { slug } = await aProduct();
    const token = { 'X-Store-Token': (await anAdmin()).token };
    const customer = { 'X-Store-Token': (await aCustomer()).token };
    const controls = [
      await get(app, `/products/${slug}`, token),
      await get(app, `/products/${slug}`, customer),
      await get(app, `/products/${slug}`, { 'X-Order-Token': 'some token' }),
      await get(app, '/products/no-such-product'),
      await get(makeTestApp({}), `/products/${slug}`),
    ].map(({ headers }) => headers['cache-control']);
    expect(controls).toEqual(['private, no-cache', 'no-cache', 'no-cache', 'no-store', 'no-cache']);
  });
});

describe('CATALOG_STALE_SECONDS', () => {
  /** An application whose clock and database the test controls. */
  function anApp(catalogStaleSeconds: number) {
    const state = { now: new Date(), isAway: false };
    // What a lost server looks like to the program.
    const lost = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    const db = testDb();
    const source = db.client;
    const acquire = source.acquireConnection.bind(source);
    const spy = jest
      .spyOn(source, 'acquireConnection')
      .mockImplementation(() => (state.isAway ? Promise.reject(lost) : acquire()));
    const app = makeTestApp({ now: () => state.now }, { catalogStaleSeconds, catalogMaxAge: 60 });
    return { app, state, restore: () => spy.mockRestore() };
  }

  test('repeats known replies to guests while the database is away, marked, for as long as allowed', async () => {
    const { slug } = await aProduct();
    const { app, state, restore } = anApp(600);
    try {
      const fresh = await get(app, `/products/${slug}`);
      await aProduct(); // the cache itself drops its replies
      expect((await get(app, '/products?per_page=1')).headers['x-stale']).toBeUndefined();

      state.isAway = true;
      state.now = new Date(state.now.getTime() + 30_000);
      const stale = await get(app, `/products/${slug}`);
      expect(stale.status).toBe(200);
      expect(stale.body).toEqual(fresh.body);
      expect(stale.headers).toMatchObject({
        'x-stale': '30',
        warning: '110 - "Response is Stale"',
        'cache-control': 'no-store',
      });
      expect((await get(app, '/products?per_page=7')).status).toBe(503);
      expect((await request(app.app).post('/api/v1/orders')).status).toBe(503);

      state.now = new Date(state.now.getTime() + 600_000);
      expect((await get(app, `/products/${slug}`)).status).toBe(503);

      state.isAway = false;
      state.now = new Date(state.now.getTime() + 2_000);
      const again = await get(app, `/products/${slug}`);
      expect([again.status, again.headers['x-stale']]).toEqual([200, undefined]);
    } finally {
      restore();
    }
  });

  test('is off by default, and never repeats what an admin has seen', async () => {
    const { slug } = await aProduct();
    const token = { 'X-Store-Token': (await anAdmin()).token };
    for (const [seconds, headers] of [
      [0, {}],
      [600, token],
    ] as const) {
      const { app, state, restore } = anApp(seconds);
      try {
        expect((await get(app, `/products/${slug}`, headers)).status).toBe(200);
        state.isAway = true;
        expect((await get(app, `/products/${slug}`, headers)).status).toBe(503);
        expect((await get(app, `/products/${slug}`)).status).toBe(503);
      } finally {
        restore();
      }
    }
  });
});
