import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct, anOptionType, aVariant, receiveStock } from '../../support/products.factory';
import { unique } from '../../support/unique';

const DAY_MS = 86_400_000;

describe('reading variants', () => {
  test('the list of a product includes its master, by position', async () => {
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
    expect({ ...fields, cost_price: null, metadata: {} }).toEqual(early);
    expect(stockItems[0].variant_id).toBe(early.id);
    expect((await api().get(`/variants/${early.id}?product_id=${product.slug}`)).body).toEqual(shown.body);
    expect((await api().get(`/variants/${early.id}`)).body).toEqual(shown.body);
  });

  test('a variant below another product and an invalid id return 404', async () => {
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
    const caller = await asAdmin();
    expect((await caller.delete(`/products/${other.id}/variants/${variant.id}`)).status).toBe(404);
    expect((await caller.put(`/products/${other.id}/variants/${variant.id}`, { variant: {} })).status).toBe(
      404,
    );
    expect((await api().get(`/variants/${variant.id}`)).status).toBe(200);
  });

  test('new returns the attributes of a variant', async () => {
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

  test('shoppers see no variant of a product that is not on sale, and no cost price', async () => {
    const future = new Date(Date.now() + DAY_MS).toISOString();
    const product = await aProduct({ available_on: future, variants: [{ cost_price: 3, sku: unique('F') }] });
    const [variant] = product.variants;
    for (const caller of [api(), api(await aCustomer())]) {
      expect((await caller.get(`/variants/${variant.id}`)).status).toBe(404);
      expect((await caller.get(`/products/${product.id}/variants`)).status).toBe(404);
      expect((await caller.get(`/products/${product.id}/variants/${variant.id}`)).status).toBe(404);
      expect((await caller.get(`/variants?q[sku_eq]=${variant.sku}`)).body.total_count).toBe(0);
    }
    const caller = await asAdmin();
    expect((await caller.get(`/variants/${variant.id}`)).body.cost_price).toBe('3.0');
    await caller.put(`/products/${product.id}`, { product: { available_on: '2020-01-01' } });
    expect((await api().get(`/variants/${variant.id}`)).text).not.toContain('cost_price');
  });

  test('the search covers product, options, prices and stock', async () => {
    const type = await anOptionType('Color', unique('crimson'));
    const product = await aProduct({
      name: unique('Findable'),
      price: 4,
      variants: [{ sku: unique('FIND'), option_value_ids: [type.option_values[0].id], price: 5 }],
    });
    const [variant] = product.variants;
    await receiveStock(variant.id, 3);
    const search = async (query: string, caller = api()) =>
      (await caller.get(`/variants?${query}`)).body.variants?.map((one: any) => one.id);
    const word = product.name.slice(4).toUpperCase();
    expect(await search(`q[product_name_or_sku_cont]=${word}`)).toEqual([product.master.id, variant.id]);
    expect(await search(`q[product_name_or_sku_cont]=${variant.sku.toLowerCase()}`)).toEqual([variant.id]);
    expect(await search(`q[id_eq]=${variant.id}`)).toEqual([variant.id]);
    expect(await search(`q[option_values_name_eq]=${type.option_values[0].name}`)).toEqual([variant.id]);
    const mine = `q[product_id_eq]=${product.id}`;
    expect(await search(`${mine}&q[default_price_amount_gt]=4`)).toEqual([variant.id]);
    expect(await search(`${mine}&q[prices_currency_eq]=EUR`)).toEqual([]);
    expect(await search(`${mine}&q[price_eq]=4`)).toEqual([product.master.id]);
    expect(await search(`${mine}&q[stock_items_count_on_hand_gt]=0`)).toEqual([variant.id]);
    expect(await search(`${mine}&q[is_master_true]=1`)).toEqual([product.master.id]);
    expect(await search(`${mine}&q[s]=sku desc&q[product_slug_eq]=${product.slug}`)).toEqual([
      variant.id,
      product.master.id,
    ]);
    expect(await search(`${mine}&q[cost_price_null]=false`, await asAdmin())).toEqual([]);
    const guess = await api().get(`/variants?${mine}&q[cost_price_gt]=0`);
    expect([guess.body.total_count, guess.headers['x-ignored-conditions']]).toEqual([2, 'cost_price_gt']);
  });
});

describe('updating a variant', () => {
  test('changes the named attributes', async () => {
    const type = await anOptionType('Size', 'S', 'M');
    const [small, medium] = type.option_values;
    const product = await aProduct({ variants: [{ option_value_ids: [small.id], sku: unique('S') }] });
    const [variant] = product.variants;
    const caller = await asAdmin();
    const reply = await caller.put(
      `/products/${product.id}/variants/${variant.id}?variant[price]=3&variant[option_value_ids][]=${medium.id}`,
      { variant: { weight: 1.5, track_inventory: 'false', cost_price: '1' } },
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      sku: variant.sku,
      price: '3.0',
      options_text: 'Size: M',
      weight: '1.5',
      cost_price: '1.0',
      track_inventory: false,
      in_stock: true,
      total_on_hand: null,
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
  ])('%j returns 422 and changes nothing', async (attributes, errors) => {
    const product = await aProduct({ variants: [{}] });
    const path = `/products/${product.id}/variants/${product.variants[0].id}`;
    const caller = await asAdmin();
    const before = await caller.get(path);
    const reply = await caller.put(path, { variant: { ...attributes, weight: 9 } });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await caller.get(path)).body).toEqual(before.body);
    expect((await caller.put('/variants/2147483647', { variant: attributes })).status).toBe(404);
  });

  test('only admins may write', async () => {
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
  test('keeps the record for admins with show_deleted, and releases sku and stock', async () => {
    const caller = await asAdmin();
    const sku = unique('SKU');
    const product = await aProduct({ variants: [{ sku }] });
    const [variant] = product.variants;
    await receiveStock(variant.id, 2);
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
      sku,
      price: '19.99',
      is_destroyed: true,
      in_stock: false,
      total_on_hand: 0,
      stock_items: [],
    });
    const list = await caller.get(`/products/${product.id}/variants?show_deleted=1`);
    expect(list.body.total_count).toBe(2);
    for (const query of ['', '?show_deleted=true']) {
      expect((await api().get(`/products/${product.id}/variants${query}`)).body.total_count).toBe(1);
    }
    expect((await aVariant(product, { sku })).sku).toBe(sku);
    expect((await caller.delete(`/variants/${product.variants[0].id}`)).status).toBe(404);
  });

  test('works at the top level too, for the given product', async () => {
    const caller = await asAdmin();
    const [product, other] = [await aProduct({ variants: [{}] }), await aProduct()];
    const [variant] = product.variants;
    expect((await caller.delete(`/variants/${variant.id}?product_id=${other.id}`)).status).toBe(404);
    expect((await caller.delete(`/variants/${variant.id}?product_id=${product.id}`)).status).toBe(204);
  });

  test('a master is deleted only with its product', async () => {
    const product = await aProduct();
    const caller = await asAdmin();
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
