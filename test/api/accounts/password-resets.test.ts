import { pino } from 'pino';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { aCustomer, anAdmin, aSignedUpCustomer, setPassword } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { anAddress, passTime } from '../../support/limits';
import { waitUntilBlockedBy } from '../../support/locks';
import { parseMailsTo, readMailTo, readResetToken } from '../../support/mail';
import { unique } from '../../support/unique';

const INVALID_TOKEN = { token: ['is invalid'] };

/** Requests a reset and returns the token of the mail. */
async function requestToken(email: string): Promise<string> {
  expect((await api().post('/passwords', { email })).status).toBe(202);
  const token = await readResetToken(email);
  if (token === null) throw new Error('no mail');
  return token;
}

const signIn = async (email: string, password: string) => api().post('/sessions', { email, password });

describe('a new password by mail', () => {
  test('is set with the token, which signs in and ends all other tokens', async () => {
    const ann = await aSignedUpCustomer();
    const till = await api(ann).post(`/users/${ann.id}/tokens`, { api_token: { name: 'till' } });
    const token = await requestToken(ann.email);
    const reply = await api().put('/passwords', { token, password: 'brand-new-1' });

    expect([reply.status, reply.body.user.id]).toEqual([200, ann.id]);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    expect((await api(reply.body).get('/users/me')).status).toBe(200);
    for (const old of [ann, till.body]) expect((await api(old).get('/users/me')).status).toBe(401);
    expect((await signIn(ann.email, ann.password)).status).toBe(401);
    expect((await signIn(ann.email, 'brand-new-1')).status).toBe(201);
  });

  test('is mailed as text and HTML from the store, once for each request', async () => {
    const ann = await aSignedUpCustomer();
    expect((await api().post('/passwords', { email: ` ${ann.email.toUpperCase()} ` })).status).toBe(202);
    const mails = await parseMailsTo(ann.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.from?.text).not.toBe('');
    for (const text of [mails[0]?.text, mails[0]?.html])
      expect(text).toMatch(/https?:\/\/[^\s"]+\/password\?token=[\w-]{43}/);
  });

  test('has the same reply for an unknown account, which gets no mail', async () => {
    const ann = await aSignedUpCustomer();
    const email = `${unique('no')}@example.com`;
    const [known, unknown] = [
      await api().post('/passwords', { email: ann.email }),
      await api().post('/passwords', { email }),
    ];
    expect([known.status, known.body]).toEqual([202, {}]);
    expect([unknown.status, unknown.body]).toEqual([202, {}]);
    expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
    expect(await readMailTo(email)).toEqual([]);
    expect((await api().post('/passwords', {})).body.errors).toEqual({ email: ["can't be blank"] });
  });

  test('works once, also for concurrent requests', async () => {
    const ann = await aSignedUpCustomer();
    const token = await requestToken(ann.email);
    const replies = await Promise.all(
      ['one-one-1', 'two-two-2', 'three-33'].map((password) => api().put('/passwords', { token, password })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const again = await api().put('/passwords', { token, password: 'four-four' });
    expect([again.status, again.body.errors]).toEqual([422, INVALID_TOKEN]);
  });

  test('is refused an hour later, and by an unknown token', async () => {
    const ann = await aSignedUpCustomer();
    const token = await requestToken(ann.email);
    const late = makeTestApp({ now: () => new Date(Date.now() + 61 * 60_000) });
    for (const reply of [
      await api({}, late).put('/passwords', { token, password: 'brand-new-1' }),
      await api().put('/passwords', { token: `${token}x`, password: 'brand-new-1' }),
    ]) {
      expect([reply.status, reply.body.errors]).toEqual([422, INVALID_TOKEN]);
    }
    expect((await signIn(ann.email, ann.password)).status).toBe(201);
  });

  test('is logged as a sign-in of the account', async () => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line) => lines.push(line) });
    const ann = await aSignedUpCustomer();
    const token = await requestToken(ann.email);
    const guest = api({}, makeTestApp({ log }));
    for (const password of ['trustno1', 'brand-new-1']) await guest.put('/passwords', { token, password });
    expect(lines.map((line) => JSON.parse(line)).filter(({ by }) => by === 'password reset')).toMatchObject([
      { msg: 'sign-in refused', user_id: ann.id, cause: 'InvalidResource' },
      { msg: 'signed in', user_id: ann.id },
    ]);
  });

  test('is checked as at sign-up, before the token is used', async () => {
    const ann = await aSignedUpCustomer();
    const token = await requestToken(ann.email);
    const short = await api().put('/passwords', { token, password: 'x4kd-9q' });
    expect(short.body.errors).toEqual({ password: ['is too short (minimum is 8 characters)'] });
    const common = await api().put('/passwords', { token, password: 'trustno1' });
    expect(common.body.errors).toEqual({ password: ['is too common'] });
    const known = await api().put('/passwords', { token, password: `${ann.email.split('@')[0]}-2026` });
    expect(known.body.errors).toEqual({ password: ['is too easy to guess'] });
    const other = await api().put('/passwords', {
      token,
      password: 'brand-new-1',
      password_confirmation: 'brand-new-2',
    });
    expect(other.body.errors).toEqual({ password_confirmation: ["doesn't match Password"] });
    expect((await api().put('/passwords', { token, password: 'brand-new-1' })).status).toBe(200);
  });

  test('is no longer possible after another change of the password or the e-mail address', async () => {
    const [ann, admin] = [await aSignedUpCustomer(), await anAdmin()];
    for (const user of [{ password: 'by-admin-1' }, { email: `${unique('new')}@example.com` }]) {
      const token = await requestToken((await api(admin).get(`/users/${ann.id}`)).body.email);
      expect((await api(admin).put(`/users/${ann.id}`, { user })).status).toBe(200);
      const reply = await api().put('/passwords', { token, password: 'brand-new-1' });
      expect([reply.status, reply.body.errors]).toEqual([422, INVALID_TOKEN]);
    }
  });

  test('is not possible by a mail to an address that the account gives up during the request', async () => {
    const ann = await aSignedUpCustomer();
    const tx = await testDb().transaction();
    await tx('users').where({ id: ann.id }).forUpdate().first('id');
    const request = api().post('/passwords', { email: ann.email });
    const reply = request.then(({ status }) => status);
    await waitUntilBlockedBy(tx);
    await tx('users')
      .where({ id: ann.id })
      .update({ email: `${unique('new')}@example.com` });
    await tx.commit();
    expect(await reply).toBe(202);
    expect(await readResetToken(ann.email)).toBeNull();
    expect(await testDb()('password_resets').where({ user_id: ann.id })).toEqual([]);
  });

  test('stores only a hash of the token', async () => {
    const ann = await aSignedUpCustomer();
    const token = await requestToken(ann.email);
    const rows = await testDb()('password_resets').where({ user_id: ann.id });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('is limited by account and by address, equally for unknown accounts', async () => {
    const store = makeTestApp({ limits: createRateLimits(testDb(), 1) }, { trustProxy: 1 });
    const ann = await aSignedUpCustomer();
    for (const email of [ann.email, `${unique('no')}@example.com`]) {
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        const caller = api({ headers: { 'X-Forwarded-For': anAddress() } }, store);
        statuses.push((await caller.post('/passwords', { email })).status);
      }
      expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    }
    await passTime();
    const one = api(
      { headers: { 'X-Forwarded-For': anAddress() } },
      makeTestApp({ limits: createRateLimits(testDb(), 0.05) }, { trustProxy: 1 }),
    );
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await one.put('/passwords', { token: `guess ${n}`, password: 'brand-new-1' })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});

describe('a changed e-mail address', () => {
  test('ends all other tokens of the user, and the former address is told', async () => {
    const ann = await aSignedUpCustomer();
    const other = (await signIn(ann.email, ann.password)).body.token;
    const email = `${unique('new')}@example.com`;
    const user = { email, current_password: ann.password };
    expect((await api(ann).put('/users/me', { user })).body.email).toBe(email);
    const statuses = [ann.token, other].map(async (token) => (await api({ token }).get('/users/me')).status);
    expect(await Promise.all(statuses)).toEqual([200, 401]);
    const [mail, ...more] = await readMailTo(ann.email);
    expect([mail?.includes('e-mail address of your account'), more]).toEqual([true, []]);
    expect(mail).not.toContain(email);
    await api(ann).put('/users/me', { user: { email, bill_address_attributes: {} } });
    const [welcome, ...others] = await readMailTo(email);
    expect([welcome?.includes('This is now the e-mail address'), others]).toEqual([true, []]);
  });

  test('ends all tokens if an administrator changes it', async () => {
    const [ann, admin] = [await aSignedUpCustomer(), await anAdmin()];
    const user = { email: `${unique('new')}@example.com` };
    expect((await api(admin).put(`/users/${ann.id}`, { user })).status).toBe(200);
    expect((await api(ann).get('/users/me')).status).toBe(401);
    expect(await readMailTo(ann.email)).toHaveLength(1);
  });
});

test('older passwords stay valid, though they are too short or too common today', async () => {
  for (const password of ['dragon', 'password']) {
    const ann = await aCustomer();
    await setPassword(ann, password);
    expect((await signIn(ann.email, password)).status).toBe(201);
    const user = { password: 'brand-new-1', current_password: password };
    expect((await api(ann).put('/users/me', { user })).status).toBe(200);
  }
});

describe('the current password', () => {
  test('is needed by users who change their own password or e-mail address', async () => {
    const ann = await aSignedUpCustomer();
    for (const path of [`/users/${ann.id}`, '/users/me']) {
      for (const user of [{ password: 'changed1' }, { email: `${unique('new')}@example.com` }]) {
        const missing = await api(ann).put(path, { user });
        expect([missing.status, missing.body.errors]).toEqual([
          422,
          { current_password: ["can't be blank"] },
        ]);
        const wrong = await api(ann).put(path, { user: { ...user, current_password: 'wrong-1' } });
        expect([wrong.status, wrong.body.errors]).toEqual([422, { current_password: ['is invalid'] }]);
      }
    }
    expect((await signIn(ann.email, ann.password)).status).toBe(201);
    const changed = await api(ann).put('/users/me', {
      user: { password: 'changed1', current_password: ann.password },
    });
    expect([changed.status, changed.body.id]).toEqual([200, ann.id]);
    expect((await signIn(ann.email, 'changed1')).status).toBe(201);
  });

  test('is not needed for the same e-mail address, for addresses, and by admins for others', async () => {
    const [ann, admin] = [await aSignedUpCustomer(), await anAdmin()];
    expect((await api(ann).put('/users/me', { user: { email: ann.email } })).status).toBe(200);
    expect((await api(admin).put(`/users/${ann.id}`, { user: { password: 'by-admin-1' } })).status).toBe(200);
    await setPassword(admin, 'admins-1');
    const own = await api(admin).put(`/users/${admin.id}`, { user: { password: 'changed1' } });
    expect(own.status).toBe(422);
  });

  test('cannot be guessed with a stolen token', async () => {
    const store = makeTestApp({ limits: createRateLimits(testDb(), 1) }, { trustProxy: 1 });
    const ann = await aSignedUpCustomer();
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const caller = api({ ...ann, headers: { 'X-Forwarded-For': anAddress() } }, store);
      const user = { password: 'stolen-1', current_password: `guess ${n}` };
      statuses.push((await caller.put('/users/me', { user })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });

  test('PUT /users/me is not for guests', async () => {
    expect((await api().put('/users/me', {})).status).toBe(401);
    expect((await api(await aCustomer()).put('/users/me', {})).status).toBe(200);
  });
});
