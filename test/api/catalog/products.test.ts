import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct, aVariant } from '../../support/products.factory';
import { unique } from '../../support/unique';
import { INVALID } from '../../support/error-bodies';

describe('updating a product', () => {
  test('changes the named attributes and keeps the rest; null clears', async () => {
    const caller = await asAdmin();
    const product = await aProduct({
      description: 'Old',
      meta_keywords: 'a, b',
      sku: unique('S'),
      weight: 2,
    });
    const reply = await caller.patch(`/products/${product.slug}`, {
      product: { description: null, sku: '', height: '1.255', available_on: '' },
    });
    expect(reply.status).toBe(200);
    const stored = await testDb()('products').where({ id: product.id }).first('updated_at');
    expect(stored.updated_at.toISOString() > product.updated_at).toBe(true);
    expect(reply.body).toEqual({
      ...product,
      updated_at: stored.updated_at.toISOString(),
      description: null,
      available_on: null,
      master: {
        ...product.master,
        updated_at: expect.any(String),
        description: null,
        sku: '',
        height: '1.26',
      },
    });
  });

  test.each([
    [{ name: '' }, { name: ["can't be blank"] }],
    [{ price: null }, { price: ["can't be blank"] }],
    [{ shipping_category_id: '' }, { shipping_category_id: ["can't be blank"] }],
    [{ price: 'x', name: 'fine' }, { price: ['is not a number'] }],
    [{ variants: [{ id: 2147483647 }] }, { 'variants.id': ['is invalid'] }],
  ])('%j returns 422 and changes nothing', async (attributes, errors) => {
    const caller = await asAdmin();
    const product = await aProduct();
    const reply = await caller.put(`/products/${product.id}`, { product: attributes });
    expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
    expect((await caller.get(`/products/${product.id}`)).body).toEqual(product);
    const missing = await caller.put('/products/no-such', { product: attributes });
    expect(missing.status).toBe(404);
  });

  test('a new price keeps the prices of the variants', async () => {
    const product = await aProduct({ price: 10, variants: [{}] });
    const reply = await (await asAdmin()).put(`/products/${product.id}`, { product: { price: 12 } });
    expect(reply.body).toMatchObject({ price: '12.0', variants: [{ price: '10.0' }] });
  });

  test('updates variants by id and adds new ones', async () => {
    const product = await aProduct({ variants: [{ sku: unique('V') }] });
    const [variant] = product.variants;
    const reply = await (
      await asAdmin()
    ).put(`/products/${product.id}`, {
      product: { variants: [{ id: variant.id, price: '3' }, { sku: unique('W') }] },
    });
    expect(reply.body.variants).toMatchObject([
      { id: variant.id, sku: variant.sku, price: '3.0' },
      { price: '19.99', sku: expect.stringMatching(/^W/) },
    ]);
    const other = await aProduct();
    const refused = await (
      await asAdmin()
    ).put(`/products/${other.id}`, { product: { variants: [{ id: variant.id, price: 1 }] } });
    expect(refused.body.errors).toEqual({ 'variants.id': ['is invalid'] });
  });

  test('taxon_ids and option_type_ids replace the sets; blank clears; option_types adds', async () => {
    const caller = await asAdmin();
    const taxonomy = await caller.post('/taxonomies', { taxonomy: { name: unique('T') } });
    const root = taxonomy.body.root.id;
    const [one, two] = [unique('one'), unique('two')];
    const product = await aProduct({ taxon_ids: [root], option_types: [one] });
    const typeNames = (body: any) => body.option_types.map((type: any) => type.name);
    expect(typeNames(product)).toEqual([one]);

    const added = await caller.put(`/products/${product.id}`, {
      product: { taxon_ids: '', option_types: [two, one] },
    });
    expect(added.body).toMatchObject({ taxon_ids: [], classifications: [] });
    expect(typeNames(added.body)).toEqual([one, two]);

    const [first, second] = added.body.option_types;
    const replaced = await caller.put(`/products/${product.id}`, {
      product: { option_type_ids: [second.id, first.id], taxon_ids: [root] },
    });
    expect(typeNames(replaced.body)).toEqual([two, one]);
    expect(replaced.body.taxon_ids).toEqual([root]);
    const cleared = await caller.put(`/products/${product.id}`, {
      product: { option_type_ids: [], taxon_ids: [] },
    });
    expect(cleared.body).toMatchObject({ option_types: [], taxon_ids: [] });
  });
});

describe('deleting a product', () => {
  test('hides it and its variants, releases slug and sku, and keeps the record', async () => {
    const caller = await asAdmin();
    const sku = unique('SKU');
    const product = await aProduct({
      slug: unique('gone'),
      variants: [{ sku }],
      option_types: [unique('type')],
      product_properties_attributes: [{ property_name: 'material', value: 'wool' }],
    });
    const reply = await caller.delete(`/products/${product.slug}`);
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined]);

    expect((await caller.get(`/products/${product.id}`)).status).toBe(404);
    expect((await caller.delete(`/products/${product.id}`)).status).toBe(404);
    expect((await caller.put(`/products/${product.id}`, { product: { name: '' } })).status).toBe(404);
    expect((await caller.get(`/products?ids=${product.id}`)).body.products).toEqual([]);
    expect((await caller.get(`/variants/${product.variants[0].id}`)).status).toBe(404);

    const shown = await caller.get(`/products/${product.id}?show_deleted=true`);
    expect(shown.body).toMatchObject({
      id: product.id,
      price: '19.99',
      variants: [],
      has_variants: false,
      total_on_hand: 0,
      master: { is_destroyed: true, price: '19.99' },
      option_types: product.option_types,
      product_properties: product.product_properties,
    });
    expect(shown.body.slug).toMatch(new RegExp(`^\\d{10}_${product.slug}$`));
    const listed = await caller.get(`/products?ids=${product.id}&show_deleted=true`);
    expect(listed.body.products).toEqual([shown.body]);
    expect((await api().get(`/products/${product.id}?show_deleted=true`)).status).toBe(404);

    const successor = await aProduct({ slug: product.slug, sku });
    expect(successor).toMatchObject({ slug: product.slug, master: { sku } });
    const rows = await testDb()('variants').where({ product_id: product.id }).whereNull('deleted_at');
    expect(rows).toEqual([]);
    const stock = await testDb()('stock_items')
      .join('variants', 'variants.id', 'variant_id')
      .where({ product_id: product.id })
      .whereNull('stock_items.deleted_at');
    expect(stock).toEqual([]);
  });
});

test('nested resources of a product are found below it, with .json and a trailing slash', async () => {
  const product = await aProduct({ variants: [{}] });
  await aVariant(product);
  for (const path of [`/products/${product.slug}.json`, `/products/${product.slug}/`]) {
    expect((await api().get(path)).body).toMatchObject({ id: product.id, has_variants: true });
  }
  expect((await api().get('/products.json?per_page=1')).body.count).toBe(1);
});
