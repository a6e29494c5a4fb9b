import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct, anOptionType, aVariant, receiveStock } from '../../support/products.factory';
import { unique } from '../../support/unique';
import { INVALID } from '../../support/error-bodies';

describe('creating a variant', () => {
  test('stores a bar code in ASCII', async () => {
    const { slug } = await aProduct();
    const variant = { barcode: '４０１２３４５ ' };
    const reply = await (await asAdmin()).post(`/products/${slug}/variants`, { variant });
    expect(reply.body).toMatchObject({ barcode: '4012345' });
  });

  test('with option values adds their type to the product, and copies the price of the master', async () => {
    const type = await anOptionType('Color', 'Red', 'Blue');
    const [, blue] = type.option_values;
    const product = await aProduct({ price: '15.99', description: 'A tote' });
    const sku = unique('TOTE-B');
    const reply = await (
      await asAdmin()
    ).post(
      `/products/${product.slug}/variants?variant[sku]=${sku}&variant[option_value_ids][]=${blue.id}&variant[product_id]=1`,
    );

    expect(reply.status).toBe(201);
    const { id, stock_items: stockItems, committed, ...rest } = reply.body;
    expect(committed).toBe(0);
    expect(rest).toEqual({
      name: product.name,
      sku,
      price: '15.99',
      weight: '0.0',
      height: null,
      width: null,
      depth: null,
      barcode: null,
      is_master: false,
      slug: product.slug,
      description: 'A tote',
      track_inventory: true,
      cost_price: null,
      display_price: '$15.99',
      options_text: 'Color: Blue',
      in_stock: false,
      is_backorderable: true,
      is_orderable: true,
      total_on_hand: 0,
      is_destroyed: false,
      product_id: product.id,
      updated_at: expect.any(String),
      option_values: [blue],
      images: [],
      metadata: {},
      public_metadata: {},
    });
    expect(stockItems[0]).toEqual({
      id: stockItems[0].id,
      count_on_hand: 0,
      committed: 0,
      stock_location_id: 1,
      backorderable: true,
      variant_id: id,
      available: true,
      stock_location_name: 'default',
    });
    const shown = await api().get(`/products/${product.id}`);
    expect(shown.body).toMatchObject({
      has_variants: true,
      option_types: [{ ...type, option_values: [blue] }],
      variants: [{ id, sku }],
    });
  });

  test('creates a stock item in each location that propagates, backorderable by its default', async () => {
    const caller = await asAdmin();
    const createLocation = async (attributes: object) =>
      (await caller.post('/stock_locations', { stock_location: { name: unique('Loc'), ...attributes } })).body
        .id;
    const [open, closed, apart] = [
      await createLocation({ backorderable_default: true, active: false }),
      await createLocation({}),
      await createLocation({ propagate_all_variants: false }),
    ];
    const variant = await aVariant(await aProduct());
    const items = new Map(variant.stock_items.map((item: any) => [item.stock_location_id, item]));
    expect(items.get(open)).toMatchObject({ backorderable: true, available: true });
    expect(items.get(closed)).toMatchObject({ backorderable: false, available: false, count_on_hand: 0 });
    expect(items.has(apart)).toBe(false);
    for (const id of [open, closed, apart]) await caller.delete(`/stock_locations/${id}`);
  });

  test('clears the stock of the master with a movement', async () => {
    const product = await aProduct();
    await receiveStock(product.master.id, 5);
    expect((await api().get(`/products/${product.id}`)).body).toMatchObject({
      total_on_hand: 5,
      master: { in_stock: true, total_on_hand: 5 },
    });
    const variant = await aVariant(product);
    expect((await api().get(`/products/${product.id}`)).body).toMatchObject({
      total_on_hand: 0,
      master: { in_stock: false, is_backorderable: false, is_orderable: false, total_on_hand: 0 },
    });
    const db = testDb();
    const items = await db('stock_items').where({ variant_id: product.master.id });
    for (const item of items) {
      const movements = await db('stock_movements').where({ stock_item_id: item.id }).orderBy('id');
      expect(movements.reduce((sum: number, one: any) => sum + one.quantity, 0)).toBe(item.count_on_hand);
    }
    expect(await db('stock_movements').where({ originator_id: variant.id })).toMatchObject([
      { quantity: -5, originator_type: 'Store::Variant' },
    ]);
    await receiveStock(variant.id, 7);
    expect((await api().get(`/products/${product.id}`)).body.total_on_hand).toBe(7);
  });

  test('concurrent creates clear it once and get one position each', async () => {
    const product = await aProduct();
    await receiveStock(product.master.id, 5);
    const made = await Promise.all(Array.from({ length: 5 }, () => aVariant(product)));
    expect(new Set(made.map((variant) => variant.id)).size).toBe(5);
    const positions = await testDb()('variants').where({ product_id: product.id }).pluck('position');
    expect(positions.sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const movements = await testDb()('stock_movements')
      .join('stock_items', 'stock_items.id', 'stock_item_id')
      .where({ variant_id: product.master.id })
      .orderBy('stock_movements.id')
      .pluck('quantity');
    expect(movements).toEqual([5, -5]);
  });

  test('a master without stock keeps the backorders of its items', async () => {
    const product = await aProduct();
    await aVariant(product);
    const shown = await api().get(`/products/${product.id}`);
    expect(shown.body.master.is_backorderable).toBe(true);
  });

  test('an untracked master keeps its count', async () => {
    const product = await aProduct();
    await receiveStock(product.master.id, 4);
    const caller = await asAdmin();
    await caller.put(`/variants/${product.master.id}`, { variant: { track_inventory: false } });
    await aVariant(product);
    const master = await caller.get(`/variants/${product.master.id}`);
    expect(master.body).toMatchObject({
      track_inventory: false,
      in_stock: true,
      is_orderable: true,
      total_on_hand: null,
      stock_items: expect.arrayContaining([expect.objectContaining({ count_on_hand: 4 })]),
    });
    expect((await api().get(`/products/${product.id}`)).body.total_on_hand).toBeNull();
  });

  test('the price defaults to the current price of the master', async () => {
    const product = await aProduct({ price: 10 });
    const first = await aVariant(product);
    await (await asAdmin()).put(`/products/${product.id}`, { product: { price: 12 } });
    const [second, third] = [
      await aVariant(product, { price: null }),
      await aVariant(product, { price: 9.5 }),
    ];
    expect([first.price, second.price, third.price]).toEqual(['10.0', '12.0', '9.5']);
  });

  test('without any price returns 422', async () => {
    const product = await aProduct();
    await testDb()('prices').where({ variant_id: product.master.id }).delete();
    const caller = await asAdmin();
    const reply = await caller.post(`/products/${product.id}/variants`, { variant: {} });
    expect([reply.status, reply.body.errors]).toEqual([422, { price: ["can't be blank"] }]);
    expect((await caller.get(`/products/${product.id}`)).body.variants).toEqual([]);
  });

  test('options are found or created by name', async () => {
    const [size, color] = [unique('size'), unique('color')];
    const product = await aProduct();
    const options = [
      { name: size, value: 'S' },
      { name: color, value: 'Red' },
    ];
    const first = await aVariant(product, { options });
    const second = await aVariant(product, { options: { 0: { name: size, value: 'S' } } });
    expect(first.options_text).toBe(`${size}: S, ${color}: Red`);
    expect(second.option_values).toEqual([first.option_values[0]]);
  });

  test('a store without inventory tracking makes no stock changes', async () => {
    const product = await aProduct();
    const stores = () => testDb()('stores').where({ is_default: true });
    await stores().update({ track_inventory_levels: false });
    try {
      expect((await api().get(`/products/${product.id}`)).body).toMatchObject({
        total_on_hand: null,
        master: { track_inventory: false, in_stock: true, total_on_hand: null },
      });
    } finally {
      await stores().update({ track_inventory_levels: true });
    }
  });

  test('needs no attributes; skus are unique ignoring case and surrounding blanks', async () => {
    const product = await aProduct();
    const sku = unique('sku');
    expect((await aVariant(product)).sku).toBe('');
    expect((await aVariant(product)).sku).toBe('');
    await aVariant(product, { sku });
    expect((await aVariant(product, { sku: sku.toUpperCase() })).sku).toBe(sku.toUpperCase());
    const reply = await (await asAdmin()).post(`/products/${product.id}/variants`, { variant: { sku } });
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: INVALID, errors: { sku: ['has already been taken'] } },
    ]);
  });

  test.each([
    [{ price: -1 }, { price: ['must be greater than or equal to 0'] }],
    [{ price: 'x' }, { price: ['is not a number'] }],
    [{ price: 1_000_000 }, { price: ['must be less than or equal to 999999.99'] }],
    [{ weight: '-0.01' }, { weight: ['must be greater than or equal to 0'] }],
    [{ cost_price: 'NaN' }, { cost_price: ['is not a number'] }],
    [{ option_value_ids: [2147483647] }, { option_value_ids: ['is invalid'] }],
    [{ option_value_ids: 'x' }, { option_value_ids: ['is invalid'] }],
    [{ options: [{ name: 'size' }] }, { 'options.value': ["can't be blank"] }],
    [{ sku: 'x'.repeat(256) }, { sku: ['is too long (maximum is 255 characters)'] }],
    [{ position: 1.5 }, { position: ['must be an integer'] }],
  ])('%j returns 422 and stores nothing', async (attributes, errors) => {
    const product = await aProduct();
    const reply = await (await asAdmin()).post(`/products/${product.id}/variants`, { variant: attributes });
    expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
    expect(await testDb()('variants').where({ product_id: product.id })).toHaveLength(1);
  });

  test('two values of one type and a value without a type return 422', async () => {
    const caller = await asAdmin();
    const type = await anOptionType('Size', 'S', 'M');
    const loose = await caller.post('/option_values', { name: unique('loose'), presentation: 'Loose' });
    const product = await aProduct();
    const both = type.option_values.map((value: any) => value.id);
    for (const option_value_ids of [both, [loose.body.id]]) {
      const reply = await caller.post(`/products/${product.id}/variants`, { variant: { option_value_ids } });
      expect([reply.status, reply.body.errors]).toEqual([422, { option_values: ['is invalid'] }]);
    }
    expect((await caller.get(`/products/${product.id}`)).body).toMatchObject({
      option_types: [],
      variants: [],
    });
  });

  test('at the top level product_id is outside the wrapper', async () => {
    const caller = await asAdmin();
    const product = await aProduct();
    const reply = await caller.post('/variants', {
      product_id: product.slug,
      variant: { sku: unique('top'), product_id: 99 },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ product_id: product.id, is_master: false });
    const without = await caller.post('/variants', { variant: {} });
    expect([without.status, without.body.errors]).toEqual([422, { product: ["can't be blank"] }]);
    expect((await caller.post('/variants', { product_id: 'no-such', variant: {} })).status).toBe(404);
    expect((await caller.post('/products/no-such/variants', { variant: { price: 'x' } })).status).toBe(404);
  });
});
