import { anAdmin, asAdmin, aCustomer } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { countQueries } from '../support/queries';
import { aProduct } from '../support/products.factory';
import {
  aStockedVariant,
  aStockItem,
  aStockLocation,
  aWaitingOrder,
  getFillState,
  getStockCounts,
  type TestStockItem,
} from '../support/stock.factory';
import { unique } from '../support/unique';

async function skuOf(variantId: number): Promise<string> {
  return (await testDb()('variants').where({ id: variantId }).first('sku')).sku;
}

async function locationNameOf(id: number): Promise<string> {
  return (await testDb()('stock_locations').where({ id }).first('name')).name;
}

describe('bulk stock', () => {
  test('sets and adjusts counts by SKU or id, with movements in the name of the caller', async () => {
    const admin = await anAdmin();
    const [one, two] = [await aStockItem({ count_on_hand: 5 }), await aStockItem({ count_on_hand: 5 })];
    const reply = await api(admin).post('/bulk/stock', {
      rows: [
        {
          sku: await skuOf(one.variant_id),
          stock_location: await locationNameOf(one.stock_location_id),
          count_on_hand: 12,
        },
        { variant_id: two.variant_id, stock_location_id: two.stock_location_id, adjust: -2 },
        {
          variant_id: two.variant_id,
          stock_location_id: two.stock_location_id,
          adjust: '-1',
          backorderable: true,
        },
        { variant_id: one.variant_id, stock_location_id: one.stock_location_id, count_on_hand: 12 },
      ],
    });
    expect(reply.body).toEqual({
      results: [
        { index: 0, ok: true, id: one.id },
        { index: 1, ok: true, id: two.id },
        { index: 2, ok: true, id: two.id },
        { index: 3, ok: true, id: one.id },
      ],
      changed: 3,
      unchanged: 1,
      failed: 0,
    });
    expect(reply.status).toBe(200);
    expect(await getStockCounts(one)).toEqual({ count_on_hand: 12, ledger: 12 });
    expect(await getStockCounts(two)).toEqual({ count_on_hand: 2, ledger: 2 });
    const movements = await testDb()('stock_movements')
      .whereIn('stock_item_id', [one.id, two.id])
      .where({ action: 'bulk' })
      .orderBy('id')
      .select('stock_item_id', 'quantity', 'user_id');
    expect(movements).toEqual([
      { stock_item_id: one.id, quantity: 7, user_id: admin.id },
      { stock_item_id: two.id, quantity: -2, user_id: admin.id },
      { stock_item_id: two.id, quantity: -1, user_id: admin.id },
    ]);
    expect(await testDb()('stock_items').where({ id: two.id }).first('backorderable')).toEqual({
      backorderable: true,
    });
  });

  test('a row has one change, and its location is known', async () => {
    const item = await aStockItem({ count_on_hand: 5 });
    const at = { variant_id: item.variant_id, stock_location_id: item.stock_location_id };
    const reply = await (
      await asAdmin()
    ).post('/bulk/stock', {
      rows: [
        { ...at, count_on_hand: 7, adjust: 1 },
        { ...at, counted: 7, adjust: 1 },
        { variant_id: item.variant_id, stock_location: unique('Nowhere'), adjust: 1 },
        { variant_id: item.variant_id, stock_location_id: 2_000_000_000, adjust: 1 },
      ],
    });
    expect(reply.status).toBe(422);
    expect(reply.body.results.map(({ errors }: { errors: object }) => errors)).toEqual([
      { adjust: ['cannot be combined with count_on_hand'] },
      { counted: ['cannot be combined with count_on_hand or adjust'] },
      { stock_location: ['does not exist'] },
      { stock_location_id: ['does not exist'] },
    ]);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 5, ledger: 5 });
  });

  test('a count stays within its bounds, also where there is no stock item yet', async () => {
    const item = await aStockItem({ count_on_hand: 2_147_483_647 });
    const { id: empty } = await aStockLocation({ propagate_all_variants: false });
    const reply = await (
      await asAdmin()
    ).post('/bulk/stock', {
      rows: [
        { variant_id: item.variant_id, stock_location_id: item.stock_location_id, adjust: 1 },
        { variant_id: item.variant_id, stock_location_id: empty, adjust: -1 },
      ],
    });
    expect(reply.status).toBe(422);
    expect(reply.body.results.map(({ errors }: { errors: object }) => errors)).toEqual([
      { count_on_hand: ['must be less than or equal to 2147483647'] },
      { count_on_hand: ['must be greater than or equal to 0'] },
    ]);
    expect(await testDb()('stock_items').where({ stock_location_id: empty })).toEqual([]);
  });

  test('a higher count fills the backorders of the units that have arrived', async () => {
    const item = await aStockItem({ backorderable: true });
    const [first, second] = [
      await aWaitingOrder(item, { completed_at: new Date('2026-01-01') }),
      await aWaitingOrder(item, { completed_at: new Date('2026-01-02') }),
    ];
    const { variant_id, stock_location_id } = item;
    const rows = [{ variant_id, stock_location_id, count_on_hand: -1 }];
    const reply = await (await asAdmin()).post('/bulk/stock', { rows });
    expect(reply.status).toBe(200);
    expect((await getFillState(first)).units).toEqual(['on_hand']);
    expect((await getFillState(second)).units).toEqual(['backordered']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -1, ledger: -1 });
  });

  test('writes nothing if a row is wrong, unless partial', async () => {
    const item = await aStockItem({ count_on_hand: 5 });
    const at = { variant_id: item.variant_id, stock_location_id: item.stock_location_id };
    const twin = unique('Twin');
    const [, second] = [await aStockLocation({ name: twin }), await aStockLocation({ name: twin })];
    const rows = [
      { ...at, count_on_hand: 9 },
      { ...at, adjust: -10 },
      { sku: 'no-such-sku', stock_location_id: item.stock_location_id, count_on_hand: 1 },
      { ...at, stock_location_id: undefined, stock_location: twin, count_on_hand: 1 },
      { ...at, stock_location: twin, stock_location_id: second.id, count_on_hand: -1 },
      { ...at, count_on_hand: 'many' },
      { ...at },
      {},
    ];
    const errors = [
      { count_on_hand: ['must be greater than or equal to 0'] },
      { sku: ['does not exist'] },
      { stock_location: [expect.stringContaining('ambiguous')] },
      { count_on_hand: ['must be greater than or equal to 0'] },
      { count_on_hand: ['is not a number'] },
      { count_on_hand: ["can't be blank"] },
      { sku: ["can't be blank"], stock_location: ["can't be blank"], count_on_hand: ["can't be blank"] },
    ];
    const failures = errors.map((of, at) => ({ index: at + 1, ok: false, errors: of }));

    const refused = await (await asAdmin()).post('/bulk/stock', { rows });
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual({
      results: [{ index: 0, ok: true }, ...failures],
      changed: 0,
      unchanged: 1,
      failed: 7,
    });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 5, ledger: 5 });

    const partial = await (await asAdmin()).post('/bulk/stock', { rows, partial: true });
    expect(partial.status).toBe(200);
    expect(partial.body).toMatchObject({
      results: [{ index: 0, ok: true, id: item.id }, ...failures],
      changed: 1,
      failed: 7,
    });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 9, ledger: 9 });
  });

  test('creates missing stock items, which are not backorderable by default', async () => {
    const location = await aStockLocation({ backorderable_default: true });
    const [one, two] = [await aStockedVariant(), await aStockedVariant()];
    const reply = await (
      await asAdmin()
    ).post('/bulk/stock', {
      rows: [
        { sku: one.sku, stock_location: location.name, count_on_hand: 3 },
        { sku: two.sku, stock_location: location.name, adjust: -3, backorderable: true },
      ],
    });
    expect(reply.body).toMatchObject({ changed: 2 });
    const items = await testDb()('stock_items').where({ stock_location_id: location.id }).orderBy('id');
    expect(items).toMatchObject([
      { variant_id: one.id, count_on_hand: 3, backorderable: false },
      { variant_id: two.id, count_on_hand: -3, backorderable: true },
    ]);
  });

  test('a stock item stops being backorderable after its count has risen', async () => {
    const [item, other] = [
      await aStockItem({ backorderable: true, count_on_hand: -2 }),
      await aStockItem({ backorderable: true }),
    ];
    const place = { variant_id: item.variant_id, stock_location_id: item.stock_location_id };
    const reply = await (
      await asAdmin()
    ).post('/bulk/stock', { rows: [{ ...place, adjust: 2, backorderable: false }] });
    expect(reply.body).toMatchObject({ changed: 1, failed: 0 });
    expect(
      await testDb()('stock_items')
        .whereIn('id', [item.id, other.id])
        .orderBy('id')
        .select('count_on_hand', 'backorderable'),
    ).toEqual([
      { count_on_hand: 0, backorderable: false },
      { count_on_hand: 0, backorderable: true },
    ]);
  });

  test('arriving stock fills backorders, and a new stock item owes what the deleted one owed', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item, { quantity: 2 });
    const admin = await asAdmin();
    expect((await admin.delete(`/stock_items/${item.id}`)).status).toBe(204);
    const place = { variant_id: item.variant_id, stock_location_id: item.stock_location_id };
    const reply = await admin.post('/bulk/stock', { rows: [{ ...place, adjust: 3 }] });
    expect(reply.body).toMatchObject({ changed: 1 });
    const created = { id: reply.body.results[0].id };
    expect(await getStockCounts(created)).toEqual({ count_on_hand: 1, ledger: 1 });
    expect(await testDb()('stock_items').where(created).first('backorderable')).toEqual({
      backorderable: false,
    });
    expect((await getFillState(order)).units).toEqual(['on_hand', 'on_hand']);
  });

  test('rows of one item that cancel each other out fill no backorders', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await aWaitingOrder(item, { quantity: 3 });
    const place = { variant_id: item.variant_id, stock_location_id: item.stock_location_id };
    const admin = await asAdmin();
    const move = (...adjustments: number[]) =>
      admin.post('/bulk/stock', { rows: adjustments.map((adjust) => ({ ...place, adjust })) });
    expect((await move(5, -5)).body).toMatchObject({ changed: 2 });
    expect((await move(-2, 1)).status).toBe(200);
    expect((await getFillState(order)).units).toEqual(['backordered', 'backordered', 'backordered']);
    expect((await move(4, -3)).status).toBe(200);
    expect((await getFillState(order)).units.sort()).toEqual(['backordered', 'backordered', 'on_hand']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -3, ledger: -3 });
  });

  test('takes the same number of statements for any number of rows, and 1,000 rows at most', async () => {
    const location = await aStockLocation();
    const items: TestStockItem[] = [];
    for (let i = 0; i < 6; i++) items.push(await aStockItem({ stock_location_id: location.id }));
    const admin = await asAdmin();
    const send = (count: number, adjust: number) =>
      countQueries(() =>
        admin.post('/bulk/stock', {
          rows: items
            .slice(0, count)
            .map(({ variant_id }) => ({ variant_id, stock_location_id: location.id, adjust })),
        }),
      );
    expect(await send(6, 1)).toBe(await send(1, 1));
    const tooMany = await admin.post('/bulk/stock', { rows: Array.from({ length: 1001 }, () => ({})) });
    expect(tooMany.body.errors).toEqual({ rows: ['is too long (maximum is 1000 rows)'] });
    expect((await admin.post('/bulk/stock', {})).body.errors).toEqual({ rows: ["can't be blank"] });
    expect((await admin.post('/bulk/stock', { rows: 'x' })).body.errors).toEqual({ rows: ['is invalid'] });
  });

  test('is for admins', async () => {
    for (const path of ['/bulk/stock', '/bulk/prices']) {
      expect((await api().post(path, { rows: [{}] })).status).toBe(401);
      expect((await api(await aCustomer()).post(path, { rows: [{}] })).status).toBe(401);
    }
  });
});

test('unknown attributes of rows are reported as ignored, or refused by strict handling', async () => {
  const caller = await anAdmin();
  const admin = api(caller);
  const [variant_id, other] = [(await aStockItem()).variant_id, (await aStockItem()).variant_id];
  const body = {
    rows: [
      { variant_id, price: '5' },
      { variant_id: other, price: '6', cost: '2' },
    ],
  };
  const reply = await admin.post('/bulk/prices', body);
  expect(reply.body).toMatchObject({ failed: 0 });
  expect(reply.headers['x-ignored-parameters']).toBe('rows.1.cost');
  const strict = api({ ...caller, headers: { Prefer: 'handling=strict' } });
  const refused = await strict.post('/bulk/prices', body);
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual({ 'rows.1.cost': ['is not a known parameter'] });
  const stock = { variant_id, stock_location_id: 1, count_on_hand: 2, backordable: true };
  const adjusted = await admin.post('/bulk/stock', { rows: { 0: stock } });
  expect(adjusted.headers['x-ignored-parameters']).toBe('rows.0.backordable');
});

describe('bulk prices', () => {
  test('sets prices and cost prices, in several currencies', async () => {
    const product = await aProduct({ sku: unique('sku'), price: '10' });
    const { id, sku } = product.master;
    const reply = await (
      await asAdmin()
    ).post('/bulk/prices', {
      rows: [
        { sku, price: '12.50', cost_price: '7' },
        { variant_id: id, price: '12.5' },
        { sku, price: '11', currency: 'eur' },
      ],
    });
    expect(reply.body).toMatchObject({ changed: 2, unchanged: 1, results: [{ id }, { id }, { id }] });
    const prices = await testDb()('prices')
      .where({ variant_id: id })
      .orderBy('currency')
      .select('currency', 'amount');
    expect(prices).toEqual([
      { currency: 'EUR', amount: '11.00' },
      { currency: 'USD', amount: '12.50' },
    ]);
    expect((await api(await anAdmin()).get(`/variants/${id}`)).body).toMatchObject({
      price: '12.5',
      cost_price: '7.0',
    });
    const cleared = await (
      await asAdmin()
    ).post('/bulk/prices', { rows: [{ sku, price: '12.5', cost_price: null }] });
    expect(cleared.body).toMatchObject({ changed: 1 });
    expect((await api(await anAdmin()).get(`/variants/${id}`)).body.cost_price).toBeNull();
  });

  test('leaves a price before and after in the audit log, by its variant, and a refused batch nothing', async () => {
    const { master } = await aProduct({ sku: unique('sku'), price: '10' });
    const author = await anAdmin();
    const send = (rows: object[]) => api(author).post('/bulk/prices', { rows });
    expect(
      (
        await send([
          { sku: master.sku, price: '99' },
          { sku: 'nope', price: '1' },
        ])
      ).status,
    ).toBe(422);
    expect((await send([{ sku: master.sku, price: '12' }])).status).toBe(200);
    const { body } = await api(author).get(
      `/audit_log?q[subject_type_eq]=Store::Variant&q[subject_id_eq]=${master.id}&q[action_eq]=update`,
    );
    expect(body.audit_log).toMatchObject([{ user_id: author.id, changes: { amount: ['10.00', '12.00'] } }]);
  });

  test('writes nothing if a row is wrong', async () => {
    const { master } = await aProduct({ sku: unique('sku'), price: '10' });
    const rows = [
      { sku: master.sku, price: '12' },
      { sku: 'nope', price: '1' },
      { sku: master.sku, price: '-1' },
      { sku: master.sku },
      { sku: master.sku, price: '1', currency: 'euro' },
      { sku: master.sku, price: '1', currency: 'EUO' },
    ];
    const reply = await (await asAdmin()).post('/bulk/prices', { rows });
    expect(reply.status).toBe(422);
    expect(reply.body.results.map((one: any) => one.errors)).toEqual([
      undefined,
      { sku: ['does not exist'] },
      { price: ['must be greater than or equal to 0'] },
      { price: ["can't be blank"] },
      { currency: ['is invalid'] },
      { currency: ['is invalid'] },
    ]);
    expect((await api().get(`/variants/${master.id}`)).body.price).toBe('10.0');
  });
});
