import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { countQueries, listQueries } from '../../support/queries';
import {
  aStockedVariant,
  aStockItem,
  aStockLocation,
  aWaitingOrder,
  getStockCounts,
  getFillState,
  type TestStockItem,
} from '../../support/stock.factory';
import { unique } from '../../support/unique';

const TOO_LOW = { count_on_hand: ['must be greater than or equal to 0'] };

function buildPath(item: TestStockItem): string {
  return `/stock_locations/${item.stock_location_id}/stock_items/${item.id}`;
}

async function change(item: TestStockItem, attributes: object) {
  return api(await anAdmin()).put(buildPath(item), { stock_item: attributes });
}

describe('stock items', () => {
  test('an admin creates one; its initial count is its first movement', async () => {
    const admin = api(await anAdmin());
    const location = await aStockLocation();
    const variant = await aStockedVariant({ cost_price: '7.5' });

    const reply = await admin.post(`/stock_locations/${location.id}/stock_items`, {
      stock_item: { count_on_hand: '20', variant_id: String(variant.id), backorderable: true },
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      count_on_hand: 20,
      backorderable: true,
      stock_location_id: location.id,
      variant_id: variant.id,
      variant: { id: variant.id, sku: variant.sku, total_on_hand: 20, in_stock: true, cost_price: '7.5' },
    });
    expect(reply.body.variant).not.toHaveProperty('stock_items');
    expect((await admin.get(buildPath(reply.body))).body).toEqual(reply.body);
    expect(await getStockCounts(reply.body)).toEqual({ count_on_hand: 20, ledger: 20 });
  });

  test('a new item has no stock, and backorderable defaults to that of its location', async () => {
    const admin = api(await anAdmin());
    const location = await aStockLocation({ backorderable_default: true });
    const create = async (attributes: object) =>
      admin.post(`/stock_locations/${location.id}/stock_items`, {
        stock_item: { variant_id: (await aStockedVariant()).id, ...attributes },
      });
    expect((await create({})).body).toMatchObject({ count_on_hand: 0, backorderable: true });
    expect((await create({ backorderable: 'false' })).body).toMatchObject({ backorderable: false });
  });

  test('a location has one item per variant', async () => {
    const item = await aStockItem({ count_on_hand: 4 });
    const again = { stock_item: { variant_id: item.variant_id, count_on_hand: 1 } };
    const reply = await api(await anAdmin()).post(
      `/stock_locations/${item.stock_location_id}/stock_items`,
      again,
    );
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      error: 'Invalid resource. Please fix errors and try again.',
      errors: { variant_id: ['has already been taken'] },
    });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 4, ledger: 4 });
  });

  test('require a variant and a valid count', async () => {
    const admin = api(await anAdmin());
    const location = await aStockLocation();
    const deleted = await aStockedVariant();
    await testDb()('variants').where({ id: deleted.id }).update({ deleted_at: new Date() });
    const create = async (attributes: object) =>
      (await admin.post(`/stock_locations/${location.id}/stock_items`, { stock_item: attributes })).body
        .errors;

    const blank = { variant: ["can't be blank"] };
    for (const variant_id of [undefined, '', 'abc', 2147483647, '99999999999999', deleted.id, [], {}]) {
      expect(await create({ variant_id })).toEqual(blank);
    }
    const variant_id = (await aStockedVariant()).id;
    expect(await create({ variant_id, count_on_hand: -1 })).toEqual(TOO_LOW);
    expect(await create({ variant_id, count_on_hand: 'x' })).toEqual({ count_on_hand: ['is not a number'] });
    expect(await create({ variant_id, count_on_hand: 1.5 })).toEqual({
      count_on_hand: ['must be an integer'],
    });
    const list = await admin.get(`/stock_locations/${location.id}/stock_items`);
    expect(list.body).toMatchObject({ stock_items: [], count: 0 });
  });

  test('PUT adds to the count; force=true sets it', async () => {
    const item = await aStockItem({ count_on_hand: 10, backorderable: true });
    const steps: [object, number][] = [
      [{ count_on_hand: 5 }, 15],
      [{ count_on_hand: -3 }, 12],
      [{ count_on_hand: 3, force: 'false' }, 15],
      [{ count_on_hand: 3, force: '0' }, 18],
      [{ count_on_hand: 10, force: true }, 10],
      [{ count_on_hand: '11', force: '1' }, 11],
      [{ force: true }, 11],
      [{ count_on_hand: '', force: true }, 11],
      [{ count_on_hand: 0 }, 11],
      [{ variant_id: 1, stock_location_id: 1, id: 1 }, 11],
      [{}, 11],
      [{ count_on_hand: -20 }, -9],
    ];
    for (const [attributes, count] of steps) {
      const reply = await change(item, attributes);
      expect([reply.status, reply.body.count_on_hand]).toEqual([200, count]);
      expect(await getStockCounts(item)).toEqual({ count_on_hand: count, ledger: count });
    }
  });

  test('a count below zero returns 422 unless the item is backorderable', async () => {
    const item = await aStockItem({ count_on_hand: 10 });
    for (const attributes of [{ count_on_hand: -11 }, { count_on_hand: -1, force: true }]) {
      const reply = await change(item, attributes);
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toEqual(TOO_LOW);
      expect(await getStockCounts(item)).toEqual({ count_on_hand: 10, ledger: 10 });
    }
    expect((await change(item, { count_on_hand: -10 })).body.count_on_hand).toBe(0);
  });

  test('backorderable and the count change together, in the order that succeeds', async () => {
    const [item, other] = [await aStockItem({ count_on_hand: 1 }), await aStockItem({ count_on_hand: 1 })];
    const opened = await change(item, { count_on_hand: -4, backorderable: true });
    expect(opened.body).toMatchObject({ count_on_hand: -3, backorderable: true });
    const unchanged = await change(other, { count_on_hand: 0 });
    expect(unchanged.body).toMatchObject({ count_on_hand: 1, backorderable: false });

    const refused = await change(item, { count_on_hand: -1, backorderable: false });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual(TOO_LOW);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -3, ledger: -3 });

    const closed = await change(item, { count_on_hand: 3, backorderable: false });
    expect(closed.body).toMatchObject({ count_on_hand: 0, backorderable: false });
  });

  test.each([
    ['rises', { count_on_hand: 2 }],
    ['is set to 0', { count_on_hand: 0, force: true }],
  ])('a count that %s locks the orders whose backorders it fills before the item', async (_name, rise) => {
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item, { quantity: 2 });
    const sent = await listQueries(() => change(item, { ...rise, backorderable: false }));
    const lock = sent.findIndex((sql) => /FROM orders .*FOR UPDATE/s.test(sql));
    const write = sent.findIndex((sql) =>
      /^update "stock_items" .*backorderable|^UPDATE stock_items .*backorderable/s.test(sql),
    );
    expect([lock >= 0, write > lock]).toEqual([true, true]);
    expect((await getFillState(order)).units).toEqual(['on_hand', 'on_hand']);
  });

  test('counts are limited to the integer range', async () => {
    const item = await aStockItem({ count_on_hand: 2147483647, backorderable: true });
    const tooMuch = { count_on_hand: ['must be less than or equal to 2147483647'] };
    expect((await change(item, { count_on_hand: 1 })).body.errors).toEqual(tooMuch);
    expect((await change(item, { count_on_hand: 2147483648 })).body.errors).toEqual(tooMuch);
    expect((await change(item, { count_on_hand: '1e400' })).status).toBe(422);
    const bottom = await change(item, { count_on_hand: -2147483647, force: true });
    expect(bottom.body.errors).toEqual({ count_on_hand: ['must be greater than or equal to 0'] });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 2147483647, ledger: 2147483647 });
  });

  test('the count of an untracked variant never changes and is shown as infinite', async () => {
    const variant = await aStockedVariant({ track_inventory: false });
    const item = await aStockItem({ variant_id: variant.id, count_on_hand: 5 });
    await change(item, { count_on_hand: 3 });
    const forced = await change(item, { count_on_hand: 9, force: true });
    expect(forced.body).toMatchObject({
      count_on_hand: 0,
      variant: { track_inventory: false, total_on_hand: null, in_stock: true },
    });
    const movements = await testDb()('stock_movements').where({ stock_item_id: item.id }).orderBy('id');
    expect(movements.map(({ quantity, counted }) => [quantity, counted])).toEqual([
      [5, false],
      [3, false],
      [9, false],
    ]);
  });

  test('a forced count fills backorders with the units it adds', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item, { quantity: 2 });
    const reply = await change(item, { count_on_hand: -1, force: true });
    expect(reply.body.count_on_hand).toBe(-1);
    expect((await getFillState(order)).units).toEqual(['on_hand', 'backordered']);
  });

  test('a deleted item is excluded from all sums, and the variant can get a new one', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 5 });
    expect((await admin.delete(buildPath(item))).status).toBe(204);
    expect((await admin.get(buildPath(item))).status).toBe(404);
    expect((await admin.delete(buildPath(item))).status).toBe(404);
    const { stock_location_id, variant_id } = item;
    const fresh = await aStockItem({ stock_location_id, variant_id, count_on_hand: 2 });
    expect(fresh).toMatchObject({ count_on_hand: 2, variant: { total_on_hand: 2 } });
    const list = await admin.get(`/stock_locations/${stock_location_id}/stock_items`);
    expect(list.body.stock_items.map(({ id }: TestStockItem) => id)).toEqual([fresh.id]);
  });

  test('lists have deleted items on request', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 1 });
    const kept = await aStockItem({ stock_location_id: item.stock_location_id });
    await admin.delete(buildPath(item));
    const list = async (query: string): Promise<number[]> => {
      const { body } = await admin.get(
        `/stock_locations/${item.stock_location_id}/stock_items?per_page=500${query}`,
      );
      return body.stock_items.map(({ id }: { id: number }) => id);
    };
    expect(await list('')).not.toContain(item.id);
    expect(await list('')).toContain(kept.id);
    expect(await list('&show_deleted=true')).toEqual(expect.arrayContaining([item.id, kept.id]));
  });

  test('an item is found only below its own location', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 1 });
    const elsewhere = await aStockLocation();
    const path = `/stock_locations/${elsewhere.id}/stock_items/${item.id}`;
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.put(path, { stock_item: { count_on_hand: 'x' } })).status).toBe(404);
    expect((await admin.delete(path)).status).toBe(404);
    expect((await admin.post('/stock_locations/2147483647/stock_items', {})).status).toBe(404);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 1, ledger: 1 });
  });

  test('the short paths do the same; their list requires a location', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 1 });

    const nameless = await admin.get('/stock_items');
    expect([nameless.status, nameless.body]).toEqual([
      422,
      { error: 'A stock_location_id parameter must be provided in order to retrieve stock movements.' },
    ]);
    const list = await admin.get(`/stock_items?stock_location_id=${item.stock_location_id}`);
    expect(list.body).toMatchObject({ count: 1, current_page: 1, pages: 1, stock_items: [item] });
    expect((await admin.get('/stock_items?stock_location_id=2147483647')).status).toBe(404);

    const changed = await admin.put(`/stock_items/${item.id}`, { stock_item: { count_on_hand: 2 } });
    expect(changed.body.count_on_hand).toBe(3);
    expect((await admin.delete(`/stock_items/${item.id}`)).status).toBe(204);
    expect((await admin.put(`/stock_items/${item.id}`, {})).status).toBe(404);
  });

  test('the list is searched by variant and product, and sorted', async () => {
    const admin = api(await anAdmin());
    const location = await aStockLocation();
    const path = `/stock_locations/${location.id}/stock_items`;
    const mark = unique('Mug');
    const mug = await aStockedVariant({ name: `${mark} red` });
    const cup = await aStockedVariant({ sku: `CUP-${mark}` });
    const other = await aStockedVariant();
    const counts = [4, 7, 2];
    for (const [index, { id }] of [mug, cup, other].entries()) {
      await aStockItem({ stock_location_id: location.id, variant_id: id, count_on_hand: counts[index] ?? 0 });
    }
    const listVariants = async (query: string): Promise<number[]> => {
      const list = await admin.get(`${path}?${query}`);
      return list.body.stock_items.map(({ variant_id }: TestStockItem) => variant_id);
    };

    expect(await listVariants(`q[variant_product_name_or_variant_sku_cont]=${mark.toLowerCase()}`)).toEqual([
      mug.id,
      cup.id,
    ]);
    expect(await listVariants(`q[variant_id_eq]=${cup.id}`)).toEqual([cup.id]);
    expect(await listVariants('q[count_on_hand_gteq]=4&q[s]=count_on_hand desc')).toEqual([cup.id, mug.id]);
    expect(await listVariants('q[s]=variant_id desc')).toEqual([other.id, cup.id, mug.id]);
    expect(await listVariants('per_page=1&page=2')).toEqual([cup.id]);
    // The master of a product with variants is not for sale.
    const { body } = await admin.get(`/variants/${cup.id}`);
    await admin.post(`/products/${body.product_id}/variants`, { variant: { sku: `CUP-${mark}-S` } });
    expect(await listVariants('q[variant_offered_true]=1&q[count_on_hand_gteq]=2')).toEqual([
      mug.id,
      other.id,
    ]);
    const ignored = await admin.get(`${path}?q[variant_cost_price_gt]=1`);
    expect(ignored.headers['x-ignored-conditions']).toBe('variant_cost_price_gt');
  });

  test('a list takes as many queries for one item as for many', async () => {
    const admin = api(await anAdmin());
    const few = await aStockItem();
    const many = await aStockLocation();
    for (let made = 0; made < 5; made++) await aStockItem({ stock_location_id: many.id });
    const countListQueries = (id: number) =>
      countQueries(() => admin.get(`/stock_locations/${id}/stock_items`));
    const one = await countListQueries(few.stock_location_id);
    expect(await countListQueries(many.id)).toBe(one);
  });

  test('admins only; others get 401 for existing and unknown items', async () => {
    const item = await aStockItem();
    for (const caller of [api(), api(await aCustomer())]) {
      for (const path of [
        buildPath(item),
        '/stock_locations/2147483647/stock_items/1',
        `/stock_items/${item.id}`,
      ]) {
        if (!path.startsWith('/stock_items')) expect((await caller.get(path)).status).toBe(401);
        expect((await caller.put(path, { stock_item: { count_on_hand: 1 } })).status).toBe(401);
        expect((await caller.delete(path)).status).toBe(401);
      }
      expect((await caller.get('/stock_items')).status).toBe(401);
      expect((await caller.get('/stock_locations/1/stock_items')).status).toBe(401);
      expect((await caller.post('/stock_locations/1/stock_items', {})).status).toBe(401);
    }
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 0, ledger: 0 });
  });
});
