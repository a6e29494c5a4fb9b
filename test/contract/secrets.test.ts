import { Writable } from 'node:stream';
import type { Knex } from 'knex';
import { pino, type Logger } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { describeError } from '../../src/platform/logger';
import { testDatabaseUrl } from '../setup/test-server';
import { anAddress } from '../support/addresses.factory';
import { anAdmin } from '../support/accounts.factory';
import { api, makeTestApp, type Caller, type TestApp } from '../support/api';
import { cloneTemplate } from '../support/database';
import { unique } from '../support/unique';
import { useProductionPasswordCost } from '../support/password-cost';

useProductionPasswordCost();

/** Builds a logger that records what a process writes at LOG_LEVEL=trace. */
function recordingLog(): { log: Logger; written: () => string } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return {
    log: pino({ level: 'trace', serializers: { err: describeError } }, stream),
    written: () => lines.join(''),
  };
}

/** Returns all rows of all tables as text. */
async function dump(db: Knex): Promise<string> {
  const tables = await db('information_schema.tables')
    .where({ table_schema: 'public', table_type: 'BASE TABLE' })
    .pluck('table_name');
  const texts: string[] = [];
  for (const table of tables) {
    const { rows } = await db.raw<{ rows: { text: string }[] }>('SELECT (t.*)::text AS text FROM ?? AS t', [
      table,
    ]);
    texts.push(...rows.map((row) => row.text));
  }
  return texts.join('\n');
}

describe('passwords and tokens', () => {
  const { log, written } = recordingLog();
  let db: Knex;
  let app: TestApp;

  beforeAll(async () => {
    const name = unique('store_secrets').replaceAll('-', '_');
    await cloneTemplate(name);
    db = connectDatabase({ url: testDatabaseUrl(name), poolSize: 3, log });
    app = makeTestApp({ db, log });
  });
  afterAll(() => closeDatabase(db));

  test('do not appear in the log, the database or later replies, even after errors', async () => {
    const [password, changed, guess, madeUp] = [
      'sesame-one-1',
      'sesame-two-2',
      'sesame-bad-3',
      'sesame-key-4',
    ];
    const email = `${unique('ann')}@example.com`;
    const guest = api({}, app);

    const signedUp = await guest.post('/users', { user: { email, password, bill_address: anAddress() } });
    const session = await guest.post('/sessions', { email, password });
    const caller = api(session.body, app);
    const made = await caller.post(`/users/${signedUp.body.id}/tokens`, { api_token: { name: 'till' } });
    const tokens: string[] = [signedUp.body.token, session.body.token, made.body.token];
    expect([signedUp.status, session.status, made.status]).toEqual([201, 201, 201]);

    await guest.post('/sessions', { email, password: guess });
    await guest.post('/sessions', `{"email": "${email}", "password": "${guess}`);
    await guest.post(`/sessions?email=${email}&password=${guess}`, {});
    await guest.post('/users', { user: { email, password: guess } });
    await guest.get(`/users/me?token=${tokens[2]}`);
    await guest.get(`/countries?per_page=1&token=${tokens[2]}&order_token=${madeUp}`);
    await api({ token: madeUp, orderToken: madeUp }, app).get('/countries');
    const replies = [
      await caller.put(`/users/${signedUp.body.id}`, {
        user: { password: changed, current_password: password },
      }),
      await caller.get('/users/me'),
      await caller.get(`/users/${signedUp.body.id}/tokens`),
    ];

    const secrets = [password, changed, guess, madeUp, ...tokens];
    const kept =
      (await dump(db)) + replies.map((reply) => reply.text + JSON.stringify(reply.headers)).join('\n');
    expect(kept).toContain(email);
    for (const secret of secrets) {
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'));
      expect(written()).not.toContain(secret);
    }
    expect(written()).toContain('/api/v1/users/:id/tokens');
    expect(written()).not.toContain(email);
    expect(await db('users').where({ email }).pluck('password_digest')).toEqual([
      expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    ]);
  });

  test('values that a reply shows only once are stored encrypted or hashed, also in replayed replies', async () => {
    const staff: Caller = await anAdmin(db);
    /** Sends a request twice with one idempotency key, and returns the body of both replies. */
    const twice = async (caller: Caller, method: 'post' | 'put', path: string, body?: object) => {
      const client = api({ ...caller, headers: { 'Idempotency-Key': unique('key') } }, app);
      const [first, second] = [await client[method](path, body), await client[method](path, body)];
      expect([path, first.status]).toEqual([path, method === 'post' ? 201 : 200]);
      expect([second.headers['idempotency-replayed'], second.text]).toEqual(['true', first.text]);
      return first.body;
    };
    const [password, key, card, code] = ['sesame-six-6', 'sesame-key-7', '4012888888881881', 'sesame-cvv'];
    const email = `${unique('eve')}@example.com`;
    const visitor = api({}, app);
    const { id, token } = (await visitor.post('/users', { user: { email, password } })).body;
    const own: Caller = { token };
    const session = (await visitor.post('/sessions', { email, password })).body;
    const till = await twice(own, 'post', `/users/${id}/tokens`, { api_token: { name: 'till' } });
    const factor = (await api(own, app).post('/users/me/two_factor', { current_password: password })).body;
    const webhook = { url: 'https://does-not-resolve.invalid/hook', events: ['*'] };
    const hook = await twice(staff, 'post', '/webhooks', { webhook });
    const rotated = await twice(staff, 'put', `/webhooks/${hook.id}/rotate_secret`);
    const method = { name: 'Cards', gateway: 'bogus', preferences: { secret_key: key } };
    const cards = await twice(staff, 'post', '/payment_methods', { payment_method: method });
    const cart = await twice({}, 'post', '/orders');
    const source = { number: card, verification_value: code, month: 1, year: 2040, name: 'Eve' };
    const payment = { payment_method_id: cards.id, amount: 1, source };
    const guest = api({ orderToken: cart.token, headers: { 'Idempotency-Key': unique('key') } }, app);
    const reply = await guest.post(`/orders/${cart.number}/payments`, { payment });
    const later = await api(staff, app).get('/audit_log?per_page=100');

    const shownOnce: string[] = [
      ...[token, session.token, till.token, cart.token, hook.secret, rotated.secret],
      ...[factor.secret, ...factor.recovery_codes],
    ];
    const kept = (await dump(db)) + written() + reply.text + later.text;
    expect(kept).toContain(email);
    for (const secret of [...shownOnce, password, key, card, code]) {
      expect(secret.length).toBeGreaterThan(7);
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'));
      expect(kept).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    }
  });

  test('do not appear in the log if the database rejects a statement with them', async () => {
    const email = `${unique('bob')}@example.com`;
    await db.raw('ALTER TABLE users RENAME COLUMN password_digest TO gone');
    try {
      const failed = await api({}, app).post('/users', { user: { email, password: 'sesame-five' } });
      expect([failed.status, failed.body]).toEqual([500, { error: 'Something went wrong.' }]);
    } finally {
      await db.raw('ALTER TABLE users RENAME COLUMN gone TO password_digest');
    }
    expect(written()).toContain('unexpected error');
    for (const value of [email, 'sesame-five', '$argon2id$']) expect(written()).not.toContain(value);
  });
});
