import { aClerk, aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { unique } from '../../support/unique';
import { UNKNOWN_ID } from '../../support/error-bodies';

describe('tax rates', () => {
  let admin: ReturnType<typeof api>;
  let tax_category_id: number;
  let zone_id: number;
  beforeAll(async () => {
    admin = await asAdmin();
    tax_category_id = (await admin.post('/tax_categories', { name: 'Reduced' })).body.id;
    zone_id = (await admin.post('/zones', { name: 'Home' })).body.id;
  });

  test('are created, found by zone and tax category, and updated', async () => {
    const { body: books } = await admin.post('/tax_categories', { name: 'Books' });
    const { body: coast } = await admin.post('/zones', { name: 'Coast' });
    const made = await admin.post('/tax_rates', {
      tax_rate: {
        name: 'USt.',
        amount: 0.07,
        tax_category_id: books.id,
        zone_id: coast.id,
        included_in_price: '1',
      },
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'USt.',
      amount: '0.07',
      zone_id: coast.id,
      tax_category_id: books.id,
      included_in_price: true,
      show_rate_in_label: true,
    });
    for (const q of [
      'zone_name_eq=Coast',
      'tax_category_name_eq=Books',
      'name_eq=USt.&q[amount_lteq]=0.07',
      `zone_id_eq=${coast.id}`,
    ])
      expect((await admin.get(`/tax_rates?q[${q.replace('=', ']=')}`)).body.tax_rates).toEqual([made.body]);
    expect((await admin.get('/tax_rates?q[zone_name_eq]=Away')).body).toMatchObject({
      tax_rates: [],
      pages: 0,
    });

    const changed = await admin.put(`/tax_rates/${made.body.id}`, {
      tax_rate: { amount: '0.05', name: '', zone_id: '', show_rate_in_label: false, included_in_price: null },
    });
    expect(changed.body).toEqual({
      ...made.body,
      amount: '0.05',
      name: '',
      zone_id: null,
      show_rate_in_label: false,
    });
    expect((await admin.get(`/tax_rates/${made.body.id}`)).body).toEqual(changed.body);
    expect((await admin.get('/tax_rates/new')).body.required_attributes).toEqual([
      'amount',
      'tax_category_id',
    ]);
  });

  test('are created by staff of settings, who find the tax categories for them', async () => {
    const clerk = api(await aClerk(['settings:write']));
    const { body } = await clerk.get('/tax_categories?q[name_eq]=Reduced');
    expect(body.tax_categories).toMatchObject([{ id: tax_category_id }]);
    const tax_rate = { amount: '0.05', tax_category_id, zone_id };
    expect((await clerk.post('/tax_rates', { tax_rate })).status).toBe(201);
    expect((await clerk.post('/tax_categories', { name: 'Mine' })).status).toBe(401);
    expect((await api(await aCustomer()).get('/tax_categories')).status).toBe(401);
  });

  test('are fractions with up to five decimals', async () => {
    for (const [amount, shown] of [
      ['0.08875', '0.08875'],
      ['0.088754', '0.08875'],
      ['0.088755', '0.08876'],
      ['0', '0.0'],
      ['1', '1.0'],
      ['.19', '0.19'],
    ]) {
      const made = await admin.post('/tax_rates', { tax_rate: { amount, tax_category_id } });
      expect([made.status, made.body.amount]).toEqual([201, shown]);
    }
  });

  test.each<[object, Record<string, string[]>]>([
    [{}, { amount: ["can't be blank"], tax_category_id: ["can't be blank"] }],
    [{ amount: '19' }, { amount: ['must be less than or equal to 1'], tax_category_id: ["can't be blank"] }],
    [{ amount: '-0.1', tax_category_id: 1 }, { amount: ['must be greater than or equal to 0'] }],
    [{ amount: 'much', tax_category_id: 1 }, { amount: ['is not a number'] }],
    [{ amount: '0.1', tax_category_id: UNKNOWN_ID }, { tax_category_id: ['is invalid'] }],
    [{ amount: '0.1', tax_category_id: 1, zone_id: UNKNOWN_ID }, { zone_id: ['is invalid'] }],
  ])('%j returns 422', async (tax_rate, errors) => {
    const before = (await admin.get('/tax_rates')).body;
    const reply = await admin.post('/tax_rates', { tax_rate });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await admin.get('/tax_rates')).body).toEqual(before);
  });

  test('return 404 once deleted', async () => {
    const { body } = await admin.post('/tax_rates', { tax_rate: { amount: '0.2', tax_category_id } });
    expect((await admin.delete(`/tax_rates/${body.id}`)).status).toBe(204);
    expect((await admin.delete(`/tax_rates/${body.id}`)).status).toBe(404);
    for (const tax_rate of [{ amount: 'x' }, { tax_category_id: UNKNOWN_ID }])
      expect((await admin.put(`/tax_rates/${body.id}`, { tax_rate })).status).toBe(404);
    expect((await admin.get(`/tax_rates?q[id_eq]=${body.id}`)).body.tax_rates).toEqual([]);
  });

  test('prevent the deletion of their zone', async () => {
    const zone = (await admin.post('/zones', { name: unique('held') })).body;
    const rate = await admin.post('/tax_rates', {
      tax_rate: { amount: '0.2', tax_category_id, zone_id: zone.id },
    });
    expect((await admin.delete(`/zones/${zone.id}`)).status).toBe(422);
    await admin.delete(`/tax_rates/${rate.body.id}`);
    expect((await admin.delete(`/zones/${zone.id}`)).status).toBe(204);
  });
});
