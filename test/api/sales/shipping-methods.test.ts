import { asAdmin } from '../../support/accounts.factory';
import type { api } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';
import { UNKNOWN_ID } from '../../support/error-bodies';

describe('shipping methods', () => {
  let admin: ReturnType<typeof api>;
  let zone: { id: number; name: string };
  let category: { id: number; name: string };
  beforeAll(async () => {
    admin = await asAdmin();
    zone = (await admin.get('/zones?q[name_eq]=EU')).body.zones[0];
    category = (await admin.get('/shipping_categories?q[name_eq]=Default')).body.shipping_categories[0];
  });

  const valid = () => ({
    name: unique('Parcel'),
    calculator_type: 'flat_rate',
    calculator_preferences: { amount: '4.9', currency: 'EUR' },
    shipping_category_ids: [category.id],
    zone_ids: [zone.id],
  });
  const aMethod = async (attributes: object = {}): Promise<any> => {
    const made = await admin.post('/shipping_methods', { shipping_method: { ...valid(), ...attributes } });
    expect(made.status).toBe(201);
    return made.body;
  };

  test('are created with zones, categories and a calculator', async () => {
    const tax = (await admin.post('/tax_categories', { name: unique('tax') })).body;
    const made = await aMethod({
      name: 'DHL',
      code: 'DHL',
      admin_name: 'DHL till 31.5 kg',
      tracking_url: 'https://track.example.com/?id=:tracking',
      tax_category_id: tax.id,
    });
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'DHL',
      code: 'DHL',
      admin_name: 'DHL till 31.5 kg',
      tracking_url: 'https://track.example.com/?id=:tracking',
      display_on: 'both',
      tax_category_id: tax.id,
      calculator_type: 'flat_rate',
      calculator_preferences: { amount: '4.9', currency: 'EUR' },
      zones: [expect.objectContaining({ id: zone.id, name: 'EU', zone_members: expect.any(Array) })],
      shipping_categories: [{ id: category.id, name: 'Default' }],
    });
    expect(made.zones[0].zone_members).toHaveLength(27);
    expect((await admin.get(`/shipping_methods/${made.id}`)).body).toEqual(made);
    for (const q of ['[code_eq]=DHL', '[zones_name_eq]=EU', `[tax_category_id_eq]=${tax.id}`])
      expect((await admin.get(`/shipping_methods?q${q}&q[s]=id desc&per_page=1`)).body).toMatchObject({
        shipping_methods: [made],
        count: 1,
      });
    expect((await admin.get('/shipping_methods/new')).body).toMatchObject({
      attributes: expect.arrayContaining(['calculator_preferences', 'zone_ids']),
      required_attributes: ['name', 'calculator_type', 'shipping_category_ids'],
    });
  });

  test('of the seed data have their seeded attributes', async () => {
    const { body } = await admin.get('/shipping_methods?q[name_start]=UPS');
    expect(body.shipping_methods.map((method: any) => method.calculator_preferences)).toEqual([
      { amount: '5.0', currency: 'USD' },
      { amount: '10.0', currency: 'USD' },
      { amount: '15.0', currency: 'USD' },
    ]);
  });

  test.each([
    ['flat_rate', { amount: 5 }, { amount: '5.0' }],
    ['per_item', { amount: '1.005', first_item: 3 }, { amount: '1.01' }],
    ['flat_percent', { flat_percent: '12.5' }, { flat_percent: '12.5' }],
    [
      'price_sack',
      { minimal_amount: '50', normal_amount: '10' },
      { minimal_amount: '50.0', normal_amount: '10.0', discount_amount: '0.0' },
    ],
    [
      'flexi_rate',
      { first_item: '3', additional_item: '', max_items: '4' },
      { first_item: '3.0', additional_item: '0.0', max_items: 4 },
    ],
  ])('%s converts %j', async (calculator_type, given, stored) => {
    const made = await aMethod({ calculator_type, calculator_preferences: given });
    expect(made.calculator_preferences).toEqual({ ...stored, currency: null });
  });

  test('name preferences that no calculator has', async () => {
    const misspelled = { ...valid(), calculator_preferences: { amount: '4', amout: '5' } };
    const reply = await admin.post('/shipping_methods', { shipping_method: misspelled });
    expect([reply.status, reply.body.calculator_preferences, reply.headers['x-ignored-parameters']]).toEqual([
      201,
      { amount: '4.0', currency: null },
      'shipping_method.calculator_preferences.amout',
    ]);
  });

  test('keep omitted preferences; another calculator keeps those that it knows', async () => {
    const made = await aMethod();
    const change = async (changes: object) =>
      (await admin.put(`/shipping_methods/${made.id}`, { shipping_method: changes })).body;
    expect((await change({ calculator_preferences: { amount: '6' } })).calculator_preferences).toEqual({
      amount: '6.0',
      currency: 'EUR',
    });
    expect((await change({ calculator_preferences: { currency: null } })).calculator_preferences).toEqual({
      amount: '6.0',
      currency: null,
    });
    const sack = await change({
      calculator_type: 'price_sack',
      calculator_preferences: { minimal_amount: '50', normal_amount: '4', currency: 'EUR' },
    });
    expect(sack.calculator_preferences).toEqual({
      minimal_amount: '50.0',
      normal_amount: '4.0',
      discount_amount: '0.0',
      currency: 'EUR',
    });
  });

  test('keep a tracking URL that is omitted, and lose one that is sent blank', async () => {
    const tracking_url = 'https://track.example.com/?id=:tracking';
    const { id } = await aMethod({ tracking_url });
    const change = (attributes: object) =>
      admin.put(`/shipping_methods/${id}`, { shipping_method: attributes });
    expect((await change({ name: unique('Post') })).body.tracking_url).toBe(tracking_url);
    expect((await change({ tracking_url: '' })).body.tracking_url).toBeNull();
  });

  test('with stored preferences that are invalid are shown without them', async () => {
    const { id } = await aMethod();
    await testDb()('shipping_methods')
      .where({ id })
      .update({ calculator_preferences: { amount: 'much' } });
    const reply = await admin.get(`/shipping_methods/${id}`);
    expect([reply.status, reply.body.calculator_preferences]).toEqual([200, {}]);
  });

  test('replace zones and categories that are sent, and keep the rest', async () => {
    const other = (await admin.post('/shipping_categories', { name: unique('other') })).body;
    const made = await aMethod({ code: 'KEEP' });
    const moved = await admin.patch(`/shipping_methods/${made.id}`, {
      shipping_method: { zone_ids: [], shipping_category_ids: `${other.id},${category.id},${other.id}` },
    });
    expect(moved.body).toEqual({
      ...made,
      zones: [],
      shipping_categories: [{ id: category.id, name: 'Default' }, other],
    });
    const back = await admin.patch(`/shipping_methods/${made.id}`, {
      shipping_method: { zone_ids: [zone.id], display_on: 'back_end', code: '' },
    });
    expect(back.body).toMatchObject({ zones: [{ id: zone.id }], display_on: 'back_end', code: '' });
    expect(back.body.shipping_categories).toEqual(moved.body.shipping_categories);
  });

  test('without attributes return 422 with all required ones', async () => {
    expect((await admin.post('/shipping_methods', {})).body.errors).toEqual({
      name: ["can't be blank"],
      calculator_type: ["can't be blank"],
      shipping_category_ids: ["can't be blank"],
    });
  });

  test.each<[object, Record<string, string[]>]>([
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ calculator_type: 'by_weight' }, { calculator_type: ['is not included in the list'] }],
    [{ calculator_preferences: 'free' }, { calculator_preferences: ['is invalid'] }],
    [{ calculator_preferences: { amount: ['1'] } }, { calculator_preferences: ['is invalid'] }],
    [
      { calculator_preferences: { amount: 'much' } },
      { 'calculator_preferences.amount': ['is not a number'] },
    ],
    [
      { calculator_preferences: { amount: '-1', currency: 'euro' } },
      {
        'calculator_preferences.amount': ['must be greater than or equal to 0'],
        'calculator_preferences.currency': ['is invalid'],
      },
    ],
    [{ calculator_preferences: { currency: 'EUO' } }, { 'calculator_preferences.currency': ['is invalid'] }],
    [
      { calculator_preferences: { amount: '1e9' } },
      { 'calculator_preferences.amount': ['must be less than or equal to 99999999.99'] },
    ],
    [{ shipping_category_ids: [] }, { shipping_category_ids: ["can't be blank"] }],
    [{ shipping_category_ids: [UNKNOWN_ID] }, { shipping_category_ids: ['is invalid'] }],
    [{ zone_ids: [UNKNOWN_ID] }, { zone_ids: ['is invalid'] }],
    [{ zone_ids: ['here'] }, { zone_ids: ['is invalid'] }],
    [{ tax_category_id: UNKNOWN_ID }, { tax_category_id: ['is invalid'] }],
    [{ display_on: 'front_end' }, { display_on: ['is not included in the list'] }],
    [{ tracking_url: 'javascript:alert(1)' }, { tracking_url: ['is invalid'] }],
  ])('%j returns 422, and nothing changes', async (changes, errors) => {
    const made = await aMethod();
    const changed = await admin.put(`/shipping_methods/${made.id}`, { shipping_method: changes });
    expect([changed.status, changed.body.errors]).toEqual([422, errors]);
    expect((await admin.get(`/shipping_methods/${made.id}`)).body).toEqual(made);
    const created = await admin.post('/shipping_methods', { shipping_method: { ...valid(), ...changes } });
    expect([created.status, created.body.errors]).toEqual([422, errors]);
  });

  test('return 404 once deleted, and lose deleted zones', async () => {
    const home = (await admin.post('/zones', { name: unique('home') })).body;
    const made = await aMethod({ zone_ids: [zone.id, home.id] });
    await admin.delete(`/zones/${home.id}`);
    expect((await admin.get(`/shipping_methods/${made.id}`)).body.zones).toMatchObject([{ id: zone.id }]);
    expect((await admin.delete(`/shipping_methods/${made.id}`)).status).toBe(204);
    expect((await admin.delete(`/shipping_methods/${made.id}`)).status).toBe(404);
    expect((await admin.get(`/shipping_methods/${made.id}`)).status).toBe(404);
    expect((await admin.put(`/shipping_methods/${made.id}`, { name: '' })).status).toBe(404);
    expect((await admin.get(`/shipping_methods?q[id_eq]=${made.id}`)).body.shipping_methods).toEqual([]);
  });
});
