import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { getPlaceIds } from '../../support/addresses.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';
import { UNKNOWN_ID } from '../../support/error-bodies';

const country = (zoneable_id: number) => ({ zoneable_type: 'Store::Country', zoneable_id });
const state = (zoneable_id: number) => ({ zoneable_type: 'Store::State', zoneable_id });

describe('zones', () => {
  test('are listed by name with their members, also for guests', async () => {
    const reply = await api().get('/zones?per_page=500');
    expect(reply.status).toBe(200);
    const names: string[] = reply.body.zones.map((zone: { name: string }) => zone.name);
    expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));
    const found = await api().get('/zones?q[name_cont]=north%20amer&q[zone_members_id_eq]=1');
    const [us, ca] = [await getPlaceIds('US', 'MD'), await getPlaceIds('CA', 'ON')];
    expect(found.headers['x-ignored-conditions']).toBe('zone_members_id_eq');
    expect(found.body).toMatchObject({ count: 1, pages: 1, current_page: 1 });
    expect(found.body.zones[0].zone_members).toEqual(
      expect.arrayContaining([
        { id: expect.any(Number), ...country(us.country_id), name: 'United States' },
        { id: expect.any(Number), ...country(ca.country_id), name: 'Canada' },
      ]),
    );
    expect((await api().get(`/zones/${found.body.zones[0].id}`)).body).toEqual(found.body.zones[0]);
  });

  test('contain countries or states, and an update replaces the members', async () => {
    const admin = api(await anAdmin());
    const { country_id, state_id } = await getPlaceIds('US', 'MD');
    const name = unique('zone');
    const made = await admin.post('/zones', {
      zone: {
        name,
        description: 'here',
        zone_members: {
          0: { zoneable_type: 'Spree::Country', zoneable_id: String(country_id) },
          1: country(country_id),
        },
      },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name, description: 'here', default_tax: false });
    expect(made.body.zone_members).toEqual([
      { id: expect.any(Number), ...country(country_id), name: 'United States' },
    ]);

    const same = await admin.put(`/zones/${made.body.id}`, { zone: { description: null } });
    expect(same.body).toEqual({ ...made.body, description: null });
    const moved = await admin.patch(`/zones/${made.body.id}`, {
      zone: { zone_members_attributes: [state(state_id)] },
    });
    expect(moved.body.zone_members).toMatchObject([{ ...state(state_id), name: 'Maryland' }]);
    const emptied = await admin.put(`/zones/${made.body.id}`, { zone: { zone_members: [] } });
    expect(emptied.body.zone_members).toEqual([]);
  });

  test('invalid input returns 422, and nothing changes', async () => {
    const admin = api(await anAdmin());
    const { country_id, state_id } = await getPlaceIds('US', 'MD');
    const zone = await admin.post('/zones', { name: unique('zone'), zone_members: [country(country_id)] });
    const refused: [object, Record<string, string[]>][] = [
      [{ name: ' ' }, { name: ["can't be blank"] }],
      [{ name: 'EU' }, { name: ['has already been taken'] }],
      [
        { zone_members: [country(country_id), state(state_id)] },
        { zone_members: ['must be either countries or states'] },
      ],
      [{ zone_members: [country(country_id), country(UNKNOWN_ID)] }, { zone_members: ['is invalid'] }],
      [{ zone_members: [state(UNKNOWN_ID)] }, { zone_members: ['is invalid'] }],
      [{ zone_members: 'all' }, { zone_members: ['is invalid'] }],
      [
        { zone_members: [{ zoneable_type: 'Store::Planet', zoneable_id: 1 }] },
        { 'zone_members.zoneable_type': ['is not included in the list'] },
      ],
      [
        { zone_members: [{}] },
        {
          'zone_members.zoneable_type': ["can't be blank"],
          'zone_members.zoneable_id': ["can't be blank"],
        },
      ],
    ];
    for (const [changes, errors] of refused) {
      const reply = await admin.put(`/zones/${zone.body.id}`, { zone: changes });
      expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    }
    expect((await admin.get(`/zones/${zone.body.id}`)).body).toEqual(zone.body);
    expect((await admin.post('/zones', {})).body.errors).toEqual({ name: ["can't be blank"] });
    expect((await admin.put(`/zones/${UNKNOWN_ID}`, { zone: { name: '' } })).status).toBe(404);
  });

  test('at most one is the default tax zone, also after concurrent requests', async () => {
    const admin = api(await anAdmin());
    const made = await Promise.all(
      [1, 2, 3, 4].map(() => admin.post('/zones', { name: unique('home'), default_tax: true })),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const [first] = made;
    await admin.put(`/zones/${first?.body.id}`, { zone: { default_tax: true } });
    const listDefaults = async () =>
      (await testDb()('zones').where({ default_tax: true }).pluck('id')) as number[];
    expect(await listDefaults()).toEqual([first?.body.id]);
    await admin.put(`/zones/${first?.body.id}`, { zone: { default_tax: false } });
    expect(await listDefaults()).toEqual([]);
  });

  test('are deleted with their members, but not while a tax rate uses them', async () => {
    const admin = api(await anAdmin());
    const { country_id } = await getPlaceIds('US', 'MD');
    const { body } = await admin.post('/zones', {
      name: unique('zone'),
      zone_members: [country(country_id)],
    });
    const [category] = await testDb()('tax_categories')
      .insert({ name: unique('tax') })
      .returning('id');
    const rate = { zone_id: body.id, tax_category_id: category.id, amount: '0.05' };
    await testDb()('tax_rates').insert({ ...rate, deleted_at: new Date() });
    const [live] = await testDb()('tax_rates').insert(rate).returning('id');

    const refused = await admin.delete(`/zones/${body.id}`);
    expect(refused.body.errors).toEqual({ base: ['Zones of tax rates cannot be deleted'] });
    await testDb()('tax_rates').where({ id: live.id }).delete();
    expect((await admin.delete(`/zones/${body.id}`)).status).toBe(204);
    expect((await admin.get(`/zones/${body.id}`)).status).toBe(404);
    expect((await admin.delete(`/zones/${body.id}`)).status).toBe(404);
    expect(await testDb()('zone_members').where({ zone_id: body.id })).toEqual([]);
  });

  test('new returns the attributes of a zone; required ones are marked', async () => {
    expect((await api().get('/zones/new')).body).toEqual({
      attributes: ['id', 'name', 'description', 'default_tax', 'zone_members'],
      required_attributes: ['name'],
    });
  });

  test('only admins may write', async () => {
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).post('/zones', { name: 'x' })).status).toBe(401);
      expect((await api(caller).put(`/zones/${UNKNOWN_ID}`, {})).status).toBe(401);
      expect((await api(caller).delete(`/zones/${UNKNOWN_ID}`)).status).toBe(401);
    }
  });
});
