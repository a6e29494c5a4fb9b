import type { Knex } from 'knex';
import { pino } from 'pino';
import { warnWithoutStore } from '../../../src/boot/prepare-store';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { testDatabaseUrl } from '../../setup/test-server';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { getPlaceIds } from '../../support/addresses.factory';
import { api, makeTestApp } from '../../support/api';
import { cloneTemplate, testDb } from '../../support/database';
import { unique } from '../../support/unique';

const aStore = (attributes: object = {}) => ({
  name: 'Example',
  url: 'shop.example.com',
  code: unique('shop'),
  mail_from_address: 'shop@example.com',
  ...attributes,
});

describe('stores', () => {
  test('have `default` and `default_currency` as synonyms of `is_default` and `currency`, in input too', async () => {
    const admin = api(await anAdmin());
    const made = await admin.post('/stores', { store: aStore({ default_currency: 'eur' }) });
    expect(made.body).toMatchObject({
      currency: 'EUR',
      default_currency: 'EUR',
      is_default: false,
      default: false,
    });
    const path = `/stores/${made.body.id}`;
    const changed = await admin.put(path, { store: { default_currency: 'CHF' } });
    expect(changed.body).toMatchObject({ currency: 'CHF', default_currency: 'CHF' });
    const before = (await admin.get('/stores')).body.stores.find((store: any) => store.default);
    const first = await admin.put(path, { store: { default: true } });
    expect(first.body).toMatchObject({ default: true, is_default: true });
    const restored = await admin.put(`/stores/${before.id}`, { store: { default: true } });
    expect(restored.body).toMatchObject({ default: true, is_default: true });
    expect((await admin.delete(path)).status).toBe(204);
  });

  test('are created with the named settings, updated and deleted', async () => {
    const admin = api(await anAdmin());
    const { country_id } = await getPlaceIds('DE', 'BY');
    const made = await admin.post('/stores', { store: aStore({ currency: 'eur', auto_capture: '1' }) });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      currency: 'EUR',
      auto_capture: true,
      is_default: false,
      track_inventory_levels: true,
      tax_using_ship_address: true,
      default_country_id: null,
      seo_title: null,
    });

    const path = `/stores/${made.body.id}`;
    const changed = await admin.patch(path, {
      store: {
        name: 'Other',
        default_country_id: country_id,
        auto_capture: null,
        track_inventory_levels: false,
      },
    });
    const { updated_at, ...same } = made.body;
    expect(changed.body).toEqual({
      ...same,
      name: 'Other',
      default_country_id: country_id,
      track_inventory_levels: false,
      updated_at: expect.any(String),
    });
    expect(changed.body.updated_at > updated_at).toBe(true);

    const listed = await admin.get('/stores');
    expect(Object.keys(listed.body)).toEqual(['stores']);
    expect(listed.body.stores).toContainEqual(changed.body);
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.delete(path)).status).toBe(404);
  });

  test('require four attributes and a unique code', async () => {
    const admin = api(await anAdmin());
    const blank = ["can't be blank"];
    const reply = await admin.post('/stores', { store: { name: ' ' } });
    expect(reply.body.errors).toEqual({ name: blank, url: blank, code: blank, mail_from_address: blank });

    const made = await admin.post('/stores', aStore());
    const refused: [object, Record<string, string[]>][] = [
      [{ code: made.body.code }, { code: ['has already been taken'] }],
      [{ currency: 'XXQ' }, { currency: ['is invalid'] }],
      [{ currency: 'dollars' }, { currency: ['is too long (maximum is 3 characters)'] }],
      [{ default_country_id: 2147483647 }, { default_country_id: ['is invalid'] }],
      [
        { default_country_id: 'Atlantis', issuer_country_id: 'XQ' },
        { default_country_id: ['is invalid'], issuer_country_id: ['is invalid'] },
      ],
    ];
    for (const [attributes, errors] of refused) {
      const answer = await admin.post('/stores', { store: aStore(attributes) });
      expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    }
    expect((await admin.put('/stores/2147483647', { store: { name: '' } })).status).toBe(404);
  });

  test('name the country of forms and of the seller also by code or name', async () => {
    const admin = api(await anAdmin());
    const { country_id: japan } = await getPlaceIds('JP', '13');
    const { country_id: us } = await getPlaceIds('US', 'ME');
    const made = await admin.post('/stores', {
      store: aStore({ default_country_id: 'jpn', issuer_country_id: 'United States' }),
    });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ default_country_id: japan, issuer_country_id: us }),
    ]);
    const changed = await admin.put(`/stores/${made.body.id}`, {
      store: { default_country_id: 'US', issuer_country_id: null },
    });
    expect(changed.body).toMatchObject({ default_country_id: us, issuer_country_id: null });
    const refused = await admin.put(`/stores/${made.body.id}`, { store: { issuer_country_id: 'XQ' } });
    expect([refused.status, refused.body.errors]).toEqual([422, { issuer_country_id: ['is invalid'] }]);
  });

  test('new returns the attributes of a store; required ones are marked', async () => {
    const { body } = await api(await anAdmin()).get('/stores/new');
    expect(body.required_attributes).toEqual(['name', 'url', 'code', 'mail_from_address']);
    expect(body.attributes).toEqual(expect.arrayContaining([...body.required_attributes, 'id', 'currency']));
  });

  test('are available to admins only', async () => {
    for (const caller of [{}, await aCustomer()]) {
      const replies = [
        await api(caller).get('/stores'),
        await api(caller).get('/stores/2147483647'),
        await api(caller).post('/stores', aStore()),
        await api(caller).put('/stores/2147483647', {}),
        await api(caller).delete('/stores/2147483647'),
      ];
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    }
  });
});

/** These tests use a separate database without stores, because the default store affects all other tests. */
describe('the default store', () => {
  let db: Knex;
  let admin: ReturnType<typeof api>;

  beforeAll(async () => {
    const name = unique('store_empty').replaceAll('-', '_');
    await cloneTemplate(name);
    db = connectDatabase({ url: testDatabaseUrl(name), poolSize: 4, log: pino({ level: 'error' }) });
    await db('stores').delete();
    const caller = await anAdmin(db);
    admin = api(caller, makeTestApp({ db }));
  });
  afterAll(() => closeDatabase(db));

  test('is the first store until another one becomes the default; it cannot be deleted', async () => {
    expect((await admin.get('/config')).body).toEqual({ default_country_id: null });
    expect((await admin.get('/config/money')).body).toMatchObject({ symbol: '$' });

    const { country_id } = await getPlaceIds('JP', '13');
    const first = await admin.post('/stores', {
      store: aStore({ currency: 'JPY', is_default: false, default_country_id: country_id }),
    });
    expect(first.body.is_default).toBe(true);
    expect((await admin.get('/config')).body).toEqual({ default_country_id: country_id });
    expect((await admin.get('/config/money')).body).toEqual({
      symbol: '¥',
      symbol_position: 'before',
      no_cents: true,
      decimal_mark: '.',
      thousands_separator: ',',
    });
    const refused = await admin.delete(`/stores/${first.body.id}`);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { base: ['Cannot destroy the default Store.'] },
    ]);
    const unset = await admin.put(`/stores/${first.body.id}`, { store: { is_default: false } });
    expect(unset.body.is_default).toBe(true);

    const others = await Promise.all(
      [1, 2, 3].map(() => admin.post('/stores', { store: aStore({ is_default: true }) })),
    );
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await db('stores').where({ is_default: true }).pluck('id')).toHaveLength(1);
    await admin.put(`/stores/${others[0]?.body.id}`, { store: { is_default: true } });
    expect(await db('stores').where({ is_default: true }).pluck('id')).toEqual([others[0]?.body.id]);
    expect((await admin.delete(`/stores/${first.body.id}`)).status).toBe(204);
  });
});

test('a start without a store warns about the currency of prices', async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  await warnWithoutStore(testDb(), log);
  expect(lines).toEqual([]);
  const tx = await testDb().transaction();
  try {
    await tx.raw('SET LOCAL session_replication_role = replica');
    await tx('stores').delete();
    await warnWithoutStore(tx, log);
  } finally {
    await tx.rollback();
  }
  expect(lines).toMatchObject([
    { level: 40, msg: expect.stringMatching(/prices are in USD.*POST \/api\/v1\/stores/) },
  ]);
});
