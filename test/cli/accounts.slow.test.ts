import { api } from '../support/api';
import { runStoreCommand } from '../support/command-line';
import { ensureTestDatabase, testDb } from '../support/database';
import { unique } from '../support/unique';

/** Runs a command on the test database and returns its JSON result. */
async function result(argv: readonly string[], env: Record<string, string> = {}, stdin = '') {
  const settings = { DATABASE_URL: await ensureTestDatabase(), ...env };
  const { code, stdout, stderr } = await runStoreCommand([...argv, '--json'], settings, stdin);
  return { code, stderr, ...JSON.parse(stdout) };
}

const anEmail = () => `${unique('clerk')}@example.com`;
const signIn = (email: string, password: string) => api().post('/sessions', { email, password });
const me = (token: string) => api({ token }).get('/users/me');

async function aUser(): Promise<{ id: number; email: string; token: string }> {
  return result(['user', 'create', anEmail()]);
}

describe('user create', () => {
  test('creates a customer with a working generated password and token', async () => {
    const email = anEmail();
    const made = await result(['user', 'create', email]);

    expect(made).toMatchObject({ code: 0, email, roles: ['customer'], password: expect.any(String) });
    expect((await signIn(email, made.password)).status).toBe(201);
    expect((await me(made.token)).body).toMatchObject({ id: made.id, roles: ['customer'] });
  });

  test('--admin creates an administrator', async () => {
    const made = await result(['user', 'create', anEmail(), '--admin']);

    expect(made.roles).toEqual(['admin']);
    expect((await api({ token: made.token }).get('/users')).status).toBe(200);
  });

  test('--role creates a member of staff', async () => {
    const made = await result(['user', 'create', anEmail(), '--role', 'warehouse']);
    expect(made.roles).toEqual(['warehouse']);
    expect((await api({ token: made.token }).get('/stock_locations')).status).toBe(200);
    expect(await result(['user', 'create', anEmail(), '--role', 'ghost'])).toMatchObject({
      code: 1,
      error: expect.stringMatching(
        /^there is no role ghost; the roles are (?=.*\badmin\b)(?=.*\bwarehouse\b)/,
      ),
    });
  });

  test.each([
    ['the environment', [], { NEW_USER_PASSWORD: 'correct horse' }, ''],
    ['stdin', ['--password-stdin'], {}, 'correct horse\nnot this\n'],
    ['stdin rather than the environment', ['--password-stdin'], { NEW_USER_PASSWORD: 'x' }, 'correct horse'],
  ])('reads the password from %s and does not print it', async (_where, flags, env, stdin) => {
    const email = anEmail();
    const made = await result(['user', 'create', email, ...flags], env, stdin);

    expect(made).toMatchObject({ code: 0, password: null });
    expect((await signIn(email, 'correct horse')).status).toBe(201);
  });

  test('prints the generated secrets in a readable text', async () => {
    const email = anEmail();
    const { stdout } = await runStoreCommand(['user', 'create', email], {
      DATABASE_URL: await ensureTestDatabase(),
    });
    const [, password = '', token = ''] = /password +(\S+)\n +X-Store-Token +(\S+)\n/.exec(stdout) ?? [];

    expect((await signIn(email, password)).status).toBe(201);
    expect((await me(token)).body.email).toBe(email);
  });

  test('validates like a sign-up and creates no user on an error', async () => {
    const { email } = await aUser();
    expect(await result(['user', 'create', email.toUpperCase()])).toEqual({
      code: 1,
      stderr: 'email has already been taken\n',
      error: 'email has already been taken',
      errors: { email: ['has already been taken'] },
    });

    const short = await result(['user', 'create', 'nobody'], { NEW_USER_PASSWORD: 'abc' });
    expect(short.errors).toEqual({
      email: ['is invalid'],
      password: ['is too short (minimum is 8 characters)'],
    });
    expect(await testDb()('users').where({ email: 'nobody' })).toEqual([]);
  });

  test('fails if the password to read is empty', async () => {
    const email = anEmail();
    const refused = await result(['user', 'create', email, '--password-stdin']);

    expect(refused).toMatchObject({ code: 1, error: 'the input is empty; enter a value' });
    expect(await testDb()('users').where({ email })).toEqual([]);
  });
});

describe('token', () => {
  test('create returns a working token, list never shows it, revoke disables it', async () => {
    const { id, email, token: first } = await aUser();
    const made = await result(['token', 'create', email.toUpperCase(), '--name', 'till 4']);
    expect(made).toMatchObject({ code: 0, name: 'till 4', revoked_at: null });
    expect((await me(made.token)).body.id).toBe(id);

    const { code, stdout } = await runStoreCommand(['token', 'list', String(id), '--json'], {
      DATABASE_URL: await ensureTestDatabase(),
    });
    const listed = JSON.parse(stdout).tokens;
    expect(code).toBe(0);
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['till 4', 'sign-up']);
    expect(stdout).not.toContain(made.token);

    expect(await result(['token', 'revoke', email, String(made.id)])).toMatchObject({ code: 0 });
    expect((await me(made.token)).status).toBe(401);
    expect((await me(first)).status).toBe(200);
    expect((await result(['token', 'list', email])).tokens[0]).toMatchObject({
      id: made.id,
      revoked_at: expect.any(String),
    });
  });

  test('create limits the token to scopes and a time, for the administrator by default', async () => {
    const { email } = await result(['user', 'create', anEmail(), '--admin']);
    const flags = ['--scope', 'stock:write', '--scope', 'orders:read,events:read', '--expires', '90d'];
    const made = await result(['token', 'create', ...flags], { ADMIN_EMAIL: email });
    expect(made).toMatchObject({ code: 0, scopes: ['stock:write', 'orders:read', 'events:read'] });
    const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
    expect((await api({ token: made.token }).get('/stock_locations')).status).toBe(200);
    expect((await api({ token: made.token }).get('/users')).status).toBe(401);

    const { stdout } = await runStoreCommand(['token', 'list', email], {
      DATABASE_URL: await ensureTestDatabase(),
    });
    expect(stdout).toContain(`expires ${made.expires_at}`);
    expect(stdout).toContain('stock:write,orders:read,events:read');
  });

  test('create refuses unknown scopes and times that have passed', async () => {
    const { email } = await aUser();
    for (const scope of ['stock', 'orders:read,stok:write']) {
      const settings = { DATABASE_URL: await ensureTestDatabase() };
      const { code, stderr } = await runStoreCommand(['token', 'create', email, '--scope', scope], settings);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('Must be one of catalog:read, catalog:write'),
      ]);
    }
    for (const time of ['soon', '2020-01-01', '0d', '90']) {
      const settings = { DATABASE_URL: await ensureTestDatabase() };
      const { code, stderr } = await runStoreCommand(['token', 'create', email, '--expires', time], settings);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Must be like 12h or 90d')]);
    }
  });

  test('list shows all tokens across pages', async () => {
    const { id } = await aUser();
    await testDb().raw(
      `INSERT INTO api_tokens (user_id, name, token_hash)
       SELECT ?, 'many', sha256(convert_to('many-' || ? || '-' || n, 'UTF8')) FROM generate_series(1, 600) AS n`,
      [id, id],
    );

    expect((await result(['token', 'list', String(id)])).tokens).toHaveLength(601);
  });

  test('a token of another user is not found', async () => {
    const [ann, bob] = [await aUser(), await aUser()];
    const made = await result(['token', 'create', ann.email]);

    const refused = await result(['token', 'revoke', bob.email, String(made.id)]);
    expect(refused).toMatchObject({
      code: 1,
      error: expect.stringContaining(`${bob.email} has no token ${made.id}`),
    });
    expect((await me(made.token)).status).toBe(200);
  });

  test.each(['ghost@example.com', '2147483647', '99999999999'])(
    'reports an unknown user %s',
    async (user) => {
      for (const command of ['create', 'list']) {
        const { code, error } = await result(['token', command, user]);
        expect({ code, error }).toEqual({ code: 1, error: `there is no user "${user}"` });
      }
    },
  );
});
