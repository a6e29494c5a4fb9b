import { pino } from 'pino';
import request from 'supertest';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { aCustomer, anAdmin, aSignedUpCustomer } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { anAddress, passTime } from '../../support/limits';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

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
    const { scopes, ...me } = (await api(first.body).get('/users/me')).body;
    expect(first.body.user).toEqual(me);
    expect(scopes).toEqual([]);
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

  test('is logged with the account and the reason of a refusal, without what was sent', async () => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line) => lines.push(line) });
    const guest = api({}, makeTestApp({ log }));
    const ann = await aSignedUpCustomer();
    const unknown = `${unique('no')}@example.com`;
    for (const [email, password] of [
      [ann.email, ann.password],
      [ann.email, 'wrong-one'],
      [unknown, 'wrong-one'],
    ])
      await guest.post('/sessions', { email, password });

    const found = lines.map((line) => JSON.parse(line)).filter(({ by }) => by === 'password');
    const request_id = expect.any(String);
    expect(found).toMatchObject([
      { msg: 'signed in', user_id: ann.id, request_id },
      { msg: 'sign-in refused', user_id: ann.id, cause: 'InvalidCredentials', request_id },
      { msg: 'sign-in refused', user_id: null, cause: 'InvalidCredentials', request_id },
    ]);
    expect(lines.join('')).not.toMatch(new RegExp(`${ann.email}|${unknown}|wrong-one`));
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

/** Creates a store with the default limits, which accepts any client address. */
function createLimitedStore() {
  const { app } = makeTestApp({ limits: createRateLimits(testDb(), 1) }, { trustProxy: 1 });
  const signIn = async (email: string, password: string, address: string) => {
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
  return { signIn, guess };
}

const from = (address: string) => () => address;
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('limits of sign-ins', () => {
  test.each(['a known account', 'an unknown account'])('10 wrong passwords for %s', async (whose) => {
    const store = createLimitedStore();
    const ann = await aSignedUpCustomer();
    const email = whose === 'an unknown account' ? `${unique('no')}@example.com` : ann.email;

    const many = () => anAddress();
    expect(await store.guess(email, 15, many)).toEqual([...times(10, 401), ...times(5, 429)]);
    const refused = await store.signIn(email, ann.password, anAddress());
    expect([refused.status, refused.body]).toEqual([
      429,
      { error: 'Too many attempts. Please try again later.' },
    ]);
    const { 'retry-after': wait, ...headers } = refused.headers;
    expect(Number(wait)).toBeGreaterThan(880);
    expect(Number(wait)).toBeLessThanOrEqual(900);
    expect(headers).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': wait,
      'ratelimit-policy': '10;w=900',
      'x-error-code': 'rate_limited',
    });

    await passTime();
    expect((await store.signIn(email, ann.password, anAddress())).status).toBe(
      whose === 'an unknown account' ? 401 : 201,
    );
  });

  test('30 wrong passwords from one address, for whatever accounts', async () => {
    const store = createLimitedStore();
    const address = anAddress();
    const statuses = [];
    for (let n = 0; n < 35; n += 1)
      statuses.push((await store.signIn(`${unique('no')}@example.com`, 'wrong', address)).status);
    expect(statuses).toEqual([...times(30, 401), ...times(5, 429)]);
    const ann = await aSignedUpCustomer();
    expect((await store.signIn(ann.email, ann.password, address)).status).toBe(429);
    expect((await store.signIn(ann.email, ann.password, anAddress())).status).toBe(201);
    expect((await request(testApp().app).get('/api/v1/countries')).status).toBe(200);
  });

  test('a network of IPv6 counts as one address', async () => {
    const store = createLimitedStore();
    const statuses = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await store.signIn(`${unique('no')}@example.com`, 'wrong', `2001:db8::${n}`)).status);
    expect(statuses).toEqual([...times(30, 401), 429]);
  });

  test('concurrent attempts are limited like sequential ones', async () => {
    const store = createLimitedStore();
    const ann = await aSignedUpCustomer();
    const address = anAddress();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => store.signIn(ann.email, `guess ${n}`, address)),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(50);
  });

  test('attempts that an account refuses do not count for their address', async () => {
    const store = createLimitedStore();
    const [ann, bob] = [await aSignedUpCustomer(), await aSignedUpCustomer()];
    const address = anAddress();
    await store.guess(ann.email, 50, from(address));
    expect((await store.signIn(bob.email, bob.password, address)).status).toBe(201);
  });

  test('guesses elsewhere do not lock an account out of an address that it has used', async () => {
    const store = createLimitedStore();
    const ann = await aSignedUpCustomer();
    const home = anAddress();
    expect((await store.signIn(ann.email, ann.password, home)).status).toBe(201);
    const statuses = await store.guess(ann.email, 12, () => anAddress());
    expect(statuses).toEqual([...times(10, 401), ...times(2, 429)]);
    expect((await store.signIn(ann.email, ann.password, anAddress())).status).toBe(429);
    expect((await store.signIn(ann.email, ann.password, home)).status).toBe(201);
    expect(await store.guess(ann.email, 11, from(home))).toEqual([...times(10, 401), 429]);
  });

  test('a successful sign-in resets the attempts of the account', async () => {
    const store = createLimitedStore();
    const ann = await aSignedUpCustomer();
    const address = anAddress();
    await store.guess(ann.email, 9, from(address));
    expect((await store.signIn(ann.email, ann.password, address)).status).toBe(201);
    expect(await store.guess(ann.email, 10, from(address))).toEqual(times(10, 401));
  });

  test('attempts are counted across all instances', async () => {
    const [one, other] = [createLimitedStore(), createLimitedStore()];
    const ann = await aSignedUpCustomer();
    await one.guess(ann.email, 10, from(anAddress()));
    expect((await other.signIn(ann.email, ann.password, anAddress())).status).toBe(429);
  });

  test('sign-ins with the right password are not counted, also concurrent ones', async () => {
    const store = createLimitedStore();
    const ann = await aSignedUpCustomer();
    const address = anAddress();
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => store.signIn(ann.email, ann.password, address)),
    );
    expect(replies.map(({ status }) => status)).toEqual(times(40, 201));
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
