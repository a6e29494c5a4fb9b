import { aCustomer, anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { aProduct, aVariant } from '../support/products.factory';
import { unique } from '../support/unique';

const INVALID = 'Invalid resource. Please fix errors and try again.';
const DAY_MS = 86_400_000;

async function admin() {
  return api(await anAdmin());
}

/** An option type with values of these names. */
async function anOptionType(presentation: string, ...names: string[]): Promise<any> {
  const reply = await (
    await admin()
  ).post('/option_types', {
    option_type: {
      name: unique(presentation),
      presentation,
      option_values_attributes: names.map((name) => ({ name, presentation: name })),
    },
  });
  return reply.body;
}

/** Puts units on the variant's shelf in the location "default", as a delivery does: by a movement. */
async function receive(variantId: number, quantity: number): Promise<void> {
  const item = await testDb()('stock_items').where({ variant_id: variantId }).orderBy('id').first();
  const reply = await (
    await admin()
  ).post(`/stock_locations/${item.stock_location_id}/stock_movements`, {
    stock_movement: { stock_item_id: item.id, quantity },
  });
  expect(reply.status).toBe(201);
}

describe('creating a variant', () => {
  test('with option values: its type comes to the product, its price from the master', async () => {
    const type = await anOptionType('Color', 'Red', 'Blue');
    const [, blue] = type.option_values;
    const product = await aProduct({ price: '15.99', description: 'A tote' });
    const sku = unique('TOTE-B');
    const reply = await (
      await admin()
    ).post(
      `/products/${product.slug}/variants?variant[sku]=${sku}&variant[option_value_ids][]=${blue.id}&variant[product_id]=1`,
    );

    expect(reply.status).toBe(201);
    const { id, stock_items: stockItems, ...rest } = reply.body;
    expect(rest).toEqual({
      ...{ name: product.name, sku, price: '15.99', weight: '0.0', height: null, width: null, depth: null },
      ...{ is_master: false, slug: product.slug, description: 'A tote', track_inventory: true },
      ...{ cost_price: null, display_price: '$15.99', options_text: 'Color: Blue', in_stock: false },
      ...{ is_backorderable: true, is_orderable: true, total_on_hand: 0, is_destroyed: false },
      ...{ product_id: product.id, option_values: [blue], images: [] },
    });
    expect(stockItems[0]).toEqual({
      id: stockItems[0].id,
      count_on_hand: 0,
      stock_location_id: 1,
      backorderable: true,
      variant_id: id,
      available: true,
      stock_location_name: 'default',
    });
    const shown = await api().get(`/products/${product.id}`);
    expect(shown.body).toMatchObject({ has_variants: true, option_types: [type], variants: [{ id, sku }] });
  });

  test('each location that propagates gets an item, as its default says', async () => {
    const caller = await admin();
    const made = async (attributes: object) =>
      (await caller.post('/stock_locations', { stock_location: { name: unique('Loc'), ...attributes } })).body
        .id;
    const [open, closed, apart] = [
      await made({ backorderable_default: true, active: false }),
      await made({}),
      await made({ propagate_all_variants: false }),
    ];
    const variant = await aVariant(await aProduct());
    const items = new Map(variant.stock_items.map((item: any) => [item.stock_location_id, item]));
    expect(items.get(open)).toMatchObject({ backorderable: true, available: true });
    expect(items.get(closed)).toMatchObject({ backorderable: false, available: false, count_on_hand: 0 });
    expect(items.has(apart)).toBe(false);
    for (const id of [open, closed, apart]) await caller.delete(`/stock_locations/${id}`);
  });

  test('it empties the shelf of the master, and the ledger says so', async () => {
    const product = await aProduct();
    await receive(product.master.id, 5);
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
    await receive(variant.id, 7);
    expect((await api().get(`/products/${product.id}`)).body.total_on_hand).toBe(7);
  });

  test('many at once empty it once, and each has its place', async () => {
    const product = await aProduct();
    await receive(product.master.id, 5);
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

  test("a master without stock keeps its items' backorders", async () => {
    const product = await aProduct();
    await aVariant(product);
    const shown = await api().get(`/products/${product.id}`);
    expect(shown.body.master.is_backorderable).toBe(true);
  });

  test('a master whose stock is not counted keeps its count', async () => {
    const product = await aProduct();
    await receive(product.master.id, 4);
    const caller = await admin();
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

  test('price: its own, else what the master costs at that moment', async () => {
    const product = await aProduct({ price: 10 });
    const first = await aVariant(product);
    await (await admin()).put(`/products/${product.id}`, { product: { price: 12 } });
    const [second, third] = [
      await aVariant(product, { price: null }),
      await aVariant(product, { price: 9.5 }),
    ];
    expect([first.price, second.price, third.price]).toEqual(['10.0', '12.0', '9.5']);
  });

  test('without any price it is refused', async () => {
    const product = await aProduct();
    await testDb()('prices').where({ variant_id: product.master.id }).delete();
    const caller = await admin();
    const reply = await caller.post(`/products/${product.id}/variants`, { variant: {} });
    expect([reply.status, reply.body.errors]).toEqual([422, { price: ["can't be blank"] }]);
    expect((await caller.get(`/products/${product.id}`)).body.variants).toEqual([]);
  });

  test('options by name, found or made', async () => {
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

  test('the store-wide setting stops counting for all', async () => {
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

  test('nothing is needed; two of one sku are too many, case and blanks apart', async () => {
    const product = await aProduct();
    const sku = unique('sku');
    expect((await aVariant(product)).sku).toBe('');
    expect((await aVariant(product)).sku).toBe('');
    await aVariant(product, { sku });
    expect((await aVariant(product, { sku: sku.toUpperCase() })).sku).toBe(sku.toUpperCase());
    const reply = await (await admin()).post(`/products/${product.id}/variants`, { variant: { sku } });
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
  ])('%j is refused and nothing is stored', async (attributes, errors) => {
    const product = await aProduct();
    const reply = await (await admin()).post(`/products/${product.id}/variants`, { variant: attributes });
    expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
    expect(await testDb()('variants').where({ product_id: product.id })).toHaveLength(1);
  });

  test('two values of one type, or a value without a type, are refused', async () => {
    const caller = await admin();
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

  test('at the top level, the product stands beside the variant', async () => {
    const caller = await admin();
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

describe('reading variants', () => {
  test('the list of a product holds its master, by position', async () => {
    const product = await aProduct({ variants: [{ position: 3 }, { position: 2 }] });
    const [late, early] = [...product.variants].sort((a: any, b: any) => a.id - b.id);
    for (const path of [`/products/${product.slug}/variants`, `/variants?product_id=${product.slug}`]) {
      const reply = await api().get(path);
      expect(reply.body).toMatchObject({ count: 3, total_count: 3, current_page: 1, pages: 1 });
      expect(reply.body.variants.map((variant: any) => variant.id)).toEqual([
        product.master.id,
        early.id,
        late.id,
      ]);
      expect(reply.body.variants[0].stock_items[0].variant_id).toBe(product.master.id);
    }
    const shown = await api().get(`/products/${product.id}/variants/${early.id}`);
    const { stock_items: stockItems, ...fields } = shown.body;
    expect({ ...fields, cost_price: null }).toEqual(early);
    expect(stockItems[0].variant_id).toBe(early.id);
    expect((await api().get(`/variants/${early.id}?product_id=${product.slug}`)).body).toEqual(shown.body);
    expect((await api().get(`/variants/${early.id}`)).body).toEqual(shown.body);
  });

  test('a variant is not found under another product, nor what is no id', async () => {
    const [product, other] = [await aProduct({ variants: [{}] }), await aProduct()];
    const [variant] = product.variants;
    for (const path of [
      `/products/${other.id}/variants/${variant.id}`,
      `/variants/${variant.id}?product_id=${other.slug}`,
      `/variants/abc`,
      `/variants/99999999999999`,
      `/products/no-such/variants`,
      `/products/no-such/variants/new`,
      `/products/no-such/variants/${variant.id}`,
      `/variants?product_id=no-such`,
    ]) {
      expect([path, (await api().get(path)).status]).toEqual([path, 404]);
    }
    const caller = await admin();
    expect((await caller.delete(`/products/${other.id}/variants/${variant.id}`)).status).toBe(404);
    expect((await caller.put(`/products/${other.id}/variants/${variant.id}`, { variant: {} })).status).toBe(
      404,
    );
    expect((await api().get(`/variants/${variant.id}`)).status).toBe(200);
  });

  test('what a variant has and needs', async () => {
    const product = await aProduct();
    const expected = {
      attributes: [
        ...['id', 'name', 'sku', 'price', 'weight', 'height', 'width', 'depth'],
        ...['is_master', 'slug', 'description', 'track_inventory'],
      ],
      required_attributes: [],
    };
    expect((await api().get(`/products/${product.slug}/variants/new`)).body).toEqual(expected);
    expect((await api().get('/variants/new')).body).toEqual(expected);
  });

  test("shoppers see no variant of a product that is not on sale, and nobody's cost", async () => {
    const future = new Date(Date.now() + DAY_MS).toISOString();
    const product = await aProduct({ available_on: future, variants: [{ cost_price: 3, sku: unique('F') }] });
    const [variant] = product.variants;
    for (const caller of [api(), api(await aCustomer())]) {
      expect((await caller.get(`/variants/${variant.id}`)).status).toBe(404);
      expect((await caller.get(`/products/${product.id}/variants`)).status).toBe(404);
      expect((await caller.get(`/products/${product.id}/variants/${variant.id}`)).status).toBe(404);
      expect((await caller.get(`/variants?q[sku_eq]=${variant.sku}`)).body.total_count).toBe(0);
    }
    const caller = await admin();
    expect((await caller.get(`/variants/${variant.id}`)).body.cost_price).toBe('3.0');
    await caller.put(`/products/${product.id}`, { product: { available_on: '2020-01-01' } });
    expect((await api().get(`/variants/${variant.id}`)).text).not.toContain('cost_price');
  });

  test('the search reaches product, options, prices and stock', async () => {
    const type = await anOptionType('Color', unique('crimson'));
    const product = await aProduct({
      name: unique('Findable'),
      price: 4,
      variants: [{ sku: unique('FIND'), option_value_ids: [type.option_values[0].id], price: 5 }],
    });
    const [variant] = product.variants;
    await receive(variant.id, 3);
    const found = async (query: string, caller = api()) =>
      (await caller.get(`/variants?${query}`)).body.variants?.map((one: any) => one.id);
    const word = product.name.slice(4).toUpperCase();
    expect(await found(`q[product_name_or_sku_cont]=${word}`)).toEqual([product.master.id, variant.id]);
    expect(await found(`q[product_name_or_sku_cont]=${variant.sku.toLowerCase()}`)).toEqual([variant.id]);
    expect(await found(`q[option_values_name_eq]=${type.option_values[0].name}`)).toEqual([variant.id]);
    const mine = `q[product_id_eq]=${product.id}`;
    expect(await found(`${mine}&q[default_price_amount_gt]=4`)).toEqual([variant.id]);
    expect(await found(`${mine}&q[prices_currency_eq]=EUR`)).toEqual([]);
    expect(await found(`${mine}&q[price_eq]=4`)).toEqual([product.master.id]);
    expect(await found(`${mine}&q[stock_items_count_on_hand_gt]=0`)).toEqual([variant.id]);
    expect(await found(`${mine}&q[is_master_true]=1`)).toEqual([product.master.id]);
    expect(await found(`${mine}&q[s]=sku desc&q[product_slug_eq]=${product.slug}`)).toEqual([
      variant.id,
      product.master.id,
    ]);
    expect(await found(`${mine}&q[cost_price_null]=false`, await admin())).toEqual([]);
    const guess = await api().get(`/variants?${mine}&q[cost_price_gt]=0`);
    expect([guess.body.total_count, guess.headers['x-ignored-conditions']]).toEqual([2, 'cost_price_gt']);
  });
});

describe('changing a variant', () => {
  test('what is named changes', async () => {
    const type = await anOptionType('Size', 'S', 'M');
    const [small, medium] = type.option_values;
    const product = await aProduct({ variants: [{ option_value_ids: [small.id], sku: unique('S') }] });
    const [variant] = product.variants;
    const caller = await admin();
    const reply = await caller.put(
      `/products/${product.id}/variants/${variant.id}?variant[price]=3&variant[option_value_ids][]=${medium.id}`,
      { variant: { weight: 1.5, track_inventory: 'false', cost_price: '1' } },
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      ...{ sku: variant.sku, price: '3.0', options_text: 'Size: M', weight: '1.5', cost_price: '1.0' },
      ...{ track_inventory: false, in_stock: true, total_on_hand: null },
    });
    const byName = await caller.patch(`/variants/${variant.id}`, {
      variant: { options: [{ name: type.name, value: 'S' }], cost_price: '' },
    });
    expect(byName.body).toMatchObject({ options_text: 'Size: S', cost_price: null, price: '3.0' });
    const cleared = await caller.patch(`/variants/${variant.id}`, { variant: { option_value_ids: [] } });
    expect(cleared.body.option_values).toEqual([]);
  });

  test.each([
    [{ price: '' }, { price: ["can't be blank"] }],
    [{ option_value_ids: ['0'] }, { option_value_ids: ['is invalid'] }],
    [{ tax_category_id: 2147483647 }, { tax_category_id: ['is invalid'] }],
  ])('%j is refused and changes nothing', async (attributes, errors) => {
    const product = await aProduct({ variants: [{}] });
    const path = `/products/${product.id}/variants/${product.variants[0].id}`;
    const caller = await admin();
    const before = await caller.get(path);
    const reply = await caller.put(path, { variant: { ...attributes, weight: 9 } });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await caller.get(path)).body).toEqual(before.body);
    expect((await caller.put('/variants/2147483647', { variant: attributes })).status).toBe(404);
  });

  test('only admins write', async () => {
    const product = await aProduct({ variants: [{}] });
    const [variant] = product.variants;
    for (const caller of [api(), api(await aCustomer())]) {
      for (const path of [`/variants/${variant.id}`, `/products/${product.id}/variants/2147483647`]) {
        expect((await caller.put(path, { variant: { price: 1 } })).status).toBe(401);
        expect((await caller.delete(path)).status).toBe(401);
      }
      expect((await caller.post('/variants', {})).status).toBe(401);
      expect((await caller.post('/products/no-such/variants', {})).status).toBe(401);
    }
  });
});

describe('deleting a variant', () => {
  test('the record stays for admins who ask; sku and stock are gone', async () => {
    const caller = await admin();
    const sku = unique('SKU');
    const product = await aProduct({ variants: [{ sku }] });
    const [variant] = product.variants;
    await receive(variant.id, 2);
    const reply = await caller.delete(`/products/${product.slug}/variants/${variant.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);

    expect((await caller.get(`/variants/${variant.id}`)).status).toBe(404);
    expect((await caller.delete(`/variants/${variant.id}`)).status).toBe(404);
    expect((await caller.get(`/products/${product.id}`)).body).toMatchObject({
      has_variants: false,
      variants: [],
      total_on_hand: 0,
    });
    const shown = await caller.get(`/variants/${variant.id}?show_deleted=true`);
    expect(shown.body).toMatchObject({
      ...{ sku, price: '19.99', is_destroyed: true, in_stock: false, total_on_hand: 0, stock_items: [] },
    });
    const list = await caller.get(`/products/${product.id}/variants?show_deleted=1`);
    expect(list.body.total_count).toBe(2);
    for (const query of ['', '?show_deleted=true']) {
      expect((await api().get(`/products/${product.id}/variants${query}`)).body.total_count).toBe(1);
    }
    expect((await aVariant(product, { sku })).sku).toBe(sku);
    expect((await caller.delete(`/variants/${product.variants[0].id}`)).status).toBe(404);
  });

  test('at the top level too, inside the product that is named', async () => {
    const caller = await admin();
    const [product, other] = [await aProduct({ variants: [{}] }), await aProduct()];
    const [variant] = product.variants;
    expect((await caller.delete(`/variants/${variant.id}?product_id=${other.id}`)).status).toBe(404);
    expect((await caller.delete(`/variants/${variant.id}?product_id=${product.id}`)).status).toBe(204);
  });

  test('a master goes only with its product', async () => {
    const product = await aProduct();
    const caller = await admin();
    for (const path of [
      `/variants/${product.master.id}`,
      `/products/${product.id}/variants/${product.master.id}`,
    ]) {
      const reply = await caller.delete(path);
      expect([reply.status, reply.body.errors]).toEqual([
        422,
        { base: ['The master variant cannot be deleted'] },
      ]);
    }
    expect((await api().get(`/products/${product.id}`)).status).toBe(200);
  });
});
