import { Secret, TOTP } from 'otpauth';
import { hashToken } from '../../../src/access/tokens';
import { findStep, generateRecoveryCodes } from '../../../src/accounts/two-factor/codes';
import {
  aClerk,
  aLimitedToken,
  anAdmin,
  aSignedUpCustomer,
  setPassword,
} from '../../support/accounts.factory';
import { api, makeTestApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { waitUntilBlockedBy } from '../../support/locks';
import { readResetToken } from '../../support/mail';

const PASSWORD = 'correct horse battery';
const STEP_MS = 30_000;

/** A clock that tests move, because each code works once. */
let now = new Date('2026-11-23T10:00:00Z').getTime();
const later = (): void => void (now += 3 * STEP_MS);
let app: TestApp;

beforeAll(() => {
  app = makeTestApp({ now: () => new Date(now) });
});

const codeOf = (secret: string, at = now): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** Returns a code that is none of those that count now. */
const wrongCodeOf = (secret: string): string => {
  const right = [-1, 0, 1].map((step) => codeOf(secret, now + step * STEP_MS));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
};

interface Account {
  id: number;
  email: string;
  token: string;
}

/** Signs in with a password and sets up the second factor. */
async function withTwoFactor(account: Account): Promise<Account & { secret: string; recovery: string[] }> {
  await setPassword(account, PASSWORD);
  const own = api(account, app);
  const begun = (await own.post('/users/me/two_factor', { current_password: PASSWORD })).body;
  const confirmed = await own.put('/users/me/two_factor', { code: codeOf(begun.secret) });
  expect([confirmed.status, confirmed.body]).toEqual([
    200,
    { enabled: true, required: false, recovery_codes_left: 10 },
  ]);
  later();
  return { ...account, secret: begun.secret, recovery: begun.recovery_codes };
}

const signIn = ({ email }: Account, otp?: string, of = app) =>
  api({}, of).post('/sessions', { email, password: PASSWORD, ...(otp !== undefined && { otp }) });
const errorOf = (reply: { status: number; headers: Record<string, string> }) => [
  reply.status,
  reply.headers['x-error-code'],
];

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at second %d is accepted, and one of two minutes before is not', (seconds, code) => {
  const base32 = Secret.fromUTF8('12345678901234567890').base32;
  expect(findStep(base32, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  const wide = code.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
  expect(findStep(base32, wide, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  expect(findStep(base32, ` ${code.slice(0, 3)} ${code.slice(3)}`, new Date(seconds * 1000 + STEP_MS))).toBe(
    Math.floor(seconds / 30),
  );
  expect(findStep(base32, code, new Date(seconds * 1000 + 120_000))).toBeNull();
});

test('recovery codes are different, have letters that cannot be confused, and more than 112 bits', () => {
  const codes = generateRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([2-9a-hjkmnp-z]{6}-){3}[2-9a-hjkmnp-z]{6}$/);
  const letters = new Set(Array.from({ length: 20 }, generateRecoveryCodes).join('').replace(/[-,]/g, ''));
  expect(24 * Math.log2(letters.size)).toBeGreaterThan(112);
});

test('is begun, confirmed with a first code, and then needed to sign in', async () => {
  const admin = await anAdmin();
  await setPassword(admin, PASSWORD);
  const own = api(admin, app);
  const begun = await own.post('/users/me/two_factor', { current_password: PASSWORD });
  expect(begun.status).toBe(201);
  expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(begun.body.otpauth_url).toMatch(new RegExp(`^otpauth://totp/.*secret=${begun.body.secret}`));
  expect(begun.body.recovery_codes).toHaveLength(10);
  expect((await own.get('/users/me/two_factor')).body).toEqual({
    enabled: false,
    required: false,
    recovery_codes_left: 0,
  });
  expect((await signIn(admin)).status).toBe(201);
  const session = (await signIn(admin)).body;

  // A recovery code does not show that the app works.
  for (const code of [wrongCodeOf(begun.body.secret), begun.body.recovery_codes[0]]) {
    const wrong = await own.put('/users/me/two_factor', { code });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { code: ['is invalid'] }]);
  }
  expect((await own.put('/users/me/two_factor', { code: codeOf(begun.body.secret) })).status).toBe(200);
  // Sign-ins without a second factor end; the API token stays.
  expect((await api(session, app).get('/users/me')).status).toBe(401);
  expect((await own.get('/users/me/two_factor')).body).toMatchObject({ enabled: true });
  const again = await own.post('/users/me/two_factor', { current_password: PASSWORD });
  expect([again.status, again.body.errors]).toEqual([422, { two_factor: ['is already enabled'] }]);

  expect(errorOf(await signIn(admin))).toEqual([401, 'two_factor_required']);
  expect(errorOf(await signIn(admin, ''))).toEqual([401, 'two_factor_required']);
  const unknown = await api({}, app).post('/sessions', {
    email: admin.email,
    password: 'wrong',
    otp: '000000',
  });
  expect(errorOf(unknown)).toEqual([401, 'invalid_credentials']);
  later();
  expect((await signIn(admin, codeOf(begun.body.secret))).status).toBe(201);
});

test('a code works once, also in two requests at the same time, and so does a recovery code', async () => {
  const admin = await withTwoFactor(await anAdmin());
  const code = codeOf(admin.secret);
  const both = await Promise.all([signIn(admin, code), signIn(admin, code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
  expect(errorOf(await signIn(admin, code))).toEqual([401, 'two_factor_invalid']);
  // An earlier one that was not used is refused as well.
  expect(errorOf(await signIn(admin, codeOf(admin.secret, now - STEP_MS)))).toEqual([
    401,
    'two_factor_invalid',
  ]);

  const recovery = admin.recovery[3]?.toUpperCase().replace('-', ' ') ?? '';
  expect((await signIn(admin, recovery)).status).toBe(201);
  expect(errorOf(await signIn(admin, recovery))).toEqual([401, 'two_factor_invalid']);
  expect((await api(admin, app).get('/users/me/two_factor')).body.recovery_codes_left).toBe(9);
});

test('wrong codes are limited for each account, and right passwords do not reset the count', async () => {
  const limited = makeTestApp({ now: () => new Date(now), limits: createRateLimits(testDb(), 1) });
  const admin = await withTwoFactor(await anAdmin());
  const other = await withTwoFactor(await anAdmin());
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect(errorOf(await signIn(admin, wrongCodeOf(admin.secret), limited))).toEqual([
      401,
      'two_factor_invalid',
    ]);
  const refused = await signIn(admin, codeOf(admin.secret), limited);
  expect(errorOf(refused)).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await signIn(other, codeOf(other.secret), limited)).status).toBe(201);

  // Once it is reset, the wrong codes of the lost app do not keep its owner from setting up another one.
  const colleague = api(await anAdmin(), limited);
  expect((await colleague.delete(`/users/${admin.id}/two_factor`)).status).toBe(204);
  const own = api((await signIn(admin, undefined, limited)).body, limited);
  const begun = await own.post('/users/me/two_factor', {});
  expect((await own.put('/users/me/two_factor', { code: codeOf(begun.body.secret) })).status).toBe(200);
});

test('the link of a password reset does not sign in without a code', async () => {
  const admin = await withTwoFactor(await anAdmin());
  await api({}, app).post('/passwords', { email: admin.email });
  const token = await readResetToken(admin.email);
  const reset = (more: object) =>
    api({}, app).put('/passwords', { token, password: 'another horse battery', ...more });
  expect(errorOf(await reset({}))).toEqual([401, 'two_factor_required']);
  expect(errorOf(await reset({ otp: wrongCodeOf(admin.secret) }))).toEqual([401, 'two_factor_invalid']);
  // A refused password uses no code up.
  const common = await reset({ password: 'password1', otp: admin.recovery[0] });
  expect([common.status, common.body.errors]).toEqual([422, { password: ['is too common'] }]);
  const done = await reset({ otp: codeOf(admin.secret) });
  expect(done.status).toBe(200);
  const left = await api(done.body, app).get('/users/me/two_factor');
  expect(left.body.recovery_codes_left).toBe(10);
});

describe('a sign-in that has begun before it is enabled', () => {
  const begin = async (): Promise<Account> => {
    const admin = await anAdmin();
    await setPassword(admin, PASSWORD);
    await api(admin, app).post('/users/me/two_factor', { current_password: PASSWORD });
    return admin;
  };

  /** Enables it while the sign-in, which has found none, waits for the account. */
  const enableDuring = async ({ id }: Account, send: () => ReturnType<typeof signIn>) => {
    const tx = await testDb().transaction();
    await tx('users').where({ id }).forUpdate().first();
    const sent = Promise.resolve(send());
    await waitUntilBlockedBy(tx);
    await tx('two_factors')
      .where({ user_id: id })
      .update({ enabled_at: new Date(now) });
    await tx.commit();
    expect(errorOf(await sent)).toEqual([401, 'two_factor_required']);
    expect(await testDb()('api_tokens').where({ user_id: id, is_session: true })).toEqual([]);
  };

  test('needs a code', async () => {
    const admin = await begin();
    await enableDuring(admin, () => signIn(admin));
  });

  test('with the link of a mail needs a code', async () => {
    const admin = await begin();
    await api({}, app).post('/passwords', { email: admin.email });
    const token = await readResetToken(admin.email);
    await enableDuring(admin, () =>
      api({}, app).put('/passwords', { token, password: 'another horse battery' }),
    );
    expect((await api(admin, app).get('/users/me')).status).toBe(200);
  });
});

test('is removed by its user with a code, and by an administrator without', async () => {
  const clerk = await withTwoFactor(await aClerk(['orders:write', 'customers:write']));
  const own = api(clerk, app);
  const wrong = await own.delete('/users/me/two_factor', { code: '123' });
  expect([wrong.status, wrong.body.errors]).toEqual([422, { code: ['is invalid'] }]);
  expect((await own.delete('/users/me/two_factor', { code: clerk.recovery[0] })).status).toBe(204);
  expect((await signIn(clerk)).status).toBe(201);
  expect((await own.delete('/users/me/two_factor', { code: clerk.recovery[1] })).status).toBe(404);

  const again = await withTwoFactor(clerk);
  const colleague = api(await aClerk(['customers:write']), app);
  expect((await colleague.delete(`/users/${clerk.id}/two_factor`)).status).toBe(401);
  const admin = api(await anAdmin(), app);
  expect((await admin.delete(`/users/${clerk.id}/two_factor`)).status).toBe(204);
  expect((await admin.delete(`/users/${clerk.id}/two_factor`)).status).toBe(404);
  expect((await signIn(again)).status).toBe(201);
});

describe('setting it up with a token that may be stolen', () => {
  const begin = (token: string, body: object = {}) => api({ token }).post('/users/me/two_factor', body);

  test('needs the current password, which cannot be guessed', async () => {
    const ann = await aSignedUpCustomer(PASSWORD);
    await testDb()('api_tokens')
      .where({ user_id: ann.id })
      .update({ created_at: new Date(Date.now() - 16 * 60_000) });
    const missing = await begin(ann.token);
    expect([missing.status, missing.body.errors]).toEqual([422, { current_password: ["can't be blank"] }]);
    const limited = makeTestApp({ limits: createRateLimits(testDb(), 1) });
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const reply = await api(ann, limited).post('/users/me/two_factor', { current_password: `guess ${n}` });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
    expect(await testDb()('two_factors').where({ user_id: ann.id })).toEqual([]);
    expect((await begin(ann.token, { current_password: PASSWORD })).status).toBe(201);
  });

  test('needs it for API tokens, which a stolen sign-in could make', async () => {
    const ann = await aSignedUpCustomer(PASSWORD);
    const made = await api(ann).post(`/users/${ann.id}/tokens`, { api_token: { name: 'till' } });
    expect((await begin(made.body.token)).status).toBe(422);
    expect((await begin(made.body.token, { current_password: PASSWORD })).status).toBe(201);
  });

  test('does not need it right after a sign-in, and for the token of the settings', async () => {
    const ann = await aSignedUpCustomer(PASSWORD);
    expect((await begin(ann.token)).status).toBe(201);
    expect((await begin(ann.token, { current_password: 'wrong' })).status).toBe(422);
    const admin = await anAdmin();
    expect((await begin(admin.token)).status).toBe(422);
    await testDb()('api_tokens').where({ user_id: admin.id }).update({ is_configured: true });
    expect((await begin(admin.token)).status).toBe(201);
  });
});

test('only a token without limits changes it', async () => {
  const limited = api(await aLimitedToken('admin', ['customers:write']), app);
  expect((await limited.post('/users/me/two_factor')).status).toBe(401);
  expect((await limited.put('/users/me/two_factor', { code: '1' })).status).toBe(401);
  expect((await limited.delete('/users/me/two_factor', { code: '1' })).status).toBe(401);
});

test('a customer may have one; secrets are encrypted or hashed, and the audit log hides them', async () => {
  const ann = await aSignedUpCustomer(PASSWORD);
  const begun = (await api(ann, app).post('/users/me/two_factor')).body;
  const [row] = await testDb()('two_factors').where({ user_id: ann.id });
  const stored = JSON.stringify({ ...row, sealed_secret: row.sealed_secret.toString('latin1') });
  expect(stored).not.toContain(begun.secret);
  for (const code of begun.recovery_codes) {
    expect(stored).not.toContain(code.replaceAll('-', ''));
    // Not a hash without a key.
    expect(row.recovery_hashes).not.toContainEqual(hashToken(code.replaceAll('-', '')));
  }

  const admin = await withTwoFactor(await anAdmin());
  await signIn(admin, codeOf(admin.secret));
  await signIn(admin, admin.recovery[0]);
  const log = await testDb()('audit_log')
    .where({ subject_type: 'Store::User', subject_id: admin.id })
    .orderBy('id');
  const changes = log
    .map((entry) => entry.changes)
    .filter((one) => 'recovery_hashes' in one || 'enabled_at' in one);
  expect(changes).toEqual([
    expect.objectContaining({ sealed_secret: [null, '***'], recovery_hashes: [null, '***'] }),
    { enabled_at: [null, expect.any(String)] },
    { recovery_hashes: ['***', '***'] },
  ]);
});

test('a store that requires it lets staff who signed in only set it up; API tokens and customers go on', async () => {
  const admin = await anAdmin();
  await setPassword(admin, PASSWORD);
  const byToken = api(admin, app);
  const ann = await aSignedUpCustomer(PASSWORD);
  const session = api((await signIn(admin)).body, app);
  const [store] = (await byToken.get('/stores')).body.stores;
  const require = (require_two_factor: boolean) =>
    byToken.put(`/stores/${store.id}`, { store: { require_two_factor } });
  const clerk = api(await aClerk(['settings:write']), app);
  const refused = await clerk.put(`/stores/${store.id}`, { store: { require_two_factor: true } });
  expect(refused.status).toBe(401);
  expect((await clerk.put(`/stores/${store.id}`, { store: { require_two_factor: false } })).status).toBe(200);
  try {
    expect((await require(true)).body.require_two_factor).toBe(true);
    for (const path of ['/orders', '/products', `/users/${admin.id}`])
      expect(errorOf(await session.get(path))).toEqual([401, 'two_factor_setup_required']);
    expect((await byToken.get('/orders')).status).toBe(200);
    expect((await api(ann, app).get('/products')).status).toBe(200);

    expect((await session.get('/users/me')).status).toBe(200);
    expect((await session.get('/users/me/two_factor')).body).toMatchObject({
      enabled: false,
      required: true,
    });
    const { secret } = (await session.post('/users/me/two_factor')).body;
    expect((await session.put('/users/me/two_factor', { code: codeOf(secret) })).status).toBe(200);
    expect((await session.get('/orders')).status).toBe(200);
    later();
    expect((await session.delete('/users/me/two_factor', { code: codeOf(secret) })).status).toBe(204);
    expect(errorOf(await session.get('/orders'))).toEqual([401, 'two_factor_setup_required']);
    expect((await session.delete('/sessions')).status).toBe(204);
  } finally {
    await require(false);
  }
});

test('an erased account keeps nothing of it', async () => {
  const ann = await withTwoFactor(await aSignedUpCustomer(PASSWORD));
  const admin = api(await anAdmin(), app);
  expect((await admin.put(`/users/${ann.id}/erase`)).status).toBe(200);
  expect(await testDb()('two_factors').where({ user_id: ann.id })).toEqual([]);
});
