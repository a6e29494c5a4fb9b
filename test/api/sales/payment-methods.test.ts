import { openCredentials } from '../../../src/sales/payment-processing/gateways/credentials';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describeError } from '../../../src/platform/logger';
import { bogusGateway } from '../../../src/sales/payment-processing/gateways/bogus';
import { builtInGateways } from '../../../src/sales/payment-processing/gateways/registry';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

describe('payment methods', () => {
  let admin: ReturnType<typeof api>;
  const lines: string[] = [];
  const connectedWith: unknown[] = [];
  beforeAll(async () => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const app = makeTestApp({
      log: pino({ level: 'trace', serializers: { err: describeError } }, stream),
      gateways: {
        ...builtInGateways,
        acme: {
          method_type: 'gateway',
          connect: (preferences) => {
            connectedWith.push(preferences);
            return bogusGateway.connect(preferences);
          },
        },
      },
    });
    admin = api(await anAdmin(), app);
  });

  const aMethod = async (attributes: object = {}): Promise<any> => {
    const made = await admin.post('/payment_methods', {
      payment_method: { name: unique('Card'), gateway: 'bogus', ...attributes },
    });
    expect(made.status).toBe(201);
    return made.body;
  };
  const getStoredPreferences = async (id: number): Promise<any> =>
    openCredentials(
      testApp().deps.secret,
      (await testDb()('payment_methods').where({ id }).first('preferences')).preferences,
    );

  test('are created, listed by position and updated', async () => {
    const last = await aMethod();
    const made = await aMethod({ name: 'Invoice', gateway: 'check', description: 'within 14 days' });
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Invoice',
      description: 'within 14 days',
      gateway: 'check',
      method_type: 'check',
      display_on: 'both',
      active: true,
      auto_capture: null,
      position: last.position + 1,
      has_preferences: false,
    });
    const first = await admin.put(`/payment_methods/${made.id}`, {
      payment_method: {
        position: 0,
        auto_capture: true,
        active: '0',
        display_on: 'back_end',
        method_type: 'x',
      },
    });
    expect(first.body).toEqual({
      ...made,
      position: 0,
      auto_capture: true,
      active: false,
      display_on: 'back_end',
    });
    expect((await admin.get(`/payment_methods/${made.id}`)).body).toEqual(first.body);
    const listNames = async (): Promise<string[]> =>
      (await admin.get('/payment_methods')).body.payment_methods.map(({ name }: any) => name);
    expect((await listNames()).slice(0, 3)).toEqual(['Invoice', 'Credit Card', 'Check']);
    expect(
      (await admin.get('/payment_methods?q[description_start]=Pay&q[active_true]=1')).body,
    ).toMatchObject({
      payment_methods: [{ name: 'Check' }],
      count: 1,
    });
    const follows = await admin.put(`/payment_methods/${made.id}`, {
      payment_method: { auto_capture: null },
    });
    expect(follows.body).toMatchObject({ auto_capture: null, active: false });
    expect((await admin.get('/payment_methods/new')).body).toMatchObject({
      attributes: expect.arrayContaining(['gateway', 'preferences']),
      required_attributes: ['name', 'gateway'],
    });
  });

  test.each<[object, Record<string, string[]>]>([
    [{}, { name: ["can't be blank"], gateway: ["can't be blank"] }],
    [{ name: 'A', gateway: 'unknown' }, { gateway: ['is not included in the list'] }],
    [{ name: 'A', gateway: 'toString' }, { gateway: ['is not included in the list'] }],
    [{ name: 'A', gateway: 'bogus', display_on: 'none' }, { display_on: ['is not included in the list'] }],
    [{ name: 'A', gateway: 'bogus', preferences: 'key' }, { preferences: ['is invalid'] }],
    [{ name: 'A', gateway: 'bogus', preferences: { key: { a: 1 } } }, { preferences: ['is invalid'] }],
    [{ name: 'A', gateway: 'bogus', preferences: { key: 'a\u0000' } }, { preferences: ['is invalid'] }],
    [{ name: 'A', gateway: 'bogus', position: -1 }, { position: ['must be greater than or equal to 0'] }],
  ])('%j returns 422', async (payment_method, errors) => {
    const reply = await admin.post('/payment_methods', { payment_method });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });

  test('credentials are stored, merged and deleted, but never shown, searched or logged', async () => {
    const [secret, second] = [unique('sk-live'), unique('sk-next')];
    const replies: string[] = [];
    const recordReply = (reply: { text: string; headers: unknown }) =>
      replies.push(reply.text, JSON.stringify(reply.headers));
    const made = await admin.post('/payment_methods', {
      payment_method: {
        name: 'Acme',
        gateway: 'acme',
        display_on: 'back_end',
        preferences: { secret_key: secret, test_mode: false, account: 'a1' },
      },
    });
    recordReply(made);
    expect(made.body.has_preferences).toBe(true);
    expect(await getStoredPreferences(made.body.id)).toEqual({
      secret_key: secret,
      test_mode: false,
      account: 'a1',
    });

    const path = `/payment_methods/${made.body.id}`;
    recordReply(
      await admin.put(
        `${path}?payment_method[preferences][secret_key]=${second}&payment_method[preferences][account]=`,
      ),
    );
    expect(await getStoredPreferences(made.body.id)).toMatchObject({ secret_key: second, account: '' });
    recordReply(await admin.put(path, { payment_method: { preferences: { account: null } } }));
    recordReply(await admin.put(path, { payment_method: { name: 'Acme Pay' } }));
    expect(await getStoredPreferences(made.body.id)).toEqual({ secret_key: second, test_mode: false });
    recordReply(await admin.get(path));
    recordReply(await admin.get('/payment_methods'));
    const guessed = await admin.get(
      `/payment_methods?q[preferences_cont]=${second.slice(0, 9)}&q[s]=preferences`,
    );
    expect(guessed.headers['x-ignored-conditions']).toBe('preferences_cont, preferences');
    const invalid = await admin.put(path, {
      payment_method: { name: '', preferences: { secret_key: secret, nested: [] } },
    });
    expect(invalid.status).toBe(422);
    recordReply(invalid);

    await testDb().raw('ALTER TABLE payment_methods RENAME COLUMN preferences TO gone');
    const failed = await admin.put(path, { payment_method: { preferences: { secret_key: secret } } });
    await testDb().raw('ALTER TABLE payment_methods RENAME COLUMN gone TO preferences');
    expect(failed.status).toBe(500);
    recordReply(failed);
    for (const word of [secret, second]) {
      expect(replies.join('\n')).not.toContain(word);
      expect(lines.join('\n')).not.toContain(word);
    }
    expect(lines.join('\n')).toContain('/api/v1/payment_methods/:id');

    const cleared = await admin.put(path, { payment_method: { preferences: null } });
    expect(cleared.body.has_preferences).toBe(false);
    expect(await getStoredPreferences(made.body.id)).toEqual({});
  });

  test('a changed gateway does not get the credentials of the former one', async () => {
    const made = await aMethod({ gateway: 'acme', preferences: { secret_key: 's' } });
    const same = await admin.put(`/payment_methods/${made.id}`, { payment_method: { gateway: 'acme' } });
    expect(same.body).toMatchObject({ method_type: 'gateway', has_preferences: true });
    const moved = await admin.put(`/payment_methods/${made.id}`, { payment_method: { gateway: 'check' } });
    expect(moved.body).toMatchObject({ gateway: 'check', method_type: 'check', has_preferences: false });
  });

  test('a payment fixes the gateway of its method; a deleted method can still capture it', async () => {
    const made = await aMethod({ gateway: 'acme', preferences: { secret_key: 'of the shop' } });
    const order = (await admin.post('/orders', { order: {} })).body;
    const paid = await admin.post(`/orders/${order.number}/payments`, {
      payment: {
        payment_method_id: made.id,
        amount: '3.00',
        source_attributes: {
          number: '4111111111111111',
          month: '1',
          year: '2035',
          verification_value: '123',
          name: 'Ann Lee',
        },
      },
    });
    expect(paid.status).toBe(201);
    const moved = await admin.put(`/payment_methods/${made.id}`, { payment_method: { gateway: 'bogus' } });
    expect([moved.status, moved.body.errors]).toEqual([
      422,
      { gateway: ['cannot be changed once payments were made with it'] },
    ]);

    expect((await admin.delete(`/payment_methods/${made.id}`)).status).toBe(204);
    const offered = await admin.get(`/orders/${order.number}/payments/new`);
    expect(offered.body.payment_methods.map(({ id }: any) => id)).not.toContain(made.id);
    const path = `/orders/${order.number}/payments/${paid.body.id}`;
    const authorized = await admin.put(`${path}/authorize`);
    expect([authorized.status, authorized.body.state]).toEqual([200, 'pending']);
    connectedWith.length = 0;
    expect((await admin.put(`${path}/capture`)).body.state).toBe('completed');
    expect(connectedWith).toEqual([{ secret_key: 'of the shop' }]);
    expect((await admin.get(path)).body).toMatchObject({ payment_method_id: made.id });

    expect((await admin.get(`/payment_methods/${made.id}`)).status).toBe(404);
    expect((await admin.delete(`/payment_methods/${made.id}`)).status).toBe(404);
    expect((await admin.put(`/payment_methods/${made.id}`, { name: '' })).status).toBe(404);
    expect((await admin.get(`/payment_methods?q[id_eq]=${made.id}`)).body.payment_methods).toEqual([]);
  });
});
