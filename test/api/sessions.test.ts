import request from 'supertest';
import { authenticate } from '../../src/accounts/authenticate';
import { buildApp } from '../../src/app';
import { aCustomer, anAdmin, aSignedUpCustomer } from '../support/accounts.factory';
import { api, makeTestApp, testApp } from '../support/api';
import { unique } from '../support/unique';

const WRONG = { error: 'Invalid email or password.' };

describe('signing in', () => {
  test('returns a new token each time, and the user', async () => {
    const ann = await aSignedUpCustomer();
    const credentials = { email: ` ${ann.email.toUpperCase()} `, password: ann.password };
    const [first, second] = [
      await api().post('/sessions', credentials),
      await api().post('/sessions', credentials),
    ];

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(Object.keys(first.body).sort()).toEqual(['token', 'user']);
    expect(first.headers['cache-control']).toBe('private, no-store');
    const me = await api(first.body).get('/users/me');
    expect(first.body.user).toEqual(me.body);
    expect(new Set([ann.token, first.body.token, second.body.token]).size).toBe(3);
  });

  test('returns the same error for a wrong password and an unknown account', async () => {
    const ann = await aSignedUpCustomer();
    const known = await api().post('/sessions', { email: ann.email, password: 'wrong-one' });
    const unknown = await api().post('/sessions', {
      email: `${unique('no')}@example.com`,
      password: 'wrong-one',
    });
    expect([known.status, known.body]).toEqual([401, WRONG]);
    expect([unknown.status, unknown.body]).toEqual([401, WRONG]);
    expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
  });

  test('compares the whole password, and fails for an account without a password', async () => {
    const ann = await aSignedUpCustomer('x'.repeat(128));
    for (const password of ['x'.repeat(127), 'x'.repeat(129), 'X'.repeat(128)]) {
      expect((await api().post('/sessions', { email: ann.email, password })).body).toEqual(WRONG);
    }
    const closed = await aCustomer();
    expect((await api().post('/sessions', { email: closed.email, password: 'none' })).body).toEqual(WRONG);
  });

  test.each([
    [{}, { email: ["can't be blank"], password: ["can't be blank"] }],
    [
      { email: null, password: [] },
      { email: ["can't be blank"], password: ['is invalid'] },
    ],
    [{ email: { toString: 1 }, password: 'x' }, { email: ['is invalid'] }],
    [{ email: 'a\u0000@example.com', password: 'x' }, { email: ['is invalid'] }],
  ])('%j returns 422', async (body, errors) => {
    const reply = await api().post('/sessions', body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });

  test('ignores a parameter `token`; an invalid key in the header still returns 401', async () => {
    const ann = await aSignedUpCustomer();
    const body = { email: ann.email, password: ann.password };
    expect((await api().post('/sessions?token=nope', body)).status).toBe(201);
    expect((await api({ token: 'nope' }).post('/sessions', body)).body).toEqual({
      error: 'Invalid API key (nope) specified.',
    });
  });
});

describe('signing out', () => {
  test('revokes the current token and no other', async () => {
    const ann = await aSignedUpCustomer();
    const session = await api().post('/sessions', { email: ann.email, password: ann.password });
    const reply = await api(session.body).delete('/sessions');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await api(session.body).get('/users/me')).status).toBe(401);
    expect((await api(ann).get('/users/me')).status).toBe(200);
  });

  test('is not available to guests', async () => {
    expect((await api().delete('/sessions')).status).toBe(401);
  });

  test('accepts the key as a parameter', async () => {
    const ann = await aCustomer();
    expect((await api().delete(`/sessions?token=${ann.token}`)).status).toBe(204);
    expect((await api(ann).get('/users/me')).status).toBe(401);
  });
});

describe('API keys', () => {
  test.each([
    ['an empty key', ''],
    ['null', 'null'],
    ['an object as a string', '[object Object]'],
    ['SQL', "' OR 1=1 --"],
    ['5000 letters', 'x'.repeat(5000)],
  ])('%s returns 401', async (_what, token) => {
    const reply = await api({ token }).get('/users/me');
    expect(reply.status).toBe(401);
    expect(reply.body.error.length).toBeLessThan(120);
  });

  test.each(['token[]=a', 'token[a]=b', 'token='])('%s is not a key', async (query) => {
    expect((await api().get(`/countries?${query}`)).status).toBe(200);
    expect((await api().get(`/users/me?${query}`)).status).toBe(401);
  });
});

/** Creates a store with a clock that the test moves, which accepts any client address. */
function createThrottledStore() {
  let time = Date.now();
  const { deps } = makeTestApp({ now: () => new Date(time) });
  const app = buildApp({ deps, authenticate, corsOrigins: ['*'], trustProxy: 1 });
  const signIn = async (email: string, password: string, address = '192.0.2.1') => {
    const reply = await request(app)
      .post('/api/v1/sessions')
      .set('X-Forwarded-For', address)
      .send({ email, password });
    return reply;
  };
  const guess = async (email: string, times: number, addressOf: (n: number) => string) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1)
      statuses.push((await signIn(email, `guess ${n}`, addressOf(n))).status);
    return statuses;
  };
  return { signIn, guess, pass: (seconds: number) => void (time += seconds * 1000) };
}

const from = (address: string) => () => address;

describe('throttling of sign-ins', () => {
  test.each(['a known account', 'an unknown account'])(
    'limits attempts for %s for a limited time',
    async (whose) => {
      const store = createThrottledStore();
      const ann = await aSignedUpCustomer();
      const email = whose === 'an unknown account' ? `${unique('no')}@example.com` : ann.email;

      const statuses = await store.guess(email, 40, from('192.0.2.1'));
      expect(statuses.lastIndexOf(401)).toBe(9);
      expect(statuses.slice(10)).toEqual(statuses.slice(10).map(() => 429));

      const refused = await store.signIn(email, ann.password);
      expect([refused.status, refused.body]).toEqual([
        429,
        { error: 'Too many attempts. Please try again later.' },
      ]);
      const wait = Number(refused.headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(30);
      store.pass(wait);
      expect((await store.signIn(email, ann.password)).status).toBe(
        whose === 'an unknown account' ? 401 : 201,
      );
    },
  );

  test('concurrent attempts are limited like sequential ones', async () => {
    const store = createThrottledStore();
    const ann = await aSignedUpCustomer();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => store.signIn(ann.email, `guess ${n}`)),
    );
    const checked = replies.filter(({ status }) => status === 401).length;
    expect(checked).toBeLessThanOrEqual(12);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(60 - checked);
  });

  test('one address does not block the account for other addresses, nor other accounts', async () => {
    const store = createThrottledStore();
    const [ann, bob] = [await aSignedUpCustomer(), await aSignedUpCustomer()];
    await store.guess(ann.email, 30, from('192.0.2.1'));
    expect((await store.signIn(ann.email, ann.password, '198.51.100.7')).status).toBe(201);
    expect((await store.signIn(bob.email, bob.password, '192.0.2.1')).status).toBe(201);
    expect((await request(testApp().app).get('/api/v1/countries')).status).toBe(200);
  });

  test('many addresses are limited too, but not known addresses of the account', async () => {
    const store = createThrottledStore();
    const ann = await aSignedUpCustomer();
    expect((await store.signIn(ann.email, ann.password, '198.51.100.7')).status).toBe(201);

    const statuses = await store.guess(ann.email, 40, (n) => `192.0.2.${n}`);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.slice(30)).toEqual(statuses.slice(30).map(() => 429));
    expect((await store.signIn(ann.email, ann.password, '203.0.113.9')).status).toBe(429);
    expect((await store.signIn(ann.email, ann.password, '198.51.100.7')).status).toBe(201);
  });

  test('a successful sign-in resets the attempts', async () => {
    const store = createThrottledStore();
    const ann = await aSignedUpCustomer();
    await store.guess(ann.email, 9, from('192.0.2.1'));
    expect((await store.signIn(ann.email, ann.password)).status).toBe(201);
    const statuses = await store.guess(ann.email, 10, from('192.0.2.1'));
    expect(statuses).toEqual(statuses.map(() => 401));
  });

  test('attempts are counted across all instances', async () => {
    const [one, other] = [createThrottledStore(), createThrottledStore()];
    const ann = await aSignedUpCustomer();
    await one.guess(ann.email, 10, from('192.0.2.1'));
    expect((await other.signIn(ann.email, ann.password)).status).toBe(429);
  });

  test('sign-ins with the right password are not counted, also concurrent ones', async () => {
    const store = createThrottledStore();
    const ann = await aSignedUpCustomer();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => store.signIn(ann.email, ann.password)),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  });
});

test('an admin signs in with the admin role', async () => {
  const admin = await anAdmin();
  const email = `${unique('boss')}@example.com`;
  await api(admin).post('/users', { user: { email, password: 'secret12', roles: ['admin'] } });
  const session = await api().post('/sessions', { email, password: 'secret12' });
  expect(session.body.user.roles).toEqual(['admin']);
  expect((await api(session.body).get('/users')).status).toBe(200);
});
