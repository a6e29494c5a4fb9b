import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { countQueries } from '../../support/queries';
import { aStockedVariant, aStockItem, aStockLocation, aWaitingOrder } from '../../support/stock.factory';
import { unique } from '../../support/unique';
import { NOT_FOUND } from '../../support/error-bodies';

async function getPlaceIds(iso: string, abbr: string): Promise<{ country_id: number; state_id: number }> {
  const country = await testDb()('countries').where({ iso }).first('id');
  const state = await testDb()('states').where({ country_id: country.id, abbr }).first('id');
  return { country_id: country.id, state_id: state.id };
}

describe('stock locations', () => {
  test('an admin creates one; it is returned with its country and state', async () => {
    const admin = api(await anAdmin());
    const name = unique('Harbour');
    const inMaryland = await getPlaceIds('US', 'MD');

    const reply = await admin.post('/stock_locations', {
      stock_location: { name, address1: '7735 Old Georgetown Road', city: 'Bethesda', ...inMaryland },
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      name,
      address1: '7735 Old Georgetown Road',
      address2: null,
      city: 'Bethesda',
      zipcode: null,
      active: true,
      default: false,
      backorderable_default: false,
      propagate_all_variants: true,
      ...inMaryland,
      country: { iso: 'US', name: 'United States' },
      state: { abbr: 'MD' },
    });
    expect((await admin.get(`/stock_locations/${reply.body.id}`)).body).toEqual(reply.body);
  });

  test('a location without a country has null', async () => {
    const location = await aStockLocation();
    expect(location).toMatchObject({ country: null, country_id: null, state: null, state_id: null });
  });

  test('the name is required', async () => {
    const admin = api(await anAdmin());
    for (const body of [{}, { stock_location: { name: ' ' } }, { stock_location: 'x' }]) {
      const reply = await admin.post('/stock_locations', body);
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toEqual({ name: ["can't be blank"] });
    }
    const location = await aStockLocation();
    const reply = await admin.put(`/stock_locations/${location.id}`, { stock_location: { name: '' } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ name: ["can't be blank"] });
  });

  test('every variant gets an empty stock item, backorderable by the default of the location', async () => {
    const variant = await aStockedVariant();
    const gone = await aStockedVariant();
    await testDb()('variants').where({ id: gone.id }).update({ deleted_at: new Date() });
    const open = await aStockLocation({ propagate_all_variants: true, backorderable_default: true });
    const closed = await aStockLocation({ propagate_all_variants: true });

    const items = await testDb()('stock_items')
      .whereIn('stock_location_id', [open.id, closed.id])
      .whereIn('variant_id', [variant.id, gone.id])
      .orderBy('id')
      .select('stock_location_id', 'variant_id', 'count_on_hand', 'backorderable');

    expect(items).toEqual([
      { stock_location_id: open.id, variant_id: variant.id, count_on_hand: 0, backorderable: true },
      { stock_location_id: closed.id, variant_id: variant.id, count_on_hand: 0, backorderable: false },
    ]);
  });

  test('propagate_all_variants=false creates no stock items', async () => {
    await aStockedVariant();
    const location = await aStockLocation({ propagate_all_variants: 'false' });
    const list = await api(await anAdmin()).get(`/stock_locations/${location.id}/stock_items`);
    expect(list.body).toMatchObject({ stock_items: [], count: 0, pages: 0 });
  });

  test('at most one is the default', async () => {
    const admin = api(await anAdmin());
    const usual = (await testDb()('stock_locations').where({ is_default: true }).pluck('id')) as number[];
    try {
      const first = await aStockLocation({ default: true });
      const [second, other] = [await aStockLocation(), await aStockLocation()];
      const readOther = () => testDb()('stock_locations').where({ id: other.id }).first('updated_at');
      const before = await readOther();
      const reply = await admin.put(`/stock_locations/${second.id}`, { stock_location: { default: '1' } });

      expect(reply.body.default).toBe(true);
      expect(await readOther()).toEqual(before);
      expect((await admin.get(`/stock_locations/${first.id}`)).body.default).toBe(false);
      expect(await testDb()('stock_locations').where({ is_default: true }).pluck('id')).toEqual([second.id]);

      const both = await Promise.all(
        [first, second, first, second].map(({ id }) =>
          admin.put(`/stock_locations/${id}`, { stock_location: { default: true } }),
        ),
      );
      expect(both.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await testDb()('stock_locations').where({ is_default: true })).toHaveLength(1);
    } finally {
      await testDb()('stock_locations').where({ is_default: true }).update({ is_default: false });
      await testDb()('stock_locations').whereIn('id', usual).update({ is_default: true });
    }
  });

  test('the country must exist, and the state must belong to it', async () => {
    const admin = api(await anAdmin());
    const { state_id } = await getPlaceIds('US', 'MD');
    const { country_id } = await getPlaceIds('CA', 'ON');
    const name = unique('Depot');
    const create = (attributes: object) =>
      admin.post('/stock_locations', { stock_location: { name, ...attributes } });

    expect((await create({ country_id: 2147483647 })).body.errors).toEqual({ country: ["can't be blank"] });
    expect((await create({ state_id: 2147483647 })).body.errors).toEqual({ state: ['is invalid'] });
    expect((await create({ country_id, state_id })).body.errors).toEqual({ state: ['is invalid'] });
    expect((await create({ country_id: 'abc' })).body.errors).toEqual({ country_id: ['is invalid'] });
    expect((await admin.get(`/stock_locations?q[name_eq]=${name}`)).body.count).toBe(0);
  });

  test('changing the country clears the state', async () => {
    const admin = api(await anAdmin());
    const maryland = await getPlaceIds('US', 'MD');
    const ontario = await getPlaceIds('CA', 'ON');
    const location = await aStockLocation(maryland);
    const change = (attributes: object) =>
      admin.put(`/stock_locations/${location.id}`, { stock_location: attributes });

    expect((await change({ state_id: ontario.state_id })).status).toBe(422);
    const moved = await change({ country_id: ontario.country_id });
    expect(moved.status).toBe(200);
    expect(moved.body).toMatchObject({ country: { iso: 'CA' }, state_id: null, state: null });
    expect((await change({ state_id: ontario.state_id })).body.state).toMatchObject({ abbr: 'ON' });
  });

  test('an update changes the named attributes; null clears strings and keeps booleans', async () => {
    const location = await aStockLocation({ city: 'Bremen', zipcode: '28195', backorderable_default: true });
    const reply = await api(await anAdmin()).patch(`/stock_locations/${location.id}`, {
      stock_location: {
        city: null,
        active: 'f',
        backorderable_default: null,
        id: 1,
        deleted_at: '2020-01-01',
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...location, city: null, active: false });
  });

  test('the list is by name, searched and paged', async () => {
    const admin = api(await anAdmin());
    const mark = unique('depot');
    for (const name of ['b', 'c', 'a'])
      await aStockLocation({ name: `${mark} ${name}`, active: name !== 'c' });
    const listNames = async (query: string): Promise<string[]> => {
      const list = await admin.get(`/stock_locations?q[name_cont]=${mark.toUpperCase()}&${query}`);
      return list.body.stock_locations.map(({ name }: { name: string }) => name.slice(mark.length + 1));
    };

    expect(await listNames('')).toEqual(['a', 'b', 'c']);
    expect(await listNames('q[s]=name desc')).toEqual(['c', 'b', 'a']);
    expect(await listNames('q[active_true]=1')).toEqual(['a', 'b']);
    const page = await admin.get(`/stock_locations?q[name_cont]=${mark}&per_page=2&page=2`);
    expect(page.body).toMatchObject({ count: 1, current_page: 2, pages: 2, total_count: 3 });
  });

  test('a list takes as many queries for one location as for many', async () => {
    const admin = api(await anAdmin());
    const mark = unique('place');
    const countListQueries = () => countQueries(() => admin.get(`/stock_locations?q[name_cont]=${mark}`));
    await aStockLocation({ name: `${mark} 1`, ...(await getPlaceIds('US', 'MD')) });
    const one = await countListQueries();
    for (const name of [2, 3, 4]) await aStockLocation({ name: `${mark} ${name}` });
    expect(await countListQueries()).toBe(one);
  });

  test('deleting one deletes its stock items and no others, and it returns 404', async () => {
    const admin = api(await anAdmin());
    const [item, other] = [await aStockItem({ count_on_hand: 3 }), await aStockItem({ count_on_hand: 2 })];
    const path = `/stock_locations/${item.stock_location_id}`;

    const reply = await admin.delete(path);

    expect(reply.status).toBe(204);
    const others = `/stock_locations/${other.stock_location_id}`;
    expect((await admin.get(others)).status).toBe(200);
    expect((await admin.get(`${others}/stock_items/${other.id}`)).body.count_on_hand).toBe(2);
    expect(reply.text).toBe('');
    for (const gone of [
      path,
      `${path}/stock_items`,
      `${path}/stock_items/${item.id}`,
      `${path}/stock_movements`,
    ]) {
      const missing = await admin.get(gone);
      expect([missing.status, missing.body]).toEqual([404, NOT_FOUND]);
    }
    expect((await admin.put(`/stock_items/${item.id}`, { stock_item: { count_on_hand: 1 } })).status).toBe(
      404,
    );
    expect((await admin.delete(path)).status).toBe(404);
  });

  test('a location with unshipped shipments of complete orders cannot be deleted', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item);
    const path = `/stock_locations/${item.stock_location_id}`;

    const refused = await admin.delete(path);

    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual({
      base: ['Unshipped shipments of completed orders leave from this location'],
    });
    expect((await admin.get(`${path}/stock_items/${item.id}`)).status).toBe(200);

    await testDb()('shipments')
      .where({ id: order.shipment_id })
      .update({ state: 'shipped', shipped_at: new Date() });
    expect((await admin.delete(path)).status).toBe(204);
  });

  test.each([
    ['an incomplete order', { state: 'delivery', completed_at: null }],
    ['a canceled order', { state: 'canceled', shipment_state: 'canceled' }],
  ])('%s does not prevent the deletion', async (_name, attributes) => {
    const item = await aStockItem({ backorderable: true });
    await aWaitingOrder(item, attributes);
    const reply = await api(await anAdmin()).delete(`/stock_locations/${item.stock_location_id}`);
    expect(reply.status).toBe(204);
  });

  test('admins only; others get 401 for existing and unknown locations', async () => {
    const location = await aStockLocation();
    for (const caller of [{}, await aCustomer()]) {
      for (const id of [location.id, 2147483647]) {
        expect((await api(caller).get(`/stock_locations/${id}`)).status).toBe(401);
        expect((await api(caller).put(`/stock_locations/${id}`, {})).status).toBe(401);
        expect((await api(caller).delete(`/stock_locations/${id}`)).status).toBe(401);
      }
      expect((await api(caller).get('/stock_locations')).status).toBe(401);
      expect((await api(caller).post('/stock_locations', {})).status).toBe(401);
    }
  });

  test('an invalid id returns 404', async () => {
    const admin = api(await anAdmin());
    for (const id of ['abc', '99999999999999', '0', '2147483647']) {
      expect((await admin.get(`/stock_locations/${id}`)).status).toBe(404);
      expect((await admin.put(`/stock_locations/${id}`, { stock_location: { name: '' } })).status).toBe(404);
      expect((await admin.delete(`/stock_locations/${id}`)).status).toBe(404);
    }
  });
});
