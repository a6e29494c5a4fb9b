import { ensureAdmin, type AdminSettings } from '../../../src/accounts/ensure-admin';
import { aSignedUpCustomer } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

const buildSettings = (given: Partial<AdminSettings> = {}): AdminSettings => ({
  email: `${unique('boss')}@example.com`,
  password: null,
  token: null,
  ...given,
});
const start = (given: AdminSettings) => ensureAdmin(testDb(), given);
const getStatus = async (token: string | null) => (await api({ token: token ?? '' }).get('/users')).status;
const signIn = (email: string, password: string | null) => api().post('/sessions', { email, password });

describe('the configured admin', () => {
  test('is created with a generated password and token, which both work and are shown once', async () => {
    const given = buildSettings();
    const first = await start(given);
    expect(await getStatus(first.token)).toBe(200);
    const session = await signIn(given.email, first.password);
    expect(session.body.user).toMatchObject({ email: given.email, roles: ['admin'] });

    expect(await start(given)).toEqual({ password: null, token: null });
    expect(await getStatus(first.token)).toBe(200);
    expect((await signIn(given.email, first.password)).status).toBe(201);
  });

  test('is in the audit log, with the start as the author and without secrets', async () => {
    const given = buildSettings();
    await start(given);
    await start({ ...given, password: 'replaced-at-start' });
    const { id } = await testDb()('users').where({ email: given.email }).first('id');
    const entries = await testDb()('audit_log')
      .where({ subject_type: 'Store::User', subject_id: id, user_email: 'start of the program' })
      .orderBy('id');
    expect(entries.map(({ action, changes }) => [action, Object.keys(changes).length > 0])).toEqual([
      ['create', true],
      ['create', true], // the role
      ['update', true],
    ]);
    expect(entries.at(-1).changes).toEqual({ password_digest: ['***', '***'] });
  });

  test('is created once, however many instances start concurrently', async () => {
    const given = buildSettings();
    const starts = await Promise.all([1, 2, 3, 4].map(() => start(given)));
    expect(starts.filter(({ password }) => password !== null)).toHaveLength(1);
    expect(starts.filter(({ token }) => token !== null)).toHaveLength(1);
    expect(await testDb()('users').where({ email: given.email })).toHaveLength(1);
  });

  test('gets a changed password and token, and the former ones stop working', async () => {
    const email = `${unique('boss')}@example.com`;
    const [old, new_] = [unique('token'), unique('token')];
    const first = await start(buildSettings({ email, password: 'first-one', token: old }));
    expect(first).toEqual({ password: null, token: null });
    expect(await getStatus(old)).toBe(200);
    const session = await signIn(email, 'first-one');
    expect(session.status).toBe(201);

    await start(buildSettings({ email: email.toUpperCase(), password: 'first-one', token: new_ }));
    expect([await getStatus(old), await getStatus(new_), await getStatus(session.body.token)]).toEqual([
      401, 200, 200,
    ]);

    await start(buildSettings({ email, password: 'second-one', token: new_ }));
    expect((await signIn(email, 'first-one')).status).toBe(401);
    expect((await signIn(email, 'second-one')).status).toBe(201);
    expect([await getStatus(new_), await getStatus(session.body.token)]).toEqual([200, 401]);

    // Back to a revoked token: the setting wins.
    await start(buildSettings({ email, token: old }));
    expect([await getStatus(old), await getStatus(new_)]).toEqual([200, 401]);
  });

  test('keeps the configured token when the password changes', async () => {
    const token = unique('token');
    const email = `${unique('boss')}@example.com`;
    await start(buildSettings({ email, password: 'first-one', token }));
    const { body } = await signIn(email, 'first-one');
    await api(body).put(`/users/${body.user.id}`, {
      user: { password: 'second-one', current_password: 'first-one' },
    });
    expect(await getStatus(token)).toBe(200);
  });

  test('takes over the token when the configured e-mail changes', async () => {
    const token = unique('token');
    await start(buildSettings({ token }));
    const next = buildSettings({ token });
    expect((await start(next)).password).toEqual(expect.any(String));
    expect((await api({ token }).get('/users/me')).body.email).toBe(next.email);
  });

  test('gets a new token when all of them were revoked', async () => {
    const given = buildSettings();
    const first = await start(given);
    await api({ token: first.token ?? '' }).delete('/sessions');
    const second = await start(given);
    expect(second.password).toBeNull();
    expect([await getStatus(first.token), await getStatus(second.token)]).toEqual([401, 200]);
  });

  test('replaces the password and tokens of an account that signed up with the same e-mail', async () => {
    const ann = await aSignedUpCustomer();
    const made = await start(buildSettings({ email: ann.email }));
    expect((await signIn(ann.email, ann.password)).status).toBe(401);
    expect(await getStatus(ann.token)).toBe(401);
    expect((await signIn(ann.email, made.password)).body.user.roles).toEqual(['admin', 'customer']);
    expect(await getStatus(made.token)).toBe(200);
  });
});
