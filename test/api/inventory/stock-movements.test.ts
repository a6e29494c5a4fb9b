import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { countQueries } from '../../support/queries';
import {
  aStockedVariant,
  aStockItem,
  aStockLocation,
  aWaitingOrder,
  getStockCounts,
  getFillState,
  type TestStockItem,
} from '../../support/stock.factory';

function buildPath(item: { stock_location_id: number }, id?: number): string {
  const list = `/stock_locations/${item.stock_location_id}/stock_movements`;
  return id === undefined ? list : `${list}/${id}`;
}

async function move(item: TestStockItem, quantity: unknown) {
  const body = { stock_movement: { stock_item_id: item.id, quantity } };
  return api(await anAdmin()).post(buildPath(item), body);
}

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('stock movements', () => {
  test('arriving stock is recorded and counted', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 2 });

    const reply = await admin.post(buildPath(item), {
      stock_movement: { quantity: 10, stock_item_id: String(item.id), action: 'received' },
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      quantity: 10,
      stock_item_id: item.id,
      action: 'received',
      stock_item: {
        id: item.id,
        count_on_hand: 12,
        stock_location_id: item.stock_location_id,
        variant: { id: item.variant_id, total_on_hand: 12 },
      },
    });
    expect((await admin.get(buildPath(item, reply.body.id))).body).toEqual(reply.body);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 12, ledger: 12 });
  });

  test('the sign is the direction, the quantity defaults to 0, the action is free text', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 5 });
    expect((await move(item, '-3')).body).toMatchObject({
      quantity: -3,
      action: null,
      stock_item: { count_on_hand: 2 },
    });
    const none = await admin.post(buildPath(item), {
      stock_movement: { stock_item_id: item.id, action: 'counted' },
    });
    expect(none.body).toMatchObject({ quantity: 0, action: 'counted', stock_item: { count_on_hand: 2 } });
    const long = await admin.post(buildPath(item), {
      stock_movement: { stock_item_id: item.id, action: 'x'.repeat(256) },
    });
    expect(long.body.errors).toEqual({ action: ['is too long (maximum is 255 characters)'] });
  });

  test('an invalid movement returns 422 and stores nothing', async () => {
    const item = await aStockItem({ count_on_hand: 5 });
    const refusals: [unknown, object][] = [
      ['many', { quantity: ['is not a number'] }],
      [1.5, { quantity: ['must be an integer'] }],
      [2147483648, { quantity: ['must be less than or equal to 2147483647'] }],
      [-6, { count_on_hand: ['must be greater than or equal to 0'] }],
      [2147483647, { count_on_hand: ['must be less than or equal to 2147483647'] }],
    ];
    for (const [quantity, errors] of refusals) {
      const reply = await move(item, quantity);
      expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    }
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 5, ledger: 5 });
    expect((await api(await anAdmin()).get(buildPath(item))).body.count).toBe(1);
  });

  test('the stock item must belong to the location', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem();
    const elsewhere = await aStockItem();
    for (const stock_item_id of [undefined, '', 'abc', 2147483647, elsewhere.id]) {
      const reply = await admin.post(buildPath(item), { stock_movement: { stock_item_id, quantity: 1 } });
      expect([reply.status, reply.body.errors]).toEqual([422, { stock_item: ["can't be blank"] }]);
    }
    expect(await getStockCounts(elsewhere)).toEqual({ count_on_hand: 0, ledger: 0 });
    expect((await admin.post('/stock_locations/2147483647/stock_movements', {})).status).toBe(404);
  });

  test('a corrected quantity changes the count by the difference', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem({ count_on_hand: 5 });
    const { id } = (await move(item, 10)).body;
    const correct = (quantity: unknown) => admin.put(buildPath(item, id), { stock_movement: { quantity } });

    expect((await correct(4)).body).toMatchObject({ id, quantity: 4, stock_item: { count_on_hand: 9 } });
    expect((await correct('-5')).body).toMatchObject({ quantity: -5, stock_item: { count_on_hand: 0 } });
    expect((await correct(-6)).body.errors).toEqual({
      count_on_hand: ['must be greater than or equal to 0'],
    });
    expect((await correct('x')).body.errors).toEqual({ quantity: ['is not a number'] });
    expect((await correct('')).body.quantity).toBe(-5);
    const nothing = await admin.put(buildPath(item, id), {
      stock_movement: { action: 'lost', stock_item_id: 1 },
    });
    expect(nothing.body).toMatchObject({ quantity: -5, action: null, stock_item_id: item.id });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 0, ledger: 0 });
  });

  test('the count of an untracked variant never changes, also when a movement is corrected', async () => {
    const variant = await aStockedVariant({ track_inventory: false });
    const item = await aStockItem({ variant_id: variant.id });
    const recorded = await move(item, 5);
    expect(recorded.body).toMatchObject({ quantity: 5, stock_item: { count_on_hand: 0 } });
    const corrected = await api(await anAdmin()).put(buildPath(item, recorded.body.id), {
      stock_movement: { quantity: 8 },
    });
    expect(corrected.body).toMatchObject({ quantity: 8, stock_item: { count_on_hand: 0 } });
  });

  test('a store without inventory tracking changes no counts', async () => {
    const item = await aStockItem({ count_on_hand: 3 });
    const stores = testDb()('stores').where({ is_default: true });
    const [made] = (await stores.clone()).length
      ? []
      : await testDb()('stores')
          .insert({
            name: 'Shop',
            url: 'shop.test',
            code: 'shop',
            mail_from_address: 'shop@example.com',
            is_default: true,
          })
          .returning('id');
    try {
      await stores.clone().update({ track_inventory_levels: false });
      expect((await move(item, 5)).body.stock_item).toMatchObject({
        count_on_hand: 3,
        variant: { total_on_hand: null },
      });
    } finally {
      await stores.clone().update({ track_inventory_levels: true });
      if (made !== undefined) await testDb()('stores').where({ id: made.id }).delete();
    }
    expect((await move(item, 5)).body.stock_item.count_on_hand).toBe(8);
  });

  test('movements are listed oldest first, searched, sorted and paged', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem();
    const other = await aStockItem({ stock_location_id: item.stock_location_id });
    for (const quantity of [5, -2, 9]) await move(item, quantity);
    await move(other, 9);
    const listQuantities = async (query: string): Promise<number[]> => {
      const list = await admin.get(`${buildPath(item)}?${query}`);
      return list.body.stock_movements.map(({ quantity }: { quantity: number }) => quantity);
    };

    expect(await listQuantities('')).toEqual([5, -2, 9, 9]);
    expect(await listQuantities('q[quantity_eq]=9')).toEqual([9, 9]);
    expect(await listQuantities(`q[quantity_eq]=9&q[stock_item_variant_id_eq]=${other.variant_id}`)).toEqual([
      9,
    ]);
    expect(await listQuantities(`q[stock_item_id_eq]=${item.id}&q[s]=quantity asc`)).toEqual([-2, 5, 9]);
    const page = await admin.get(`${buildPath(item)}?per_page=3&page=2`);
    expect(page.body).toMatchObject({ count: 1, current_page: 2, pages: 2, total_count: 4 });
  });

  test('a movement is found only below its own location and cannot be deleted', async () => {
    const admin = api(await anAdmin());
    const item = await aStockItem();
    const { id } = (await move(item, 1)).body;
    const elsewhere = { stock_location_id: (await aStockLocation()).id };
    expect((await admin.get(buildPath(elsewhere, id))).status).toBe(404);
    expect((await admin.put(buildPath(elsewhere, id), { stock_movement: { quantity: 'x' } })).status).toBe(
      404,
    );
    expect((await admin.get(buildPath(item, 2147483647))).status).toBe(404);
    expect((await admin.get(`${buildPath(item)}/99999999999999`)).status).toBe(404);
    expect((await admin.delete(buildPath(item, id))).status).toBe(404);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 1, ledger: 1 });
  });

  test('a list takes as many queries for one movement as for many', async () => {
    const admin = api(await anAdmin());
    const few = await aStockItem({ count_on_hand: 1 });
    const many = await aStockItem({ count_on_hand: 1 });
    const other = await aStockItem({ stock_location_id: many.stock_location_id, count_on_hand: 1 });
    for (const item of [many, other, many]) await move(item, 1);
    const countListQueries = (item: TestStockItem) => countQueries(() => admin.get(buildPath(item)));
    const one = await countListQueries(few);
    expect(await countListQueries(many)).toBe(one);
  });

  test('admins only; others get 401 for existing and unknown locations', async () => {
    const item = await aStockItem({ count_on_hand: 1 });
    const body = { stock_movement: { stock_item_id: item.id, quantity: 1 } };
    for (const caller of [api(), api(await aCustomer())]) {
      for (const path of [buildPath(item), '/stock_locations/2147483647/stock_movements']) {
        expect((await caller.get(path)).status).toBe(401);
        expect((await caller.post(path, body)).status).toBe(401);
        expect((await caller.get(`${path}/1`)).status).toBe(401);
        expect((await caller.put(`${path}/1`, body)).status).toBe(401);
      }
    }
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 1, ledger: 1 });
  });
});

describe('arriving stock and backorders', () => {
  test('five received units fill three backordered ones, and the shipment is ready', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item, { quantity: 3 });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -3, ledger: -3 });

    const reply = await move(item, 5);

    expect(reply.body.stock_item.count_on_hand).toBe(2);
    expect(await getFillState(order)).toEqual({
      units: ['on_hand', 'on_hand', 'on_hand'],
      shipment: 'ready',
      shipment_state: 'ready',
    });
    const [change] = await testDb()('state_changes').where({ order_id: order.id, subject_type: 'shipment' });
    expect(change).toMatchObject({ from_state: 'pending', to_state: 'ready', subject_id: order.shipment_id });
    expect(change.user_id).not.toBeNull();
  });

  test('the order completed first is filled first, whatever its id', async () => {
    const item = await aStockItem({ backorderable: true });
    const last = await aWaitingOrder(item, { quantity: 2, completed_at: minutesAgo(10) });
    const first = await aWaitingOrder(item, { quantity: 2, completed_at: minutesAgo(30) });
    const second = await aWaitingOrder(item, { quantity: 2, completed_at: minutesAgo(20) });

    await move(item, 3);

    expect((await getFillState(first)).units).toEqual(['on_hand', 'on_hand']);
    expect(await getFillState(second)).toMatchObject({
      units: ['on_hand', 'backordered'],
      shipment: 'pending',
    });
    expect((await getFillState(last)).units).toEqual(['backordered', 'backordered']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -3, ledger: -3 });
  });

  test('carts, canceled orders and shipments, other locations and other variants are not filled', async () => {
    const item = await aStockItem({ backorderable: true });
    const elsewhere = await aStockItem({ variant_id: item.variant_id, backorderable: true });
    const another = await aStockItem({ stock_location_id: item.stock_location_id, backorderable: true });
    const others = [
      await aWaitingOrder(item, { completed_at: null, state: 'delivery' }),
      await aWaitingOrder(item, { state: 'canceled' }),
      await aWaitingOrder(item, { shipment_state: 'canceled' }),
      await aWaitingOrder(elsewhere),
      await aWaitingOrder(another),
    ];
    const waiting = await aWaitingOrder(item, { completed_at: new Date() });

    await move(item, 10);

    expect((await getFillState(waiting)).units).toEqual(['on_hand']);
    for (const order of others) expect((await getFillState(order)).units).toEqual(['backordered']);
  });

  test('a movement corrected upwards fills as many units as it adds', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item, { quantity: 3 });
    const { id } = (await move(item, 1)).body;
    expect((await getFillState(order)).units).toEqual(['on_hand', 'backordered', 'backordered']);

    await api(await anAdmin()).put(buildPath(item, id), { stock_movement: { quantity: 2 } });
    expect((await getFillState(order)).units).toEqual(['on_hand', 'on_hand', 'backordered']);

    await api(await anAdmin()).put(buildPath(item, id), { stock_movement: { quantity: 0 } });
    expect((await getFillState(order)).units).toEqual(['on_hand', 'on_hand', 'backordered']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -3, ledger: -3 });
  });

  test('an invalid movement fills nothing', async () => {
    const item = await aStockItem({ backorderable: true, count_on_hand: 2147483647 });
    const order = await aWaitingOrder(item);
    expect((await move(item, 5)).status).toBe(422);
    expect((await getFillState(order)).units).toEqual(['backordered']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 2147483646, ledger: 2147483646 });
  });
});
